//! What the commands print at the end: the parts of a copy with their bytes, and what is to be known of it.

use super::manifest::{Files, Manifest};

/// Prints the parts, and what they come to.
#[allow(clippy::print_stdout, reason = "this is what the commands are to print")]
pub(super) fn parts(manifest: &Manifest) {
    let files = manifest.files.map(|Files { count, bytes }| (format!("files ({count})"), bytes));
    let parts = manifest.parts.iter().map(|part| (part.name.clone(), part.content.bytes)).chain(files);
    let mut total = 0;
    for (name, bytes) in parts {
        println!("{name:<32}  {bytes:>16}");
        total += bytes;
    }
    println!("{:<32}  {total:>16}", "bytes together");
}

/// Prints sentences, one a line.
#[allow(clippy::print_stdout, reason = "this is what the commands are to print")]
pub(super) fn notes(notes: &[String]) {
    for note in notes {
        println!("{note}");
    }
}
