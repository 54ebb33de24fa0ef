pub(crate) mod element;
pub(crate) mod frame;
pub(crate) mod message;
pub(crate) mod preview;
pub(crate) mod refused_field;
pub(crate) mod utf8;
