//! What is made of the declarations.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fresh;
mod made_up;
mod rights;
