//! What the commands print at the end: the parts of a copy with their bytes, and what is to be known of it.

use super::manifest::{Files, Manifest};

/// Prints the parts, and what they come to.
#[allow(clippy::print_stdout, reason = "this is what the commands are to print")]
pub(super) fn parts(manifest: &Manifest) {
    let files = manifest.files.map(|Files { count, bytes }| (format!("files ({count})"), bytes));
    let parts = manifest.parts.iter().map(|part| (part.name.clone(), part.content.bytes));
    let mut parts: Vec<_> = parts.chain(files).collect();
    let total = parts.iter().map(|(_, bytes)| bytes).sum();
    parts.push(("bytes together".to_owned(), total));
    for (name, bytes) in parts {
        println!("{name:<32}  {bytes:>16}");
    }
}

/// Prints sentences, one a line.
#[allow(clippy::print_stdout, reason = "this is what the commands are to print")]
pub(super) fn notes(notes: &[String]) {
    for note in notes {
        println!("{note}");
    }
}
