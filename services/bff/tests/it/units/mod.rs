//! Rules that need no service, by themselves.

mod config;
mod export;
mod files;
mod http;
mod import;
mod limits;
mod live;
mod maps;
mod oidc;
