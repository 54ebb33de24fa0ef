//! Cargo resolves build dependencies only of what has a build script.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
}
