//! Prints the OpenAPI document, for `scripts/gen`.

#[allow(clippy::print_stdout, reason = "this is what the program is to print")]
fn main() {
    println!("{}", armada_openapi::DOCUMENT);
}
