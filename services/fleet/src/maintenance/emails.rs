//! The addresses to which somebody writes when a maintenance is due.

use std::collections::BTreeSet;

use armada_proto::{Violations, email, v1::MaintenanceInput};

/// Addresses of one maintenance.
const MAX: usize = 10;

/// Brings the addresses of an input into their usual form, each once.
pub fn check(input: &mut MaintenanceInput, violations: &mut Violations) {
    let Some(text) = &input.notification_emails else { return };
    let addresses = of(text);
    if !addresses.iter().all(|address| email::is_valid(address) && address.len() <= email::MAX) {
        violations.add("notification_emails", "invalid_emails");
    } else if addresses.len() > MAX {
        violations.add("notification_emails", "too_many");
    }
    input.notification_emails = Some(addresses.into_iter().collect::<Vec<_>>().join(", "));
}

/// The addresses in a text.
pub fn of(text: &str) -> BTreeSet<String> {
    text.split(',').map(email::normal).filter(|address| !address.is_empty()).collect()
}
