//! How the body of a request is read.

use armada_bff::rules::http::read;
use armada_proto::v1::{DeviceInput, UserInput};

fn refused(body: &str) -> (String, Vec<String>) {
    let failure = read::<DeviceInput>(body.as_bytes()).expect_err("it is wrong");
    (failure.error().code.clone(), failure.error().fields.keys().cloned().collect())
}

#[test]
fn non_json_body_is_malformed() {
    for body in ["", "{", "{\"name\":}", "{} {}", "{\"name\":\"a\"} x", "\u{feff}{}"] {
        assert_eq!(refused(body), ("malformed".to_owned(), vec![]), "{body}");
    }
}

#[test]
fn a_wrong_type_names_its_field() {
    assert_eq!(refused("{\"name\":5}"), ("invalid".to_owned(), vec!["name".to_owned()]));
    assert_eq!(refused("{\"status\":\"flying\"}"), ("invalid".to_owned(), vec!["status".to_owned()]));
    assert_eq!(refused("{\"max_parking_time\":-1}"), ("invalid".to_owned(), vec!["max_parking_time".to_owned()]));
    assert_eq!(refused("{\"name\":\"a\",\"name\":\"b\"}"), ("invalid".to_owned(), vec!["name".to_owned()]));
    for body in ["[]", "[\"a\"]", "null", "5"] {
        assert_eq!(refused(body), ("invalid".to_owned(), vec![]), "{body}");
    }
}

#[test]
fn ignores_and_reports_read_only_fields() {
    let (input, denied) =
        read::<UserInput>(b"{\"name\":\"a\",\"is_platform_owner\":true,\"colour\":1}").expect("it is right");
    assert_eq!(input, UserInput { name: Some("a".to_owned()), ..UserInput::default() });
    assert_eq!(denied, ["is_platform_owner"]);
}

#[test]
fn the_body_names_neither_id_nor_version() {
    let (input, denied) = read::<DeviceInput>(b"{\"id\":\"x\",\"row_version\":7,\"name\":\"a\"}").expect("it is right");
    assert_eq!(denied, Vec::<String>::new());
    assert_eq!(input, DeviceInput { name: Some("a".to_owned()), ..DeviceInput::default() });
}
