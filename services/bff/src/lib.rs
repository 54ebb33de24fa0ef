//! The edge: REST, the live socket, the OpenAPI document and the console, on one port. It stores nothing. A handler
//! knows its caller, calls the service that decides, and passes the answer on.

#![warn(missing_docs)]

mod auth;
mod clients;
mod config;
mod export;
mod http;
mod import;
mod limits;
mod live;
mod pages;
mod resources;
mod routes;
mod state;

use armada_runtime::{Bus, Context, Result, Service};

use crate::{http::client::TrustedProxies, live::tickets, state::AppState};

pub use config::{Config, Limits};
pub use pages::console::{ConsoleFile, ConsoleFiles};
pub use routes::OPENAPI;

/// Rules that need no service, for the tests that look at them by themselves. Nobody else may use it.
#[doc(hidden)]
pub mod rules {
    /// Of signing in.
    pub mod auth {
        pub use crate::auth::oidc::is_own;
    }

    /// Of files of whole lists.
    pub mod export {
        pub use crate::export::{
            filters::NO_FILTERS,
            stream::{workbook, xlsx},
            table::{Entry, Export},
        };
    }

    /// Of every request and every answer.
    pub mod http {
        pub use crate::http::{
            body::read,
            client::TrustedProxies,
            cookie::Oidc,
            etag::parse,
            failure::subject,
            origin::{OwnOrigin, SentFrom},
            query::{Kind, Query},
        };
    }

    /// Of files that are taken in.
    pub mod import {
        pub use crate::import::{
            cells::value,
            columns::{Field, Kind, Meaning, guessed},
            lookup::{Names, the_one},
        };
    }

    /// Of texts.
    pub mod language {
        pub use crate::http::language::{LANGUAGES, Language, field, known_word, message, plain_message, word};
    }

    /// Of how much may be asked.
    pub mod limits {
        pub use crate::limits::{
            Buckets, Cost,
            heavy::{HeavyLimiter, RETRY},
        };
    }

    /// Of live sockets.
    pub mod live {
        pub use crate::live::{
            commands::{CommandInbox, CommandUpdate, WAITING_MAX},
            directory::Directory,
            inbox::{Gained, Inbox},
            message::{ClientMessage, ErrorCode, device_update, only_moved},
            rows::{CHARGE_KNOWN, CHARGING, IGNITION_KNOWN, IGNITION_ON, VALID, push},
            update::Update,
            visibility::Visibility,
            visit::shown::Shown,
        };
    }

    /// Of what the build makes of the contract, and of files.
    pub mod resources {
        pub use crate::resources::{files::disposition, generated::EXPORTS, imports::IMPORTS};
    }
}

/// Name of the service.
pub const NAME: &str = "bff";

/// Makes the bucket of spent tickets.
pub async fn migrate(bus: &Bus, config: &Config) -> Result<()> {
    config.check()?;
    tickets::migrate(bus).await
}

/// Builds the edge, which serves these files of the console. The services that it calls must have been built or be
/// configured as peers.
pub async fn build(context: &Context, config: Config, console: ConsoleFiles) -> Result<Service> {
    // Boxed, or all that its parts do would be part of whatever waits for it.
    Box::pin(put_together(context, config, console)).await
}

async fn put_together(context: &Context, config: Config, console: ConsoleFiles) -> Result<Service> {
    config.check()?;
    let connections = config.limits.connections(TrustedProxies::new(&config.trusted_proxies)?.networks());
    let context = &context.of(NAME)?;
    let state = AppState::new(context, config, console).await?;
    let router = routes::router(&state)?;
    let AppState { ended, limiter, sockets, .. } = state;
    Ok(Service::new(NAME)
        .http(router, connections)
        .task("directory", sockets.clone().follow_directory())
        .task("sockets", sockets.drain())
        .task("ended-sessions", ended.follow(context.shutdown.clone()))
        .task("limits", limiter.tidy(context.shutdown.clone())))
}
