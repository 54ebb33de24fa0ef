//! What settings are refused.

use armada_bff::{Config, Limits};

#[test]
fn https_needs_to_know_what_stands_in_front() {
    let with = |public_url: &str, trusted: &[&str]| {
        let trusted_proxies = trusted.iter().map(ToString::to_string).collect();
        Config { public_url: Some(public_url.to_owned()), trusted_proxies, ..Config::default() }.check()
    };
    let refused = with("https://fleet.example", &[]).expect_err("nobody is named").message;
    assert!(refused.starts_with("bff.trusted_proxies is needed") && !refused.contains('\n'), "{refused}");
    for trusted in [&["none"][..], &["10.0.0.0/8", "::1"]] {
        with("https://fleet.example", trusted).expect("somebody is named, or nobody");
    }
    with("http://localhost:8080", &[]).expect("it is no address of the outside");
    assert!(with("http://localhost:8080", &["none", "::1"]).is_err());
}

#[test]
fn limits_are_at_least_one() {
    let limits = Limits { user_burst: 0, ..Limits::default() };
    let refused = Config { limits, ..Config::default() }.check().expect_err("nobody could ask");
    assert_eq!(refused.message, "bff.limits.user_burst = 0: must be 1 to 1000000");
}
