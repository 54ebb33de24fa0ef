//! The console is built apart; without it the program serves everything else.

use std::{env, fs, path::Path};

fn main() {
    let console = Path::new("../../web-console/dist");
    fs::create_dir_all(console).expect("web-console/dist can be made");
    // Debug builds read the files while they run, so that a new console needs no new program.
    let embedded = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    println!("cargo:rerun-if-changed={}", if embedded { console } else { Path::new("build.rs") }.display());
}
