//! What counts as an email address.

use armada_proto::email::is_valid;

#[test]
fn recognises_email_addresses() {
    for good in ["admin@armada.local", "a.b+c@x-y.example.co.id", "o'neil@example.org", "1@2.3"] {
        assert!(is_valid(good), "{good}");
    }
    for bad in [
        "",
        "x",
        "@",
        "a@b",
        "a@.b",
        "a@b.",
        "a@-b.c",
        "a@b-.c",
        ".a@b.c",
        "a.@b.c",
        "a..b@c.d",
        "a b@c.d",
        "a@b c.d",
        "a@b@c.d",
        "a@b.c\r\nBcc: d@e.f",
        "<a@b.c>",
        "ä@b.c",
        "a@bü.c",
        "a\u{202e}@b.c",
    ] {
        assert!(!is_valid(bad), "{bad}");
    }
}
