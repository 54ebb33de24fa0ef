//! Who is calling, and what they may do. Users carry an access token signed by identity, services one that they sign
//! themselves; the public keys of both are in the bucket `keys`. What a user may do is not read from the token but from
//! the bucket `policies`, which identity fills, so that a change holds at once. Only services can write the two.

mod caller;
mod client;
mod guard;
mod keys;
mod policies;
mod token;

pub use caller::{Caller, Grant, Scope};
pub use client::Client;
pub use guard::{Verifier, guard};
pub use keys::{KeyRing, PublicKey};
pub use policies::{Policies, Rights};
pub use token::{ServiceKey, Signer};

/// The service whose keys may sign tokens of users.
pub const IDENTITY: &str = "identity";
