//! Which passwords may be chosen.

use armada_identity::rules::passwords::{COMMON, check};
use armada_runtime::Violations;

#[test]
fn rejects_common_passwords() {
    assert_eq!(COMMON.len(), 3_000);
    for (password, ok) in [("Password", false), ("QWERTY123", false), ("bismillah", false), ("correct horse", true)] {
        let mut fields = Violations::default();
        check(&mut fields, "password", password, &[]);
        assert_eq!(fields.check().is_ok(), ok, "{password}");
    }
}

#[test]
fn rejects_passwords_with_personal_data() {
    let known = ["budi.santoso@maju.example", "Budi Santoso", "PT Maju Jaya"];
    for (password, ok) in [
        ("Armada2026!", false),
        ("budisantoso1", false),
        ("MajuJaya123", false),
        ("budi.santoso@maju.example", false),
        ("armada berlayar di samudra", true),
        ("budi suka kopi pahit", true),
        ("correct horse", true),
    ] {
        let mut fields = Violations::default();
        check(&mut fields, "password", password, &known);
        assert_eq!(fields.check().is_ok(), ok, "{password}");
    }
}

#[test]
fn counts_characters() {
    for (password, ok) in [("", false), ("1234567", false), ("пароль12", true), (&*"x".repeat(129), false)] {
        let mut fields = Violations::default();
        check(&mut fields, "password", password, &[]);
        assert_eq!(fields.check().is_ok(), ok, "{password}");
    }
}
