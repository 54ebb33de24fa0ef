//! What a permission may be called.

use armada_identity::rules::permissions::{check, is_key};
use armada_proto::v1::PermissionInput;

#[test]
fn keys_have_a_module_and_an_act() {
    for good in ["user:list", "manage_roles:all", "manage-roles", "goods-in:read-all"] {
        assert!(is_key(good), "{good}");
    }
    for bad in [
        "",
        "user",
        "user:",
        ":list",
        "User:list",
        "user:list:all",
        "user list:x",
        "user:l\0st",
        "ü:x",
        "-",
        "manage-",
        "-users",
    ] {
        assert!(!is_key(bad), "{bad}");
    }
    let error = check(&mut PermissionInput { key: " ".to_owned(), ..PermissionInput::default() }).unwrap_err();
    assert_eq!(error.fields["key"], "required");
}
