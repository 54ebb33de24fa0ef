//! What `.env` must say of each service.

use super::compose::{database_password, logins, secret, stored};
use crate::Declaration;

/// The parts of `.env.example`: passwords of the database and of NATS, and what is shared with identity.
pub fn parts(services: &[&Declaration]) -> Vec<(&'static str, String)> {
    let line = |variable: String| format!("{variable}=\n");
    let others = services.iter().filter(|service| !service.vouches());
    vec![
        ("database-passwords", stored(services).map(|service| line(database_password(service))).collect()),
        ("nats-passwords", logins(services).iter().map(|user| line(user.password())).collect()),
        ("service-secrets", others.map(|service| line(secret(service))).collect()),
    ]
}
