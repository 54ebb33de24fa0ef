//! Pages for people: the console, and the OpenAPI document as one can read it.

pub(crate) mod console;
pub(crate) mod docs_page;
