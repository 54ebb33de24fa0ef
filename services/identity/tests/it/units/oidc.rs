//! Where another provider of the sign-in may be.

use armada_identity::rules::is_safe;

#[test]
fn requires_https_for_providers() {
    for (url, ok) in [
        ("https://id.example/x", true),
        ("http://127.0.0.1:9/x", true),
        ("http://localhost", true),
        ("http://id.example", false),
        ("http://127.0.0.1.example", false),
        ("file:///etc/passwd", false),
        ("//id.example", false),
        ("", false),
    ] {
        assert_eq!(is_safe(url), ok, "{url}");
    }
}
