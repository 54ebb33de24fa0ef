//! Where gateways may connect from.

use armada_identity::rules::addresses::{LOOPBACK, allow, normalized};

#[test]
fn addresses_and_networks_are_understood() {
    let kept = normalized("203.0.113.7, 10.1.2.3/8;\n2001:db8::/32").expect("they are right");
    assert_eq!(kept, "203.0.113.7/32\n10.0.0.0/8\n2001:db8::/32");
    for (address, allowed) in [
        ("203.0.113.7", true),
        ("203.0.113.8", false),
        ("10.255.0.1", true),
        ("::ffff:10.0.0.1", true),
        ("2001:db8:1::1", true),
        ("2001:db9::1", false),
        ("depot", false),
    ] {
        assert_eq!(allow(&kept, address), allowed, "{address}");
    }
    assert!(allow("", "anywhere") && normalized(" ").is_ok_and(|kept| kept.is_empty()));
    assert_eq!(normalized("10.0.0.0/33"), Err("invalid_address"));
    assert_eq!(normalized(&"10.0.0.1 ".repeat(51)), Err("too_many"));
    assert!(allow(LOOPBACK, "127.0.0.1") && allow(LOOPBACK, "::1") && !allow(LOOPBACK, "192.168.0.1"));
}
