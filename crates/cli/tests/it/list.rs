//! Listing sessions.

use crate::harness::Home;

#[test]
fn sessions_as_people_read_them() {
    let home = Home::new();
    insta::assert_snapshot!("list-empty", home.run(&["list"]).shown());
    home.talk(
        "agent:main:main",
        &[("user", "one"), ("assistant", "two")],
        &[
            "--title",
            "A title that is far longer than the columns that are left for it, and 重試策略 as well",
        ],
    );
    home.talk("agent:main:child", &[("user", "one")], &["--spawned-by", "agent:main:main"]);
    home.talk("notes", &[("user", "one")], &["--agent", "ops"]);
    insta::assert_snapshot!("list", home.run(&["list"]).shown());
    let seen = home.json(&["list", "--as", "agent:main:child"]);
    assert_eq!(seen["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(home.json(&["list", "--agent", "ops"])["sessions"][0]["sessionKey"], "notes");
}
