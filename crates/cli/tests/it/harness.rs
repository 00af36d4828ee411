//! Runs the program in a home of its own: nothing of this machine's settings reaches it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A home, and the directory of a person who has nothing else.
pub(crate) struct Home {
    root: TempDir,
}

/// What a run of the program gave.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Home {
    pub(crate) fn new() -> Home {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("person")).unwrap();
        Home { root }
    }

    /// The home of the stores; does not exist at first.
    pub(crate) fn path(&self) -> PathBuf {
        self.root.path().join("home")
    }

    /// The directory of the person who runs the program.
    pub(crate) fn person(&self) -> PathBuf {
        self.root.path().join("person")
    }

    /// A file beside the home.
    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.root.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The database of an agent.
    pub(crate) fn database(&self, agent: &str) -> PathBuf {
        self.path().join("agents").join(agent).join("sessions.sqlite")
    }

    /// The program, not started yet.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.command_of(env!("CARGO_BIN_EXE_sessions").as_ref(), arguments)
    }

    /// A copy of the program, not started yet.
    pub(crate) fn command_of(&self, program: &std::path::Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.env_clear().args(arguments).current_dir(self.root.path());
        command.env("SESSIONS_HOME", self.path()).env("HOME", self.person());
        command.env("TZ", "UTC").env("COLUMNS", "80").env("NO_COLOR", "1");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::from(self.command(arguments).output().unwrap())
    }

    /// Runs it with standard input.
    pub(crate) fn feed(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
        feed(self.command(arguments), input.as_ref())
    }

    /// Runs it with `--json` and reads the one document that it must print. It must end well.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let run = self.run(&[&["--json"], arguments].concat());
        assert_eq!(run.status, 0, "{arguments:?}: {}{}", run.out, run.err);
        run.document()
    }

    /// Appends messages to a session, in transcript `s1` where no flag says otherwise; their ids are `m1`, `m2`, …, their times a minute apart from 2026-01-02 03:00.
    pub(crate) fn talk(&self, key: &str, messages: &[(&str, &str)], flags: &[&str]) {
        let lines: String =
            messages.iter().enumerate().map(|(at, (role, text))| message(at + 1, role, text)).collect();
        let transcript: &[&str] = if flags.contains(&"--session-id") { &[] } else { &["--session-id", "s1"] };
        let run = self.feed(&[&["append", key], transcript, flags].concat(), lines);
        assert_eq!((run.status, run.out.lines().count()), (0, messages.len()), "{}", run.err);
    }

    /// The texts of a search's hits, and nothing else of the answer.
    pub(crate) fn hits(&self, arguments: &[&str]) -> Vec<String> {
        let answer = self.json(&[&["search"], arguments].concat());
        let results = answer["results"].as_array().unwrap();
        results.iter().map(|hit| hit["snippet"].as_str().unwrap().to_owned()).collect()
    }
}

/// A native event on a line.
pub(crate) fn message(number: usize, role: &str, text: &str) -> String {
    let minute = number % 60;
    let time = format!("2026-01-02T03:{minute:02}:00Z");
    let event = json!({"type": "message", "id": format!("m{number}"), "timestamp": time,
        "message": {"role": role, "content": text}});
    format!("{event}\n")
}

/// Starts a command, writes its input from another thread, and waits for its end.
pub(crate) fn feed(mut command: Command, input: &[u8]) -> Run {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // The program may end before it has read all: that is no failure here.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().unwrap()
    });
    Run::from(output)
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
        Run { status: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Run {
    /// Standard output as one JSON document.
    #[track_caller]
    pub(crate) fn document(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "one line: {}", self.out);
        serde_json::from_str(&self.out).unwrap()
    }

    /// Both streams and the status, for snapshots.
    pub(crate) fn shown(&self) -> String {
        format!("{}--- status {}\n{}", self.out, self.status, self.err)
    }
}
