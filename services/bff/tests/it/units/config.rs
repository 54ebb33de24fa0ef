//! What settings are refused.

use armada_bff::{Config, Limits, MapSourceConfig, MapsConfig};
use armada_runtime::Secret;

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

fn source(id: &str, url: &str) -> MapSourceConfig {
    let url = Secret::new(url.to_owned());
    MapSourceConfig { id: id.to_owned(), name: "Streets".to_owned(), url, attribution: String::new(), max_zoom: 19 }
}

#[test]
fn sources_of_maps_are_addresses_with_places_in_them() {
    const URL: &str = "https://tiles.example/{z}/{x}/{y}.png?key=hunter2";
    let check = |sources: Vec<MapSourceConfig>| {
        Config { maps: MapsConfig { sources, ..MapsConfig::default() }, ..Config::default() }.check()
    };
    check(vec![source("osm", URL), source("osm-2", "http://127.0.0.1:8080/{z}/{y}/{x}")]).expect("they are right");
    for (id, url, wanted) in [
        ("", URL, "an id has"),
        ("OSM", URL, "an id has"),
        ("a/b", URL, "an id has"),
        ("file-x", URL, "those of files"),
        ("osm", "https://{s}.tiles.example/{z}/{x}/{y}?key=hunter2", "{s}"),
        ("osm", "https://tiles.example/{z}/{x}?key=hunter2", "must have {z}, {x} and {y}"),
        ("osm", "https://tiles.example/{z}/{x}/{y}{r}?key=hunter2", "no other placeholder"),
        ("osm", "ftp://tiles.example/{z}/{x}/{y}?key=hunter2", "must begin with https://"),
        ("osm", "/{z}/{x}/{y}?key=hunter2", "must begin with https://"),
        ("osm", "https://tiles example/{z}/{x}/{y}?key=hunter2", "no address"),
    ] {
        let refused = check(vec![source(id, url)]).expect_err(wanted).message;
        assert!(refused.starts_with("bff.maps.sources: ") && refused.contains(wanted), "{refused}");
        assert!(!refused.contains("hunter2"), "{refused}");
    }
    let twice = check(vec![source("osm", URL), source("osm", URL)]).expect_err("the id is there twice").message;
    assert_eq!(twice, "bff.maps.sources: osm: another source has this id");
    let deep = MapSourceConfig { max_zoom: 25, ..source("osm", URL) };
    assert!(check(vec![deep]).is_err());
    let old = Config { maps: MapsConfig { cache_days: 0, ..MapsConfig::default() }, ..Config::default() };
    assert_eq!(old.check().expect_err("nothing is kept").message, "bff.maps.cache_days = 0: must be 1 to 365");
    let late = Config { maps: MapsConfig { renew_seconds: 86_400, ..MapsConfig::default() }, ..Config::default() };
    let message = late.check().expect_err("addresses are over by then").message;
    assert_eq!(message, "bff.maps.renew_seconds = 86400: must be 1 to 82800");
    let config =
        Config { maps: MapsConfig { sources: vec![source("osm", URL)], ..MapsConfig::default() }, ..Config::default() };
    assert!(!format!("{config:?}").contains("hunter2"));
}
