//! The tools, spoken to as a host does: JSON-RPC, one message a line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::harness::Home;

/// A server in use.
struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    last: u64,
}

impl Server {
    fn start(home: &Home, flags: &[&str]) -> Server {
        let mut child = home.command(&[&["mcp"], flags].concat()).stdin(Stdio::piped()).spawn().unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let mut server = Server { child, stdin, stdout, last: 0 };
        let client = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let started = server.request("initialize", client);
        assert_eq!(started["result"]["serverInfo"]["name"], "session-search");
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        server
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool: whether it failed, and its answer, which must stand in the text as well.
    #[track_caller]
    fn call(&mut self, tool: &str, arguments: Value) -> (bool, Value) {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let structured = result["structuredContent"].clone();
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), structured);
        (result["isError"].as_bool().unwrap(), structured)
    }

    #[track_caller]
    fn ok(&mut self, tool: &str, arguments: Value) -> Value {
        let (failed, answer) = self.call(tool, arguments);
        assert!(!failed, "{answer}");
        answer
    }

    #[track_caller]
    fn refused(&mut self, tool: &str, arguments: Value) -> (String, String) {
        let (failed, answer) = self.call(tool, arguments);
        assert!(failed, "{answer}");
        let fields: Vec<_> = answer.as_object().unwrap().keys().cloned().collect();
        assert_eq!(fields, ["error", "status"]);
        (answer["status"].as_str().unwrap().to_owned(), answer["error"].as_str().unwrap().to_owned())
    }

    /// Ends it as hosts do, by closing its input; what it said on standard error.
    fn end(mut self) -> String {
        drop(self.stdin.take());
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.stdout, &mut rest).unwrap();
        assert_eq!(rest, "");
        let output = self.child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stderr).unwrap()
    }
}

const MAIN: &str = "agent:main:main";

fn home() -> Home {
    let home = Home::new();
    home.talk(
        MAIN,
        &[("user", "which retry policy?"), ("assistant", "exponential backoff"), ("user", "thanks")],
        &[],
    );
    home.talk("agent:main:child", &[("assistant", "the lighthouse report")], &["--spawned-by", MAIN]);
    home.talk("agent:main:other", &[("user", "marmalade")], &[]);
    home
}

#[test]
fn the_tools_as_hosts_see_them() {
    let home = home();
    let mut server = Server::start(&home, &["--as", MAIN]);
    let listed = server.request("tools/list", json!({}));
    insta::assert_snapshot!("tools", serde_json::to_string_pretty(&listed["result"]).unwrap());
    for tool in listed["result"]["tools"].as_array().unwrap() {
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert_eq!(tool["outputSchema"]["type"], "object");
    }
    server.end();
}

#[test]
fn a_hit_is_found_and_reopened() {
    let home = home();
    let mut server = Server::start(&home, &["--as", MAIN]);
    let found = server
        .ok("sessions_search", json!({"query": "\"exponential backoff\"", "limit": 5, "role": "assistant"}));
    let hit = &found["results"][0];
    assert_eq!(
        (hit["messageId"].as_str(), hit["snippet"].as_str()),
        (Some("m2"), Some("exponential backoff"))
    );
    let page = server.ok(
        "sessions_history",
        json!({"sessionKey": hit["sessionKey"], "sessionId": hit["sessionId"],
        "messageId": hit["messageId"], "limit": 3}),
    );
    let ids: Vec<_> = page["messages"].as_array().unwrap().iter().map(|m| m["messageId"].clone()).collect();
    assert_eq!(ids, ["m1", "m2", "m3"]);
    let child = server.ok("sessions_search", json!({"query": "lighthouse"}));
    assert_eq!(child["results"][0]["sessionKey"], "agent:main:child");
    let listed = server.ok("sessions_list", json!({}));
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 2);
    assert_eq!(server.end(), "");
}

#[test]
fn what_a_model_can_mend_is_a_result() {
    let home = home();
    let mut server = Server::start(&home, &["--as", MAIN]);
    for (arguments, says) in [
        (json!({"query": ""}), "word"),
        (json!({"query": "..."}), "word"),
        (json!({"query": "-retry"}), "word"),
        (json!({"query": "retry", "limit": 0}), "1 to 25"),
        (json!({"query": "retry", "limit": 26}), "1 to 25"),
        (json!({"query": "retry", "limit": "many"}), "limit"),
        (json!({"query": 7}), "query"),
        (json!({}), "query"),
        (json!({"query": "retry", "sesionKey": MAIN}), "sesionKey"),
        (json!({"query": "retry", "role": "tool"}), "role"),
        (json!({"query": "retry", "since": "yesterday"}), "since"),
        (json!({"query": "x".repeat(4_097)}), "4096"),
    ] {
        let (status, error) = server.refused("sessions_search", arguments.clone());
        assert_eq!(status, "error");
        assert!(error.contains(says), "{arguments}: {error}");
    }
    let forbidden = server.refused("sessions_history", json!({"sessionKey": "agent:main:other"}));
    assert_eq!(forbidden.0, "forbidden");
    assert_eq!(server.refused("sessions_history", json!({"sessionKey": "agent:main:ghost"})), forbidden);
    assert_eq!(
        server.refused("sessions_search", json!({"query": "x", "sessionKey": "agent:main:other"})),
        forbidden
    );
    // Who the caller is comes from the host, never from a request.
    for field in ["caller", "as", "visibility", "showSecrets", "operator"] {
        let (_, error) = server.refused("sessions_search", json!({"query": "marmalade", field: "all"}));
        assert!(error.contains(field), "{error}");
    }
    server.end();
}

#[test]
fn what_a_model_cannot_mend_is_a_fault_of_the_protocol() {
    let home = home();
    let mut server = Server::start(&home, &["--operator"]);
    let unknown = server.request("tools/call", json!({"name": "sessions_delete", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    let method = server.request("resources/read", json!({"uri": "x:y"}));
    assert_eq!(method["error"]["code"], -32601, "{method}");
    // And it still answers.
    assert_eq!(
        server.ok("sessions_search", json!({"query": "marmalade"}))["results"].as_array().unwrap().len(),
        1
    );
    server.end();
}

#[test]
fn a_store_that_is_damaged_is_said_without_its_text() {
    let home = home();
    let mut server = Server::start(&home, &["--operator"]);
    std::fs::create_dir_all(home.database("broken").parent().unwrap()).unwrap();
    std::fs::write(home.database("broken"), "marmalade is no database ".repeat(200)).unwrap();
    let answer =
        server.request("tools/call", json!({"name": "sessions_search", "arguments": {"query": "retry"}}));
    assert!(!answer.to_string().contains("is no database marmalade"), "{answer}");
    server.end();
}

#[test]
fn hidden_characters_do_not_leave() {
    let home = Home::new();
    home.talk(
        MAIN,
        &[("user", "plum\u{202e}\u{1b}[31m \u{e0041}\u{e0042} tart")],
        &["--title", "a\u{202e}b"],
    );
    let mut server = Server::start(&home, &["--operator"]);
    for (tool, arguments) in [
        ("sessions_search", json!({"query": "plum"})),
        ("sessions_history", json!({"sessionKey": MAIN})),
        ("sessions_list", json!({})),
    ] {
        let answer = server.ok(tool, arguments).to_string();
        assert!(!answer.contains(['\u{202e}', '\u{1b}', '\u{e0041}', '\u{e0042}']), "{answer}");
        assert!(!answer.contains("\\u001b"), "{answer}");
    }
    server.end();
}

#[test]
fn many_servers_share_a_home_with_a_writer() {
    let home = home();
    let mut servers: Vec<_> = (0..4).map(|_| Server::start(&home, &["--as", MAIN])).collect();
    for round in 10..14 {
        let line = crate::harness::message(round, "user", &format!("shared home round{round}"));
        assert_eq!(home.feed(&["append", MAIN], line).status, 0);
        for server in &mut servers {
            let found = server.ok("sessions_search", json!({"query": format!("round{round}")}));
            assert_eq!(found["results"].as_array().unwrap().len(), 1);
        }
    }
    servers.into_iter().for_each(|server| assert_eq!(server.end(), ""));
}

#[test]
fn secrets_cannot_be_asked_for() {
    let home = home();
    let run = home.run(&["mcp", "--operator", "--show-secrets"]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("--show-secrets"), "{}", run.err);
    let run = home.run(&["mcp", "--as", "agent:Bad Agent:main"]);
    assert_eq!(run.status, 1, "{}", run.err);
}
