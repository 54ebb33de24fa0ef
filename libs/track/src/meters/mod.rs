pub(crate) mod day;
pub(crate) mod rules;
pub(crate) mod today;
