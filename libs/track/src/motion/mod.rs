pub(crate) mod device_state;
pub(crate) mod merge;
pub(crate) mod quality;
pub(crate) mod rederive;
pub(crate) mod saved;
