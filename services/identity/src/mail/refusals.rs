//! What an answer of a mail server is about: the email alone, or everything that this server is to send.

/// Whether a refusal is about this recipient or this message, so that to try again is in vain, as far as its words tell:
/// the code of RFC 5321, section 4.2.3, and the enhanced one of RFC 3463 where the server gives it. Signing in, the
/// sender, policies and the server's own state concern all mail, and somebody can mend them.
pub fn is_about_email(code: u16, words: &str) -> bool {
    match enhanced(words) {
        // Addressing: 5.1.7 and 5.1.8 are about the sender.
        Some((1, detail)) => !matches!(detail, 7 | 8),
        // The recipient's mailbox; the message.
        Some((2 | 6, _)) => true,
        Some(_) => false,
        None => matches!(code, 550..=554 | 556),
    }
}

/// Subject and detail of an enhanced code that stands first: of `5.1.1 no such user` 1 and 1.
fn enhanced(words: &str) -> Option<(u16, u16)> {
    let mut parts = words.split_whitespace().next()?.strip_prefix("5.")?.split('.');
    let (subject, detail) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    parts.next().is_none().then_some((subject, detail))
}
