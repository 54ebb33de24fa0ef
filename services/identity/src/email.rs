//! What counts as an email address.

use armada_runtime::Fields;

/// RFC 5321 §4.5.3.1.
const MAX: usize = 254;
const LOCAL_MAX: usize = 64;
const LABEL_MAX: usize = 63;

/// Brings an address into the form in which it is stored and compared, and checks it if it is there.
pub fn check(fields: &mut Fields, email: &mut Option<String>) {
    let Some(email) = email else { return };
    *email = normal(email);
    if email.len() > MAX {
        fields.wrong("email", "too_long");
    } else if !email.is_empty() && !is_valid(email) {
        fields.wrong("email", "invalid_email");
    }
}

/// The form in which addresses are stored and compared.
pub fn normal(email: &str) -> String {
    email.trim().to_ascii_lowercase()
}

/// The dot-atom form of RFC 5322 at a domain name with at least two labels, in ASCII: what mail servers deliver to.
pub fn is_valid(email: &str) -> bool {
    let Some((local, domain)) = email.rsplit_once('@') else { return false };
    let atom = |c: u8| c.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&c);
    let local_ok = local.len() <= LOCAL_MAX && local.split('.').all(|part| !part.is_empty() && part.bytes().all(atom));
    let label_ok = |label: &str| {
        (1..=LABEL_MAX).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-')
    };
    local_ok && domain.contains('.') && domain.split('.').all(label_ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_addresses_from_others() {
        for good in ["admin@armada.local", "a.b+c@x-y.example.co.id", "o'neil@example.org", "1@2.3"] {
            assert!(is_valid(good), "{good}");
        }
        for bad in [
            "",
            "x",
            "@",
            "a@b",
            "a@.b",
            "a@b.",
            "a@-b.c",
            "a@b-.c",
            ".a@b.c",
            "a.@b.c",
            "a..b@c.d",
            "a b@c.d",
            "a@b c.d",
            "a@b@c.d",
            "a@b.c\r\nBcc: d@e.f",
            "<a@b.c>",
            "ä@b.c",
            "a@bü.c",
            "a\u{202e}@b.c",
        ] {
            assert!(!is_valid(bad), "{bad}");
        }
    }

    #[test]
    fn is_stored_in_lower_case() {
        let (mut fields, mut email) = (Fields::default(), Some(" Budi@Example.ORG ".to_owned()));
        check(&mut fields, &mut email);
        assert_eq!(email.as_deref(), Some("budi@example.org"));
        assert!(fields.check().is_ok());
    }
}
