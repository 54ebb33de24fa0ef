//! What every request and every answer has: where it comes from, how it is read, how it fails.

pub(crate) mod body;
pub(crate) mod body_budget;
pub(crate) mod client;
pub(crate) mod cookie;
pub(crate) mod erased;
pub(crate) mod etag;
pub(crate) mod failure;
pub(crate) mod headers;
pub(crate) mod language;
pub(crate) mod names;
pub(crate) mod observe;
pub(crate) mod origin;
pub(crate) mod proxies;
pub(crate) mod query;
