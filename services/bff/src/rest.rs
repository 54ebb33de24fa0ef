//! The handlers that the build makes of the contract: for each method with a `google.api.http` rule one, and its route.

use armada_proto::v1;
use armada_runtime::auth::Client;
use axum::{
    Json, Router,
    extract::{Path, State},
    routing,
};
use http::StatusCode;

use crate::{
    caller::By,
    edge::Edge,
    failure::Answer,
    input::Input,
    origin::FromOwnPage,
    query::{Asked, FromQuery, Kind, Param},
    version::{IfMatch, Versioned},
};

include!(concat!(env!("OUT_DIR"), "/handlers.rs"));
