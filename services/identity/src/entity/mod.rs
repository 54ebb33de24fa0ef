//! The tables of identity.

pub mod session;
pub mod signing_key;
pub mod tenant;
pub mod user;
