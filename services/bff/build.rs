//! Makes of the contract what the edge has of every method with a `google.api.http` rule: its route and handler, and the
//! clients of the services behind.

#[path = "build/exports.rs"]
mod exports;
#[path = "build/handlers.rs"]
mod handlers;
#[path = "build/imports.rs"]
mod imports;

use std::{env, fs, path::Path};

use armada_descriptors::Contract;

fn main() {
    println!("cargo:rerun-if-changed=build");
    // From the build script of armada-proto, which cargo runs before.
    let descriptors = env::var("DEP_ARMADA_PROTO_DESCRIPTORS").expect("armada-proto says where they are");
    println!("cargo:rerun-if-changed={descriptors}");
    let contract = Contract::read(&fs::read(descriptors).expect("the descriptors"));

    let folder = env::var("OUT_DIR").expect("cargo sets it");
    let write =
        |name: &str, text: String| fs::write(Path::new(&folder).join(name), text).expect("the folder is writable");
    write("clients.rs", handlers::clients(&contract));
    write("handlers.rs", handlers::handlers(&contract));
    write("imports.rs", imports::imports(&contract));
}
