//! What gateways publish, read.
//!
//! - [`message`]: the positions of one device, JSON ([`element`]) or protobuf.
//! - [`frame`]: a protobuf frame of many devices, and how one is made.
//! - [`hardly_json`] mends JSON as programs write it that do not know JSON.
//! - [`utf8`] mends protobuf whose texts are in other character sets, [`wrong_wire_types`] one whose fields have other types.
//! - [`refused_field`] names the field because of which something was refused, [`preview`] shows a message to people.
//!
//! In: the body of a message, of which nothing is believed. Out: a `Report` or the reason of a refusal for each
//! element, or one reason for the whole. A value that cannot be costs itself, never its fix. Times and places are
//! checked afterwards, by `validate`.

pub(crate) mod element;
pub(crate) mod frame;
pub(crate) mod hardly_json;
pub(crate) mod message;
pub(crate) mod preview;
pub(crate) mod refused_field;
pub(crate) mod utf8;
pub(crate) mod wrong_wire_types;
