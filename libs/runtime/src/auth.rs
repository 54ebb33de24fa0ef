//! Who is calling, and what they may do. Users carry an access token signed by identity, services one that they sign
//! themselves; identity vouches for the public keys of both in the bucket `keys`. What a user may do is not read from the
//! token but from the bucket `policies`, which identity fills, so that a change holds at once. In both, readers believe
//! what identity has signed and nothing else.

mod caller;
mod client;
pub(crate) mod entry;
mod guard;
mod idempotency_key;
mod key_sets;
mod keys;
mod policies;
mod rights;
mod secrets;
mod signer;
mod token;

pub use caller::{Caller, Grant, Scope};
pub use client::Client;
pub(crate) use client::{CLIENT_ADDRESS, CLIENT_AGENT, CLIENT_DEVICE, Inside, VOUCHED_BY};
pub use guard::{Verifier, guard};
pub(crate) use guard::{may_call, with_rights};
pub use idempotency_key::IdempotencyKey;
pub(crate) use idempotency_key::{IDEMPOTENCY_DIGEST, IDEMPOTENCY_KEY, is_idempotency_key};
pub use key_sets::KeySets;
pub use keys::{KeyRing, PublicKey};
pub use policies::Policies;
pub use rights::Rights;
pub use secrets::ServiceSecrets;
pub use signer::Signer;
pub use token::ServiceKey;

/// The service whose keys may sign tokens of users.
pub const IDENTITY: &str = "identity";
