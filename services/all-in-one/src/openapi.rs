//! `armada openapi`: prints the OpenAPI document.

use anyhow::Result;

/// Prints it to standard output.
#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
pub(crate) fn print() -> Result<()> {
    println!("{}", serde_json::to_string_pretty(&armada_bff::openapi())?);
    Ok(())
}
