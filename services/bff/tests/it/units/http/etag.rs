//! How versions of rows are read.

use armada_bff::rules::http::parse;

#[test]
fn versions_are_read() {
    for (text, wanted) in [
        ("\"3\"", Some(Some(3))),
        ("W/\"3\"", Some(Some(3))),
        (" 3 ", Some(Some(3))),
        ("*", Some(None)),
        ("\"3\", \"4\"", None),
        ("\"abc\"", None),
        ("", None),
    ] {
        assert_eq!(parse(text), wanted, "{text}");
    }
}
