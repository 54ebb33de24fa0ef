//! The names of gateways, and where they hear what became of what they published.

/// The gateway of whoever gives no name to the managed server of one machine. Its inbox is the ordinary one.
pub const ANONYMOUS: &str = "local";

/// Below which subjects a gateway hears its answers: `_INBOX_<gateway>`, which no other may hear.
pub fn inbox_of(gateway: &str) -> String {
    if gateway == ANONYMOUS { "_INBOX".to_owned() } else { format!("_INBOX_{gateway}") }
}

/// Whether a gateway may be answered on this subject. Everything else that it names may be somebody else's.
pub fn is_inbox_of(reply: &str, gateway: &str) -> bool {
    let rest = if gateway == ANONYMOUS {
        reply.strip_prefix("_INBOX.")
    } else {
        reply.strip_prefix("_INBOX_").and_then(|rest| rest.strip_prefix(gateway)?.strip_prefix('.'))
    };
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(['*', '>', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_own_inbox_is_a_gateways() {
        assert!(is_inbox_of("_INBOX_depot.x.1", "depot") && is_inbox_of("_INBOX.x.1", ANONYMOUS));
        for (reply, gateway) in [
            ("_INBOX_depot", "depot"),
            ("_INBOX_depot.", "depot"),
            ("_INBOX_depot2.x", "depot"),
            ("_INBOX.x", "depot"),
            ("_INBOX_local.x", ANONYMOUS),
            ("_INBOX_fleet.x", ANONYMOUS),
            ("_INBOX_depot.>", "depot"),
            ("$KV.policies.x", "depot"),
            ("$KV.policies.x", ANONYMOUS),
            ("", ""),
        ] {
            assert!(!is_inbox_of(reply, gateway), "{reply} {gateway}");
        }
    }
}
