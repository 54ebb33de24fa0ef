//! The console is built apart; without it the edge serves everything else.

use std::{fs, path::Path};

fn main() {
    let console = Path::new("../../web-console/dist");
    fs::create_dir_all(console).expect("web-console/dist can be made");
    println!("cargo:rerun-if-changed={}", console.display());
}
