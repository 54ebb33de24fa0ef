//! Whose pages are ours.

use armada_bff::rules::http::{OwnOrigin, SentFrom};
use http::header::{HOST, ORIGIN};

fn sent(public: Option<&str>, host: &str, origin: Option<&str>) -> SentFrom {
    let mut request = http::Request::builder().header(HOST, host);
    if let Some(origin) = origin {
        request = request.header(ORIGIN, origin);
    }
    let (parts, ()) = request.body(()).expect("a request").into_parts();
    OwnOrigin::new(public).expect("a good address").of(&parts)
}

#[test]
fn own_pages_are_known() {
    use SentFrom::*;
    for (public, host, origin, wanted) in [
        (None, "localhost:8080", Some("http://localhost:8080"), Own),
        (None, "localhost:8080", Some("http://localhost:8081"), Foreign),
        (None, "localhost:8080", None, Unknown),
        (None, "localhost:8080", Some("null"), Foreign),
        (None, "", Some(""), Foreign),
        (Some("https://fleet.example/"), "10.0.0.7:8080", Some("https://fleet.example"), Own),
        (Some("https://Fleet.example:443"), "10.0.0.7:8080", Some("https://fleet.example"), Own),
        (Some("https://fleet.example"), "10.0.0.7:8080", Some("http://fleet.example"), Foreign),
        (Some("https://fleet.example"), "10.0.0.7:8080", Some("https://evil.example"), Foreign),
        (Some("https://fleet.example"), "10.0.0.7:8080", Some("https://fleet.example.evil.example"), Foreign),
    ] {
        assert_eq!(sent(public, host, origin), wanted, "{public:?} {host} {origin:?}");
    }
}

#[test]
fn nonsense_is_refused() {
    for url in ["", "fleet.example", "ftp://fleet.example", "https://", "https://a@b"] {
        assert!(OwnOrigin::new(Some(url)).is_err(), "{url}");
    }
}
