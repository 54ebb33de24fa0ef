//! The handlers that the build makes of the contract: for each method with a `google.api.http` rule one, and its route; for each list
//! that has a file its columns.

use armada_proto::{Choice, currency::to_major, v1};
use axum::{
    Json, Router,
    extract::{Path, State},
    response::Response,
    routing,
};
use http::StatusCode;

use crate::{
    auth::caller::Authenticated,
    clients::Clients,
    export::{self, Column, Exported, NamesOf, Read, flag, joined},
    http::{
        body::Input,
        client::RequestClient,
        erased::erased,
        etag::{IfMatch, Versioned},
        failure::Answer,
        language::Language,
        origin::SameOrigin,
        query::{FromQuery, Kind, Param, Query, QueryMessage},
    },
    resources::{filled, jobs::Accepted},
    state::AppState,
};

include!(concat!(env!("OUT_DIR"), "/handlers.rs"));
