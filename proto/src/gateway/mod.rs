//! The names of gateways, and where they hear what became of what they published.

mod answer;

pub use self::answer::{Answer, Problem, Rejected, Warning};

/// The bucket in which identity tells for whom each gateway speaks: key `<name>`, value
/// [`GatewayEntry`](crate::v1::GatewayEntry).
pub const BUCKET: &str = "gateways";

/// The subject on which whoever receives tells identity what came, as [`GatewayTraffic`](crate::v1::GatewayTraffic).
pub const TRAFFIC: &str = "gateways.traffic";

/// The subject on which whoever receives tells others which messages of a gateway it has seen last.
pub const LAST_MESSAGES: &str = "gateways.messages";

/// The gateway of whoever gives no name to the managed server of one machine. Its inbox is the ordinary one.
pub const ANONYMOUS: &str = "local";

/// Names that no gateway gets: users of NATS that are no gateways, what tools of Armada publish as, and what stands for
/// something else in a subject. Their answers go to inboxes that would be a gateway's.
const RESERVED: [&str; 19] = [
    ANONYMOUS,
    "armada",
    "armada-gateways",
    "bench",
    "bff",
    "billing",
    "demo",
    "fleet",
    "fleet-gateways",
    "frame",
    "gateway",
    "identity",
    "identity-system",
    "notification",
    "position-ingest",
    "receiver",
    "receiver-gateways",
    "replay",
    "reply",
];

/// Whether a gateway may not have this name, however it is written.
pub fn is_reserved(name: &str) -> bool {
    RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(name))
}

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
