//! What counts as an email address.

/// Bytes of an address (RFC 5321 §4.5.3.1).
pub const MAX: usize = 254;
const LOCAL_MAX: usize = 64;
const LABEL_MAX: usize = 63;

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
