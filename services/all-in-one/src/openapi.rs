//! `armada openapi`: prints the OpenAPI document.

/// Prints it to standard output.
#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
pub(crate) fn print() {
    println!("{}", armada_openapi::DOCUMENT);
}
