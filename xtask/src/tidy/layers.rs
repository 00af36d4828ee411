//! The layers: which package may use which, read from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// What a package of this workspace may use of the others, and what may stand nowhere beneath it.
struct Layer {
    package: &'static str,
    /// Local packages it may name as ordinary dependencies.
    may_use: &'static [&'static str],
    /// Packages that must not be reachable from it, however far down.
    never: &'static [&'static str],
    /// Packages that it must not name itself (they may stand beneath a package it uses).
    never_directly: &'static [&'static str],
}

const CLOCKS: [&str; 4] = ["jiff", "chrono", "time", "humantime"];

const LAYERS: &[Layer] = &[
    Layer {
        package: "session-search-core",
        may_use: &[],
        never: &[
            "tokio",
            "async-std",
            "smol",
            "rusqlite",
            "libsqlite3-sys",
            "jiff",
            "chrono",
            "time",
            "humantime",
            "tracing",
        ],
        never_directly: &["regex"],
    },
    Layer {
        package: "session-search-redact",
        may_use: &[],
        never: &["tokio", "rusqlite", "jiff", "chrono", "tracing"],
        never_directly: &[],
    },
    Layer {
        package: "session-search-storage",
        may_use: &["session-search-core"],
        never: &["session-search-redact", "rmcp", "clap"],
        never_directly: &CLOCKS,
    },
    Layer {
        package: "session-search-reconcile",
        may_use: &["session-search-core"],
        never: &["rusqlite", "libsqlite3-sys", "session-search-redact"],
        never_directly: &CLOCKS,
    },
    Layer {
        package: "session-search-import",
        may_use: &["session-search-core"],
        never: &["session-search-storage", "session-search-redact", "tokio"],
        never_directly: &[],
    },
    Layer {
        package: "session-search-api",
        may_use: &[
            "session-search-core",
            "session-search-storage",
            "session-search-redact",
            "session-search-reconcile",
        ],
        never: &["session-search-import", "rmcp", "clap"],
        never_directly: &["rusqlite"],
    },
    Layer {
        package: "session-search-mcp",
        may_use: &["session-search-api"],
        never: &["session-search-import", "clap"],
        never_directly: &["rusqlite"],
    },
    Layer {
        package: "session-search-cli",
        may_use: &[
            "session-search-api",
            "session-search-import",
            "session-search-mcp",
            "session-search-redact",
        ],
        never: &[],
        never_directly: &["rusqlite", "rmcp"],
    },
    Layer {
        package: "session-search-testkit",
        may_use: &["session-search-core"],
        never: &["rusqlite"],
        never_directly: &[],
    },
];

/// Packages outside the product, which may use anything: automation and measurements.
const OUTSIDE: [&str; 2] = ["xtask", "session-search-bench"];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_members: Vec<String>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    kind: Option<String>,
}

/// Packages by name, with the ordinary dependencies of each (not those of tests and build scripts).
pub(super) struct Graph {
    members: BTreeSet<String>,
    uses: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    /// Reads what `cargo metadata --format-version 1` prints.
    pub(super) fn from_metadata(json: &str) -> Result<Graph, serde_json::Error> {
        let metadata: Metadata = serde_json::from_str(json)?;
        let names: BTreeMap<&str, &str> =
            metadata.packages.iter().map(|p| (p.id.as_str(), p.name.as_str())).collect();
        let name = |id: &str| names.get(id).copied().unwrap_or(id).to_owned();
        let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for node in &metadata.resolve.nodes {
            let ordinary = node.deps.iter().filter(|d| d.dep_kinds.iter().any(|k| k.kind.is_none()));
            uses.entry(name(&node.id)).or_default().extend(ordinary.map(|d| name(&d.pkg)));
        }
        Ok(Graph { members: metadata.workspace_members.iter().map(|id| name(id)).collect(), uses })
    }

    /// How many packages the workspace has.
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// Every dependency that breaks a layer, a sentence each.
    pub(super) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for member in &self.members {
            if OUTSIDE.contains(&member.as_str()) {
                continue;
            }
            match LAYERS.iter().find(|layer| layer.package == member) {
                Some(layer) => self.check(layer, &mut faults),
                None => faults.push(format!("{member} has no layer: add it to xtask/src/tidy/layers.rs")),
            }
        }
        faults
    }

    fn check(&self, layer: &Layer, faults: &mut Vec<String>) {
        let none = BTreeSet::new();
        for used in self.uses.get(layer.package).unwrap_or(&none) {
            if self.members.contains(used) && !layer.may_use.contains(&used.as_str()) {
                faults.push(format!("{} uses {used}, which is not below it", layer.package));
            }
            if layer.never_directly.contains(&used.as_str()) {
                faults.push(format!("{} names {used}, which its layer does without", layer.package));
            }
        }
        let reached = self.reached(layer.package);
        for never in layer.never {
            if reached.contains(*never) {
                faults.push(format!("{} reaches {never}, which must not stand beneath it", layer.package));
            }
        }
    }

    fn reached(&self, from: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(package) = open.pop() {
            for used in self.uses.get(package).into_iter().flatten() {
                if reached.insert(used.as_str()) {
                    open.push(used);
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(&str, &[&str])]) -> Graph {
        let own = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<BTreeSet<_>>();
        Graph {
            members: edges
                .iter()
                .map(|(name, _)| (*name).to_owned())
                .filter(|n| n.starts_with("session-"))
                .collect(),
            uses: edges.iter().map(|(name, uses)| ((*name).to_owned(), own(uses))).collect(),
        }
    }

    #[test]
    fn layers_as_they_should_be() {
        let sound = graph(&[
            ("session-search-core", &["serde"]),
            ("session-search-storage", &["session-search-core", "rusqlite"]),
            ("session-search-api", &["session-search-storage", "session-search-core"]),
            ("rusqlite", &["libsqlite3-sys"]),
        ]);
        assert_eq!(sound.faults(), Vec::<String>::new());
    }

    #[test]
    fn an_import_from_above_is_a_fault() {
        let broken =
            graph(&[("session-search-core", &["session-search-storage"]), ("session-search-storage", &[])]);
        assert_eq!(
            broken.faults(),
            ["session-search-core uses session-search-storage, which is not below it"]
        );
    }

    #[test]
    fn what_stands_far_beneath_counts_too() {
        let broken =
            graph(&[("session-search-core", &["innocent"]), ("innocent", &["deep"]), ("deep", &["tokio"])]);
        assert_eq!(broken.faults(), ["session-search-core reaches tokio, which must not stand beneath it"]);
    }

    #[test]
    fn sql_above_the_store_is_a_fault() {
        let broken = graph(&[("session-search-api", &["rusqlite"])]);
        assert_eq!(broken.faults(), ["session-search-api names rusqlite, which its layer does without"]);
    }

    #[test]
    fn a_new_package_needs_a_layer() {
        assert_eq!(graph(&[("session-search-new", &[])]).faults().len(), 1);
    }

    #[test]
    fn test_dependencies_do_not_count() {
        let json = r#"{"packages":[{"id":"a","name":"session-search-core"},{"id":"b","name":"tokio"}],
            "workspace_members":["a"],
            "resolve":{"nodes":[{"id":"a","deps":[{"pkg":"b","dep_kinds":[{"kind":"dev"}]}]},{"id":"b","deps":[]}]}}"#;
        assert_eq!(Graph::from_metadata(json).unwrap().faults(), Vec::<String>::new());
        let ordinary = json.replace("\"dev\"", "null");
        assert_eq!(Graph::from_metadata(&ordinary).unwrap().faults().len(), 1);
    }
}
