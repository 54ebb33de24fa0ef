//! The two databases that everything which stores something is tested on.

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

            #[::tokio::test(flavor = "multi_thread")]
            async fn sqlite() $(-> $output)? {
                Box::pin(body($crate::Kind::Sqlite)).await
            }

            #[::tokio::test(flavor = "multi_thread")]
            async fn postgres() $(-> $output)? {
                Box::pin(body($crate::Kind::Postgres)).await
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

            #[::tokio::test(flavor = "multi_thread")]
            async fn sqlite() $(-> $output)? {
                Box::pin(body($start($crate::Kind::Sqlite).await)).await
            }

            #[::tokio::test(flavor = "multi_thread")]
            async fn postgres() $(-> $output)? {
                Box::pin(body($start($crate::Kind::Postgres).await)).await
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
