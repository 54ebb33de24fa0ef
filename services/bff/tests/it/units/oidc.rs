//! Where a browser may be sent after a sign-in by a provider of identities.

use armada_bff::rules::auth::is_own;

#[test]
fn returns_only_to_console_paths() {
    for path in ["/", "/devices?q=a%20b&page=2", "/maps#x", "/users//"] {
        assert!(is_own(path), "{path}");
    }
    let long = format!("/{}", "x".repeat(1000));
    for path in [
        "",
        "devices",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "https://evil.example",
        "javascript:alert(1)",
        "/\t/evil.example",
        "/\r\nset-cookie: a=b",
        "/a b",
        "/é",
        "/auth/oidc/start",
        "/api/v1/devices",
        &long,
    ] {
        assert!(!is_own(path), "{path}");
    }
}
