//! What a file is, by what is in it and not by what it says: the first bytes tell its kind, and its name must agree.

use armada_proto::v1::FileKind;
use armada_runtime::{Error, Result};

/// Bytes from the beginning that are looked at: a photo says its size behind all that cameras note.
pub const HEAD: usize = 512 << 10;
/// Pixels of an image. What a browser would unpack into more is refused.
const PIXELS_MAX: usize = 100_000_000;
/// Pixels of one side.
const SIDE_MAX: usize = 30_000;

/// The kind of a file, by its beginning; an error when it is none that is taken in, when its name claims another one, or
/// when it would be an image of a size that nobody takes.
pub fn kind(name: &str, head: &[u8]) -> Result<FileKind> {
    let kind = match infer::get(head).map(|found| found.mime_type()) {
        Some("application/pdf") => FileKind::Pdf,
        Some("image/jpeg") => FileKind::Jpeg,
        Some("image/png") => FileKind::Png,
        Some("image/webp") => FileKind::Webp,
        _ => return Err(Error::field("file", "file_kind")),
    };
    let claimed = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    if claimed.is_some_and(|claimed| !extensions(kind).contains(&claimed.as_str())) {
        return Err(Error::field("file", "file_name"));
    }
    if kind != FileKind::Pdf {
        let size = imagesize::blob_size(head).map_err(|_| Error::field("file", "file_broken"))?;
        let is_usual = (1..=SIDE_MAX).contains(&size.width) && (1..=SIDE_MAX).contains(&size.height);
        if !is_usual || size.width * size.height > PIXELS_MAX {
            return Err(Error::field("file", "file_pixels"));
        }
    }
    Ok(kind)
}

/// What the name of a file may end in.
fn extensions(kind: FileKind) -> &'static [&'static str] {
    match kind {
        FileKind::Pdf => &["pdf"],
        FileKind::Jpeg => &["jpg", "jpeg", "jfif"],
        FileKind::Png => &["png"],
        FileKind::Webp => &["webp"],
        FileKind::Unspecified => &[],
    }
}
