//! What the `.proto` files say, for the builds that make code and documents of them: the operations of the REST API, the
//! options and the rules of fields.

mod fields;
mod null;
mod operations;
mod rules;

use std::path::Path;

pub use fields::{choices, comment, decides, extension, is, is_optional, is_timestamp, json_name, snake, sortable};
pub use null::Null;
pub use operations::{Contract, Operation, Reply, ServedBy};
pub use rules::Rules;

/// The package of Armada's own messages and services.
pub const PACKAGE: &str = "armada.v1";

/// Compiles all `.proto` files of [`PACKAGE`] below a folder. What is wrong with them panics, with the line.
pub fn compile(folder: &Path) -> protox::Compiler {
    let files = std::fs::read_dir(folder.join("armada/v1")).expect("the folder of the package is there");
    let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    let mut compiler = protox::Compiler::new([folder]).expect("the folder is there");
    compiler.include_imports(true).include_source_info(true);
    compiler.open_files(files).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    compiler
}
