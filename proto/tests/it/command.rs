//! Where gateways say what became of commands.

use armada_proto::command::{origin, reply_subject};

#[test]
fn a_reply_says_from_where_it_comes() {
    assert_eq!(origin(&reply_subject("depot", "350000000000006")), Some(("depot", "350000000000006")));
    assert_eq!(origin("command.depot.350000000000006"), None);
}
