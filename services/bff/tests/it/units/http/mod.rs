//! What every request and every answer has.

mod body;
mod body_budget;
mod client;
mod cookie;
mod etag;
mod failure;
mod language;
mod names;
mod origin;
mod query;
