//! The files of `web-console/dist`, inside the program in release builds and read from disk in others. A crate of its
//! own, so that a new console makes nothing be compiled anew but this and the program that serves it.

#![warn(missing_docs)]

use rust_embed::{Embed, EmbeddedFile};

#[derive(Embed)]
#[folder = "../../web-console/dist"]
struct Files;

/// The file of a path below `dist`, if the console was built and has it.
pub fn file(path: &str) -> Option<EmbeddedFile> {
    Files::get(path)
}

#[cfg(test)]
mod tests {
    use super::file;

    #[test]
    fn rejects_paths_outside_the_folder() {
        for path in ["../package.json", "assets/../../package.json", "..%2fpackage.json", "/etc/hostname"] {
            assert!(file(path).is_none(), "{path}");
        }
    }
}
