//! What a company says of itself when it registers.

use armada_identity::rules::registration::check;
use armada_proto::v1::{Locale, RegistrationInput};

fn input() -> RegistrationInput {
    RegistrationInput {
        company: " PT Maju ".to_owned(),
        name: "Budi".to_owned(),
        email: "Budi@Example.org".to_owned(),
        phone: "+62 812 3456".to_owned(),
        tax_number: "01.234.567.8-901.000".to_owned(),
        accepts_terms: true,
        locale: Locale::Jv.into(),
    }
}

#[test]
fn email_is_stored_normalized() {
    let mut input = input();
    check(&mut input).unwrap();
    assert_eq!((input.company.as_str(), input.email.as_str()), ("PT Maju", "budi@example.org"));
    assert_eq!(input.tax_number, "012345678901000");
}

#[test]
fn every_wrong_field_is_named() {
    let mut wrong = RegistrationInput { tax_number: "1234".to_owned(), ..RegistrationInput::default() };
    let fields = check(&mut wrong).unwrap_err().fields;
    let mut names: Vec<_> = fields.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["accepts_terms", "company", "email", "name", "phone", "tax_number"]);
    for (number, ok) in [("", true), ("1234567890123456", true), ("12345678901234a", false), ("１２３", false)] {
        let mut input = RegistrationInput { tax_number: number.to_owned(), ..input() };
        assert_eq!(check(&mut input).is_ok(), ok, "{number}");
    }
    for company in ["a\u{202e}b", "a\nb", &"x".repeat(10_000)] {
        let mut input = RegistrationInput { company: company.to_owned(), ..input() };
        assert!(check(&mut input).unwrap_err().fields.contains_key("company"));
    }
}
