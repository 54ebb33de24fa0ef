//! Files of whole lists.

mod stream;
mod words;
