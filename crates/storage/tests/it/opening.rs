//! Opening what is there, what is not, and what is no store.

use std::time::Duration;

use session_search_core::{ErrorKind, StoreError, TranscriptStore, Visible};
use session_search_storage::{OpenMode, OpenOptions, SqliteStore};
use session_search_testkit::factory::agent;
use session_search_testkit::fixture::{append, key, plan, user};
use session_search_testkit::pipeline::TestPipeline;

use crate::support::{Home, options};

fn open(path: &std::path::Path, options: OpenOptions) -> Result<SqliteStore, StoreError> {
    SqliteStore::open(path, agent(), options, TestPipeline::plain())
}

fn refusal(path: &std::path::Path, options: OpenOptions) -> StoreError {
    open(path, options).expect_err("this is refused")
}

#[tokio::test]
async fn what_is_no_store_is_refused_and_left_alone() {
    let home = Home::new();
    let directory = home.directory.path();
    assert_eq!(refusal(directory, options()).kind(), ErrorKind::Corrupt);
    let text = directory.join("notes.txt");
    std::fs::write(
        &text,
        "these are notes, and no database at all; they are long enough to look at".repeat(20),
    )
    .unwrap();
    assert_eq!(refusal(&text, options()).kind(), ErrorKind::Corrupt);
    assert_eq!(refusal(&text, OpenOptions::read_only()).kind(), ErrorKind::Corrupt);
    let foreign = directory.join("foreign.sqlite");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE t(a)").unwrap();
    let error = refusal(&foreign, options());
    assert_eq!(error.kind(), ErrorKind::Corrupt);
    assert!(error.to_string().contains("another program"), "{error}");
    let tables: i64 = rusqlite::Connection::open(&foreign)
        .unwrap()
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .unwrap();
    assert_eq!(tables, 1, "nothing was added");
}

#[tokio::test]
async fn what_is_not_there_is_made_only_when_asked() {
    let home = Home::new();
    let there = OpenOptions { mode: OpenMode::ReadWrite { create: false }, ..options() };
    assert_eq!(refusal(&home.path(), there).kind(), ErrorKind::NotFound);
    assert_eq!(refusal(&home.path(), OpenOptions::read_only()).kind(), ErrorKind::NotFound);
    assert!(!home.path().exists());
    let store = home.store();
    assert!(!store.status().await.unwrap().read_only);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&home.path()), 0o600);
        assert_eq!(mode(home.path().parent().unwrap()), 0o700);
        store.append(append("a", &[user("m1", "one")])).await.unwrap();
        for suffix in ["-wal", "-shm"] {
            let beside = home.path().with_file_name(format!("sessions.sqlite{suffix}"));
            assert_eq!(mode(&beside), 0o600, "{suffix}");
        }
    }
}

#[tokio::test]
async fn a_newer_schema_is_refused_with_what_to_do() {
    let home = Home::new();
    home.store().close().await.unwrap();
    rusqlite::Connection::open(home.path()).unwrap().pragma_update(None, "user_version", 99).unwrap();
    for options in [options(), OpenOptions::read_only()] {
        let error = refusal(&home.path(), options);
        assert_eq!(error.kind(), ErrorKind::SchemaTooNew);
        assert!(error.to_string().contains("update"), "{error}");
    }
}

#[tokio::test]
async fn a_store_that_is_locked_is_busy_for_writers_only() {
    let home = Home::new();
    home.store().append(append("a", &[user("m1", "one")])).await.unwrap();
    let holder = rusqlite::Connection::open(home.path()).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let store =
        open(&home.path(), OpenOptions { busy_wait: Duration::from_millis(20), ..options() }).unwrap();
    assert!(store.exists(&key("a")).await.unwrap(), "readers do not wait");
    let error = store.append(append("a", &[user("m2", "two")])).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy);
    holder.execute_batch("COMMIT").unwrap();
    store.append(append("a", &[user("m2", "two")])).await.unwrap();
}

#[tokio::test]
async fn read_only_reads_and_refuses_to_write() {
    let home = Home::new();
    let writer = home.store();
    writer.append(append("a", &[user("m1", "walrus")])).await.unwrap();
    let reader = open(&home.path(), OpenOptions::read_only()).unwrap();
    assert!(reader.status().await.unwrap().read_only);
    let count = |store: &SqliteStore| {
        let query = plan("walrus").query;
        let statistics = store.statistics(&Visible::Everything, &query);
        futures::executor::block_on(statistics).unwrap().frequencies[0]
    };
    assert_eq!(count(&reader), 1);
    writer.append(append("a", &[user("m2", "walrus")])).await.unwrap();
    assert_eq!(count(&reader), 2, "it sees what others write");
    let error = reader.append(append("a", &[user("m3", "no")])).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ReadOnly);
    assert_eq!(reader.reconcile_step(10).await.unwrap_err().kind(), ErrorKind::ReadOnly);
}

/// Root may write anywhere, so that there is no such place for it.
#[cfg(unix)]
#[tokio::test]
async fn a_read_only_place_opens_read_only_and_says_so() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let store = home.store();
    store.append(append("a", &[user("m1", "walrus")])).await.unwrap();
    store.close().await.unwrap();
    let directory = home.path().parent().unwrap().to_owned();
    let set = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    set(&home.path(), 0o400);
    set(&directory, 0o500);
    if rustix::fs::access(&directory, rustix::fs::Access::WRITE_OK).is_ok() {
        println!("skipped: this user may write anywhere");
    } else {
        let store = home.store();
        assert!(store.status().await.unwrap().read_only);
        assert!(store.exists(&key("a")).await.unwrap());
        let error = store.append(append("a", &[user("m2", "no")])).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ReadOnly);
        store.close().await.unwrap();
    }
    set(&directory, 0o700);
    set(&home.path(), 0o600);
}

#[tokio::test]
async fn opening_takes_no_write_lock_and_starts_no_thread() {
    let home = Home::new();
    home.store().close().await.unwrap();
    let holder = rusqlite::Connection::open(home.path()).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let stores: Vec<_> = (0..50).map(|_| home.store()).collect();
    holder.execute_batch("COMMIT").unwrap();
    for store in &stores {
        assert_eq!(store.status().await.unwrap().sessions, 0);
    }
}

#[tokio::test]
async fn a_closed_store_is_one_file() {
    let home = Home::new();
    for round in 0..40 {
        let store = home.store();
        store.append(append("k", &[user(&format!("m{round}"), "walrus")])).await.unwrap();
        // Each of the reads that run at once has a connection of its own.
        let (walrus, seal, list) = (plan("walrus"), plan("seal"), Visible::Everything);
        let (a, b, c) =
            tokio::join!(store.search(&list, &walrus), store.search(&list, &seal), store.list(&list));
        assert_eq!((a.unwrap().hits.len(), b.unwrap().hits.len(), c.unwrap().len()), (round + 1, 0, 1));
        store.close().await.unwrap();
        for suffix in ["-wal", "-shm"] {
            let beside = format!("{}{suffix}", home.path().display());
            assert!(!std::path::Path::new(&beside).exists(), "{suffix} is left in round {round}");
        }
    }
}
