//! Who calls, and how somebody comes to be signed in.

pub(crate) mod caller;
pub(crate) mod ended;
pub(crate) mod oidc;
pub(crate) mod sessions;
