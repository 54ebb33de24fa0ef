//! From where a request comes, as far as proxies are believed.

use armada_bff::rules::http::TrustedProxies;
use http::HeaderMap;

fn client(trusted: &[&str], peer: &str, hops: &[&str]) -> String {
    let trusted: Vec<_> = trusted.iter().map(|text| (*text).to_owned()).collect();
    let mut headers = HeaderMap::new();
    for hop in hops {
        headers.append("x-forwarded-for", hop.parse().expect("a header"));
    }
    let proxies = TrustedProxies::new(&trusted).expect("good blocks");
    proxies.client(peer.parse().expect("an address"), &headers).to_string()
}

#[test]
fn only_trusted_proxies_are_believed() {
    for (trusted, peer, hops, wanted) in [
        (&[][..], "203.0.113.9", &["198.51.100.1"][..], "203.0.113.9"),
        (&["10.0.0.0/8"], "203.0.113.9", &["198.51.100.1"], "203.0.113.9"),
        (&["10.0.0.0/8"], "10.1.2.3", &["198.51.100.1"], "198.51.100.1"),
        (&["10.0.0.0/8"], "10.1.2.3", &[], "10.1.2.3"),
        (&["10.0.0.0/8"], "::ffff:10.1.2.3", &["198.51.100.1:4711"], "198.51.100.1"),
        // What the client invented stands left of where it was heard.
        (&["10.0.0.0/8"], "10.1.2.3", &["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
        (&["10.0.0.0/8"], "10.1.2.3", &["1.1.1.1", "198.51.100.1, 10.9.9.9"], "198.51.100.1"),
        (&["10.0.0.0/8"], "10.1.2.3", &["1.1.1.1, nonsense, 10.9.9.9"], "10.9.9.9"),
        (&["10.0.0.1"], "10.0.0.1", &["10.0.0.2, 10.0.0.3"], "10.0.0.3"),
        (&["fd00::/8"], "fd00::1", &["2001:db8::1"], "2001:db8::1"),
        (&["0.0.0.0/0"], "203.0.113.9", &["198.51.100.1"], "198.51.100.1"),
        (&["0.0.0.0/0"], "fd00::1", &["198.51.100.1"], "fd00::1"),
    ] {
        assert_eq!(client(trusted, peer, hops), wanted, "{trusted:?} {peer} {hops:?}");
    }
}

#[test]
fn rejects_invalid_networks() {
    for text in ["", "10.0.0.0/33", "10.0.0/8", "fleet.example", "::/129", "10.0.0.0/-1", "10.0.0.0/"] {
        assert!(TrustedProxies::new(&[text.to_owned()]).is_err(), "{text}");
    }
}
