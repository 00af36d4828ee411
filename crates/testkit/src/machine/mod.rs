//! The state machine: random operations on a store and on the model, compared after each; and the law that what is
//! invisible does not show.

mod check;
mod invisible;
mod ops;
mod run;

pub use invisible::invisible;
pub use ops::{Ask, Op, Page};
pub use run::run;

use proptest::test_runner::{Config, RngSeed};

/// So many cases, the same at each run, unless `PROPTEST_RNG_SEED` names another seed.
fn config(cases: u32) -> Config {
    let default = Config::default();
    let rng_seed = match default.rng_seed {
        RngSeed::Random => RngSeed::Fixed(0x5e55_1045),
        fixed @ RngSeed::Fixed(_) => fixed,
    };
    Config { cases, rng_seed, failure_persistence: None, max_shrink_iters: 3_000, ..default }
}

/// A runtime for one test; stores bring their own threads.
fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}
