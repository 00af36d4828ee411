//! The rows of the table: each request on both sides.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use session_search_api::SearchRequest;
use session_search_api::core::store::{Append, Order, SessionSpec};
use session_search_api::core::{Event, SessionId, SessionKey, TranscriptStore};

use crate::Plan;
use crate::corpus::{Frequencies, Message, key};
use crate::measure::{Row, mean, medians, quantile, time};
use crate::ours::Ours;
use crate::stock::{Ask, Plain, Stock};

type Outcome = Result<(), Box<dyn Error>>;

/// Sessions that the narrow caller sees.
const SEEN: usize = 100;

/// Fills both sides and measures everything but imports.
pub(crate) fn all(plan: &Plan, directory: &Path, messages: &[Message], rows: &mut Vec<Row>) -> Outcome {
    eprintln!("filling ours");
    let (ours_time, ours) = time(|| Ours::build(&directory.join("home"), messages, SEEN));
    let ours = ours?;
    eprintln!("filling stock FTS5");
    let (stock_time, stock) = time(|| Stock::build(&directory.join("stock.sqlite"), messages));
    let mut stock = stock?;
    rows.push(Row::part(
        "fill the store",
        ours_time.as_secs_f64(),
        stock_time.as_secs_f64(),
        "stock FTS5, one transaction",
        "s",
        None,
    ));
    eprintln!("searching");
    let words = Words::pick(&Frequencies::count(messages), messages);
    searches(plan, &ours, &stock, &words, rows)?;
    eprintln!("appending");
    appends(plan, directory, &ours, rows)?;
    under_load(&ours, &words, rows)?;
    eprintln!("deleting");
    deletion(&ours, &mut stock, messages, rows)?;
    sizes(&ours, messages, rows)
}

/// Measures searches in stores that are kept in a directory, and fills them where they are not there.
pub(crate) fn kept(plan: &Plan, directory: &Path, rows: &mut Vec<Row>) -> Outcome {
    let (home, stock) = (directory.join("home"), directory.join("stock.sqlite"));
    let filled = directory.join(format!("{}-{}-{}.json", plan.messages, plan.sessions, plan.seed));
    if !filled.exists() {
        std::fs::create_dir_all(directory)?;
        let messages = crate::generate(plan);
        Ours::build(&home, &messages, SEEN)?;
        Stock::build(&stock, &messages)?;
        let words = Words::pick(&Frequencies::count(&messages), &messages);
        std::fs::write(&filled, serde_json::to_vec(&words)?)?;
    }
    let words = serde_json::from_slice(&std::fs::read(&filled)?)?;
    searches(plan, &Ours::open(&home)?, &Stock::open(&stock)?, &words, rows)
}

/// The words that are asked for.
#[derive(Serialize, Deserialize)]
struct Words {
    half: String,
    twentieth: [String; 2],
    rare: String,
    phrase: String,
    chinese: String,
}

impl Words {
    fn pick(frequencies: &Frequencies, messages: &[Message]) -> Words {
        let part = |share: f64, chinese| {
            #[expect(
                clippy::cast_precision_loss,
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a count"
            )]
            let target = (messages.len() as f64 * share) as usize;
            frequencies.nearest(target.max(1), chinese)
        };
        let (half, twentieth, rare) = (part(0.5, false), part(0.05, false), part(0.000_1, false));
        let common = [
            half[0],
            frequencies
                .nearest(messages.len() / 3, false)
                .into_iter()
                .find(|word| *word != half[0])
                .unwrap_or(half[0]),
        ];
        let words = Words {
            half: half[0].to_owned(),
            twentieth: [twentieth[0].to_owned(), twentieth[1].to_owned()],
            rare: rare[0].to_owned(),
            phrase: format!("\"{} {}\"", common[0], common[1]),
            chinese: part(0.001, true)[0].to_owned(),
        };
        let shares = [&words.half, &words.twentieth[0], &words.twentieth[1], &words.rare, &words.chinese];
        for word in shares {
            eprintln!("  {word}: {} of {} messages", frequencies.of(word), messages.len());
        }
        words
    }
}

fn searches(plan: &Plan, ours: &Ours, stock: &Stock, words: &Words, rows: &mut Vec<Row>) -> Outcome {
    let both = format!("{} {}", words.twentieth[0], words.twentieth[1]);
    let plain: [(&str, &str, f64); 5] = [
        ("a word in half of all messages", &words.half, 8.0),
        ("a word in 5 %", &words.twentieth[0], 6.0),
        ("a word in 0.01 %", &words.rare, 1.5),
        ("two words, each in 5 %", &both, 5.0),
        ("a phrase of two common words", &words.phrase, 2.0),
    ];
    for (name, query, at_least) in plain {
        let request = SearchRequest { strict: true, ..SearchRequest::new(query) };
        compare(plan, name, || ours.search(&request), stock, &Ask::Relevance(query), at_least, rows)?;
    }
    let recent = SearchRequest { order: Some(Order::Recent), ..SearchRequest::new(&words.half) };
    let name = "order: recent, a word in half of all messages";
    compare(plan, name, || ours.search(&recent), stock, &Ask::Recent(&words.half), 100.0, rows)?;
    let seen: Vec<String> = (0..SEEN).map(key).collect();
    let narrow = SearchRequest::new(&words.half);
    let name = "the caller sees 100 sessions, a word in half of all";
    compare(
        plan,
        name,
        || ours.search_in_tree(&narrow),
        stock,
        &Ask::Within(&words.half, &seen),
        30.0,
        rows,
    )?;
    let chinese = SearchRequest::new(&words.chinese);
    let name = "a two-character Chinese word (stock: LIKE)";
    compare(plan, name, || ours.search(&chinese), stock, &Ask::Like(&words.chinese), 50.0, rows)
}

fn compare(
    plan: &Plan,
    name: &str,
    ours: impl Fn() -> Result<usize, Box<dyn Error>>,
    stock: &Stock,
    ask: &Ask<'_>,
    at_least: f64,
    rows: &mut Vec<Row>,
) -> Outcome {
    if !name.contains(&plan.only) {
        return Ok(());
    }
    // A request that finds nothing on either side would measure nothing.
    let found = (ours()?, stock.search(ask, 10)?);
    if found.0 == 0 || found.1 == 0 {
        return Err(format!("{name}: {found:?} hits; choose another seed").into());
    }
    let mut failed = None;
    let times = medians(
        plan.turns,
        || {
            if let Err(error) = ours() {
                failed = Some(error.to_string());
            }
        },
        || drop(stock.search(ask, 10)),
    );
    match failed {
        Some(error) => Err(error.into()),
        None => {
            rows.push(Row::faster(name, times.0, times.1, Some(at_least)));
            Ok(())
        }
    }
}

fn appends(plan: &Plan, directory: &Path, ours: &Ours, rows: &mut Vec<Row>) -> Outcome {
    const COUNT: usize = 2_000;
    let fresh = crate::corpus::generate(plan.seed + 1, COUNT.max(2_000), 200);
    let plain = Plain::build(&directory.join("plain.sqlite"))?;
    let store = ours.second_store()?;
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for message in &fresh {
        let raw = message.event(None);
        let append = append_of(message, &raw)?;
        let (took, receipt) = time(|| ours.block_on(store.append(append)));
        receipt?;
        with.push(took);
        let (took, stored) = time(|| plain.append(message, &raw));
        stored?;
        without.push(took);
    }
    let mut row = |name: &str, ours: Duration, plain: Duration, most| {
        let (ours, plain) = (ours.as_secs_f64() * 1e3, plain.as_secs_f64() * 1e3);
        rows.push(Row::part(name, ours, plain, "the same transaction without an index", "ms", Some(most)));
    };
    row("append one durable message, mean", mean(&with), mean(&without), 1.5);
    row("append one durable message, median", quantile(&mut with, 0.5), quantile(&mut without, 0.5), 1.2);
    Ok(ours.block_on(store.close())?)
}

fn append_of(message: &Message, raw: &str) -> Result<Append, Box<dyn Error>> {
    let event = Event::parse(raw.replace("\"parentId\":null,", ""))?;
    Ok(Append {
        session: SessionSpec::native(SessionKey::new(format!("agent:main:append:{}", message.session))?),
        session_id: None,
        new_session_id: SessionId::new(format!("a{}", message.session))?,
        events: vec![event],
    })
}

/// The slowest hundredth of searches, alone and while another thread appends without pause.
fn under_load(ours: &Ours, words: &Words, rows: &mut Vec<Row>) -> Outcome {
    let request = SearchRequest { strict: true, ..SearchRequest::new(&words.twentieth[0]) };
    let sample = || -> Result<Duration, Box<dyn Error>> {
        let mut times = Vec::new();
        for _ in 0..200 {
            let (took, found) = time(|| ours.search(&request));
            found?;
            times.push(took);
        }
        Ok(quantile(&mut times, 0.99))
    };
    let idle = sample()?;
    let store = ours.second_store()?;
    let stop = AtomicBool::new(false);
    let busy = std::thread::scope(|scope| {
        scope.spawn(|| {
            let more = crate::corpus::generate(99, 20_000, 200);
            for message in more.iter().take_while(|_| !stop.load(Ordering::Relaxed)) {
                let raw = message.event(None).replace("\"id\":\"m", "\"id\":\"load");
                if let Ok(append) = append_of(message, &raw) {
                    drop(ours.block_on(store.append(append)));
                }
            }
        });
        let busy = sample();
        stop.store(true, Ordering::Relaxed);
        busy
    })?;
    let (ours_ms, idle_ms) = (busy.as_secs_f64() * 1e3, idle.as_secs_f64() * 1e3);
    rows.push(Row::part(
        "search, 99th percentile, beside a steady writer",
        ours_ms,
        idle_ms,
        "idle",
        "ms",
        Some(2.0),
    ));
    Ok(ours.block_on(store.close())?)
}

fn deletion(ours: &Ours, stock: &mut Stock, messages: &[Message], rows: &mut Vec<Row>) -> Outcome {
    // The two sessions nearest to a thousand messages.
    let mut sizes = std::collections::BTreeMap::<usize, usize>::new();
    for message in messages {
        *sizes.entry(message.session).or_default() += 1;
    }
    let mut sizes: Vec<(usize, usize)> = sizes.into_iter().filter(|(session, _)| *session > SEEN).collect();
    sizes.sort_by_key(|(_, count)| count.abs_diff(1_000));
    let [(alone, count), (beside, also), ..] = sizes.as_slice() else { return Ok(()) };
    let (took, deleted) = time(|| ours.delete(&key(*alone)));
    if deleted? != *count as u64 {
        return Err("the session was not deleted whole".into());
    }
    let (stock_took, deleted) = time(|| stock.delete_session(&key(*alone)));
    deleted?;
    rows.push(Row::faster(&format!("delete a session of {count} messages"), took, stock_took, Some(1.5)));
    let longest = longest_wait(ours, *beside, *also)?.as_secs_f64() * 1e3;
    let name = format!("the longest wait of a writer beside a deletion of {also}");
    rows.push(Row::part(&name, longest, 100.0, "100 ms", "ms", Some(1.0)));
    Ok(())
}

/// How long appends of another connection wait at most while a session is deleted.
fn longest_wait(ours: &Ours, session: usize, count: usize) -> Result<Duration, Box<dyn Error>> {
    let other = ours.second_store()?;
    let stop = AtomicBool::new(false);
    let longest = std::thread::scope(|scope| -> Result<_, Box<dyn Error>> {
        let waiting = scope.spawn(|| {
            let mut longest = Duration::ZERO;
            let more = crate::corpus::generate(3, 20_000, 200);
            for message in more.iter().cycle().take_while(|_| !stop.load(Ordering::Relaxed)) {
                let raw = message.event(None).replace("\"id\":\"m", "\"id\":\"wait");
                let start = Instant::now();
                if let Ok(append) = append_of(message, &raw) {
                    drop(ours.block_on(other.append(append)));
                }
                longest = longest.max(start.elapsed());
            }
            longest
        });
        let deleted = ours.delete(&key(session));
        stop.store(true, Ordering::Relaxed);
        let longest = waiting.join().map_err(|_| "the writer stopped")?;
        if deleted? != count as u64 {
            return Err("the session was not deleted whole".into());
        }
        Ok(longest)
    })?;
    ours.block_on(other.close())?;
    Ok(longest)
}

fn sizes(ours: &Ours, messages: &[Message], rows: &mut Vec<Row>) -> Outcome {
    let text: usize = messages.iter().map(|message| message.text.len()).sum();
    let connection =
        rusqlite::Connection::open_with_flags(ours.database(), rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let index: i64 = connection.query_row(
        "SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE name LIKE 'fts\\_%' ESCAPE '\\'",
        [],
        |row| row.get(0),
    )?;
    #[expect(clippy::cast_precision_loss, reason = "bytes of a test corpus")]
    rows.push(Row::part(
        "bytes of the index, generated corpus",
        index as f64,
        text as f64,
        "bytes of text",
        "bytes",
        None,
    ));
    Ok(())
}
