//! What an error is about.

use armada_bff::rules::http::subject;

#[test]
fn subjects_are_resources() {
    for (path, wanted) in
        [("/api/v1/devices/1/track", "devices"), ("/auth/login", "auth"), ("/api/v1", ""), ("/", ""), ("", "")]
    {
        assert_eq!(subject(path), wanted, "{path}");
    }
}
