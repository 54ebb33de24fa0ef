//! Makes the OpenAPI document of the contract.

#[path = "build/custom.rs"]
mod custom;
#[path = "build/document.rs"]
mod document;
#[path = "build/maps.rs"]
mod maps;
#[path = "build/schemas.rs"]
mod schemas;
#[path = "build/socket.rs"]
mod socket;

use std::{env, fs, path::Path};

use armada_descriptors::Contract;

fn main() {
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed=../../proto");
    let compiler = armada_descriptors::compile(Path::new("../../proto"));
    let contract = Contract::new(compiler.descriptor_pool());
    let version = env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    let folder = env::var("OUT_DIR").expect("cargo sets it");
    let document = document::document(&contract, &version);
    fs::write(Path::new(&folder).join("openapi.json"), document).expect("the folder is writable");
}
