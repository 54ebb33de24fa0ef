pub(crate) mod counter;
pub(crate) mod segments;
pub(crate) mod span;
pub(crate) mod thresholds;
