//! What each service needs of the deployment around it, said once: its schema, whom it calls, what it may do in NATS, its
//! settings and secrets, its ports. `services/<name>/src/declaration.rs` says it; this crate has nothing beneath it, so that
//! whatever needs to know of services reads it from here, without their code.
//!
//! [`files`] makes the files of a deployment and the tables of documents of it (`make gen`). The managed NATS server, the
//! configuration, backups, `armada run` and the tests read it when they run.

#![warn(missing_docs)]

mod declaration;
pub mod files;
pub mod nats;
mod variables;

pub use declaration::{Acts, Declaration, InContainers, Kind, Scales, Setting, Shared, Told};

/// Every service: its name among others, its section of the configuration, its crate, and its declaration. Each one calls only
/// those before it. **A new service is a line here.** The edge stands apart: it stores nothing, and calls all.
#[macro_export]
macro_rules! each_service {
    ($then:ident) => {
        $then! {
            [
                (Identity, identity, armada_identity, "../../../services/identity/src/declaration.rs")
                (Fleet, fleet, armada_fleet, "../../../services/fleet/src/declaration.rs")
                (Notification, notification, armada_notification, "../../../services/notification/src/declaration.rs")
                (PositionIngest, position_ingest, armada_position_ingest, "../../../services/position-ingest/src/declaration.rs")
            ]
            (Bff, bff, armada_bff, "../../../services/bff/src/declaration.rs")
        }
    };
}

macro_rules! declared {
    ([$(($role:ident, $section:ident, $service:ident, $file:literal))*] ($edge_role:ident, $edge:ident, $edge_crate:ident, $edge_file:literal)) => {
        $(
            #[path = $file]
            mod $section;
        )*
        #[path = $edge_file]
        mod $edge;

        /// All services, each after those that it calls.
        pub const SERVICES: &[&Declaration] = &[$(&$section::DECLARATION,)* &$edge::DECLARATION];
    };
}
each_service!(declared);

/// The service that vouches for the keys of all.
pub const IDENTITY: &str = "identity";

/// The declaration of a service.
pub fn of(name: &str) -> Option<&'static Declaration> {
    SERVICES.iter().copied().find(|service| service.name == name)
}

/// The services that store, each before those to whom it hands something on: what a service hands on it keeps until it has
/// arrived, so what is on its way is found in one of two copies that are made in this order, or in both.
pub fn in_order_of_handing_on() -> Vec<&'static Declaration> {
    let mut left: Vec<&Declaration> = SERVICES.iter().copied().filter(|service| service.stores).collect();
    let mut ordered = Vec::new();
    while !left.is_empty() {
        let is_free = |of: &&Declaration| !left.iter().any(|other| other.name != of.name && other.hands_on_to(of));
        let next = left.iter().rposition(is_free).unwrap_or_default();
        ordered.push(left.remove(next));
    }
    ordered
}
