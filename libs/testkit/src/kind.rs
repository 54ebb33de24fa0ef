//! The two databases that everything which stores something is tested on.

use std::{panic::resume_unwind, thread};

/// Room on the stack of a test. Built without optimisation, one that makes a dozen devices needs more than the usual two MiB.
const STACK: usize = 8 << 20;

/// A kind of database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One file per service.
    Sqlite,
    /// One schema per service.
    Postgres,
}

/// Makes two tests, `name::sqlite` and `name::postgres`, of each function. It takes a `Kind`, or a `World` that was
/// started for it, and returns what a test may return. Worlds are started by `World::start`, or by another function of a
/// `Kind`: `both_databases! { starting crate::support::world; … }`.
#[macro_export]
macro_rules! both_databases {
    () => {};
    (
        $(#[$meta:meta])*
        async fn $name:ident($kind:ident: Kind) $(-> $output:ty)? $body:block
        $($rest:tt)*
    ) => {
        $(#[$meta])*
        mod $name {
            use super::*;

            async fn body($kind: $crate::Kind) $(-> $output)? $body

            #[::core::prelude::v1::test]
            fn sqlite() $(-> $output)? {
                $crate::run_body(|| body($crate::Kind::Sqlite))
            }

            #[::core::prelude::v1::test]
            fn postgres() $(-> $output)? {
                $crate::run_body(|| body($crate::Kind::Postgres))
            }
        }
        $crate::both_databases! { $($rest)* }
    };
    (starting $start:path;) => {};
    (
        starting $start:path;
        $(#[$meta:meta])*
        async fn $name:ident($world:ident: World) $(-> $output:ty)? $body:block
        $($rest:tt)*
    ) => {
        $(#[$meta])*
        mod $name {
            use super::*;

            async fn body($world: $crate::World) $(-> $output)? $body

            #[::core::prelude::v1::test]
            fn sqlite() $(-> $output)? {
                $crate::run_body(|| async { Box::pin(body($start($crate::Kind::Sqlite).await)).await })
            }

            #[::core::prelude::v1::test]
            fn postgres() $(-> $output)? {
                $crate::run_body(|| async { Box::pin(body($start($crate::Kind::Postgres).await)).await })
            }
        }
        $crate::both_databases! { starting $start; $($rest)* }
    };
    (
        $(#[$meta:meta])*
        async fn $name:ident($world:ident: World) $(-> $output:ty)? $body:block
        $($rest:tt)*
    ) => {
        $crate::both_databases! {
            starting $crate::World::start;
            $(#[$meta])*
            async fn $name($world: World) $(-> $output)? $body
        }
        $crate::both_databases! { $($rest)* }
    };
}

/// Runs the body of a test that [`both_databases`] makes, on a thread with room for it and a runtime of its own.
///
/// # Panics
/// As the body does.
pub fn run_body<F: Future>(body: impl FnOnce() -> F + Send) -> F::Output
where
    F::Output: Send,
{
    let name = thread::current().name().unwrap_or_default().to_owned();
    let run = || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
        runtime.block_on(body())
    };
    thread::scope(|scope| {
        let running = thread::Builder::new().name(name).stack_size(STACK).spawn_scoped(scope, run);
        running.expect("a thread").join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}
