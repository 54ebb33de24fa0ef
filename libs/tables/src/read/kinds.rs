//! What a file is that is no table: by how it begins, or by what is packed into it.

use super::sheet::{Error, OtherKind};

/// How files begin.
const BEGINNINGS: [(&[u8], OtherKind); 14] = [
    (b"%PDF", OtherKind::Pdf),
    (b"\x89PNG", OtherKind::Picture),
    (b"\xff\xd8\xff", OtherKind::Picture),
    (b"GIF8", OtherKind::Picture),
    (b"II*\0", OtherKind::Picture),
    (b"MM\0*", OtherKind::Picture),
    (b"{\\rtf", OtherKind::Document),
    (b"Rar!", OtherKind::Archive),
    (b"7z\xbc\xaf", OtherKind::Archive),
    (b"\x1f\x8b", OtherKind::Archive),
    (b"<!doctype html", OtherKind::WebPage),
    (b"<html", OtherKind::WebPage),
    (b"<table", OtherKind::WebPage),
    (b"<?xml", OtherKind::WebPage),
];

/// By its first bytes; none for what may be a table.
pub(super) fn of_beginning(file: &[u8]) -> Option<OtherKind> {
    let is_container = |kind: &[u8]| file.get(8..12) == Some(kind) && file.starts_with(b"RIFF");
    if is_container(b"WEBP") || file.get(4..8) == Some(b"ftyp") {
        return Some(OtherKind::Picture);
    }
    // Web pages may begin with the mark of UTF-8 and with empty lines.
    let text = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file).trim_ascii_start();
    let begins =
        |beginning: &[u8], with: &[u8]| with.get(..beginning.len()).is_some_and(|b| b.eq_ignore_ascii_case(beginning));
    let known = BEGINNINGS.iter().find(|(beginning, kind)| match kind {
        OtherKind::WebPage => begins(beginning, text),
        _ => file.starts_with(beginning),
    });
    known.map(|(_, kind)| *kind)
}

/// Why an archive with parts of these names, in small letters, is no workbook; nothing for one that may be.
pub(super) fn check_parts(names: &[String]) -> Result<(), Error> {
    let has = |is_it: &dyn Fn(&str) -> bool| names.iter().any(|name| is_it(name));
    if has(&|name| name.ends_with("workbook.xml")) {
        return Ok(());
    }
    if has(&|name| name.ends_with("workbook.bin")) {
        return Err(Error::OldOrEncrypted);
    }
    let is_document = has(&|name| name.starts_with("word/") || name.starts_with("ppt/") || name == "content.xml");
    Err(Error::Other(if is_document { OtherKind::Document } else { OtherKind::Archive }))
}
