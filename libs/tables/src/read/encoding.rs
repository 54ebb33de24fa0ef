//! In which letters a text is written that does not say so.

use std::borrow::Cow;

use encoding_rs::{Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::sheet::Error;

/// By the mark at the beginning, else UTF-8 if it is that, else what Windows writes in China or in Western Europe. An error for
/// any other: in those letters every name would be another one.
pub(super) fn decoded(file: &[u8]) -> Result<Cow<'_, str>, Error> {
    let encoding = match (Encoding::for_bom(file), file) {
        (Some((encoding, _)), _) => encoding,
        // Ordinary letters of UTF-16 have every other byte zero.
        (None, [0, _, 0, _, ..]) => UTF_16BE,
        (None, [_, 0, _, 0, ..]) => UTF_16LE,
        _ if std::str::from_utf8(file).is_ok() => UTF_8,
        _ => guessed(file).ok_or(Error::UnknownEncoding)?,
    };
    Ok(encoding.decode(file).0)
}

/// In Western Europe letters with accents stand alone or in twos, elsewhere whole words have no letter of ASCII.
fn guessed(file: &[u8]) -> Option<&'static Encoding> {
    let runs = || file.split(u8::is_ascii).filter(|run| !run.is_empty());
    let bytes = |is_it: fn(&[u8]) -> bool| runs().filter(|run| is_it(run)).map(<[u8]>::len).sum::<usize>();
    let all = bytes(|_| true);
    if 2 * bytes(is_common_chinese) > all && GB18030.decode_without_bom_handling_and_without_replacement(file).is_some()
    {
        return Some(GB18030);
    }
    let has_controls =
        || WINDOWS_1252.decode_without_bom_handling(file).0.contains(|c| matches!(c, '\u{80}'..='\u{9f}'));
    (2 * bytes(|run| run.len() > 2) < all && !has_controls()).then_some(WINDOWS_1252)
}

/// Whether most of the pairs of bytes are among the 3,755 characters that are common, or marks and letters of full width. Those
/// of Western Europe are few of that: its small letters begin rare characters.
fn is_common_chinese(run: &[u8]) -> bool {
    let (pairs, rest) = run.as_chunks::<2>();
    let common = pairs.iter().filter(|pair| matches!(pair, [0xa1..=0xa3 | 0xb0..=0xd7, 0xa1..=0xfe])).count();
    rest.is_empty() && 2 * common > pairs.len()
}
