//! Names of variables.

/// A name as it stands in a variable: `POSITION_INGEST`.
pub(crate) fn in_variables(name: &str) -> String {
    name.to_uppercase().replace('-', "_")
}
