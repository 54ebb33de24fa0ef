//! Codes of an authenticator, and recovery codes.

use armada_identity::rules::totp::{CODE, GROUP, hash, recovery_code, totp};

/// RFC 6238, appendix B, in six digits.
#[test]
fn totp_matches_rfc_6238() {
    let totp = totp(b"12345678901234567890", "budi@example.org").unwrap();
    for (time, code) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")] {
        assert_eq!(totp.generate(time).to_string(), code);
        assert_eq!(totp.check(code, time + 30), Some(time / 30));
        assert_eq!(totp.check(code, time + 90), None);
    }
    let url = totp.to_url().unwrap();
    assert!(url.starts_with("otpauth://totp/Armada:budi%40example.org?secret="), "{url}");
}

#[test]
fn recovery_codes_are_read_as_people_type_them() {
    let code = recovery_code().unwrap();
    assert_eq!(code.len(), CODE + CODE / GROUP - 1);
    assert_eq!(hash(&code), hash(&format!(" {} ", code.to_uppercase().replace('-', " "))));
    assert_ne!(code, recovery_code().unwrap());
}
