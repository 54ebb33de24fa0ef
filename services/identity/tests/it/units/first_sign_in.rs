//! What the first platform owner signs in with.

use armada_identity::{
    DEFAULT_EMAIL, generated_password,
    rules::{check_password, checked_email},
};

#[test]
fn generated_passwords_differ_and_are_good() {
    let (one, two) = (generated_password().unwrap(), generated_password().unwrap());
    assert_ne!(one, two);
    assert_eq!(one.len(), 31);
    assert!(check_password(&one, DEFAULT_EMAIL).is_ok());
}

#[test]
fn what_is_given_is_checked() {
    assert_eq!(checked_email(None).unwrap(), DEFAULT_EMAIL);
    assert_eq!(checked_email(Some("Root@Example.org")).unwrap(), "root@example.org");
    assert!(checked_email(Some("root")).is_err() && checked_email(Some("")).is_err());
    let error = check_password("short", DEFAULT_EMAIL).unwrap_err();
    let rule = "it must have 8 to 128 characters and be hard to guess";
    assert_eq!(error.message, format!("password of the first platform owner: {rule}"));
}
