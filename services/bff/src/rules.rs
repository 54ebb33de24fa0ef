//! Rules that need no service, for the tests that look at them by themselves. Nobody else may use it.

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
        body_budget::BodyBudget,
        cookie::Oidc,
        etag::parse,
        failure::subject,
        names::{KnownNames, Meant, fields_of},
        origin::{OwnOrigin, SentFrom},
        proxies::TrustedProxies,
        query::{Kind, Query},
    };
}

/// Of files that are taken in.
pub mod import {
    pub use crate::import::{
        cells::{Writing, Wrong, text, value},
        columns::{Field, Kind, Meaning},
        dates::{Order, read},
        headings::{Known as KnownHeadings, TRADE},
        lookup::Known,
        numbers::Fraction,
    };
}

/// Of texts.
pub mod language {
    pub use crate::http::language::{
        LANGUAGES, Language, field, known_choice, known_code, known_word, message, plain_message, word,
    };
}

/// Of how much may be asked.
pub mod limits {
    pub use crate::limits::{
        Buckets, Cost,
        heavy::{HeavyLimiter, RETRY, SharedTurns},
    };
}

/// Of live sockets.
pub mod live {
    pub use crate::live::{
        columns::Columns,
        commands::{CommandInbox, CommandUpdate, WAITING_MAX},
        directory::{Directory, FreshnessLimits},
        inbox::{Inbox, VisibilityChange},
        message::{ClientMessage, ErrorCode, device_update, only_moved},
        rows::{CHARGE_KNOWN, CHARGING, IGNITION_KNOWN, IGNITION_ON, LITRES, TODAY, VALID, push},
        update::Update,
        visibility::Visibility,
        visit::shown::Shown,
    };
}

/// Of street maps.
pub mod maps {
    pub use crate::maps::{
        cache::shrink,
        pmtiles::{HEADER, MapHeader},
        range::{Wanted, wanted},
        signature::Signatures,
    };
}

/// Of what the build makes of the contract, and of files.
pub mod resources {
    pub use crate::resources::{files::disposition, generated::EXPORTS, imports::IMPORTS};
}
