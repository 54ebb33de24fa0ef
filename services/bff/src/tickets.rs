//! Tickets for the live socket, since a browser cannot send a header with one and an access token in an address ends up
//! in logs. A ticket is a signed statement, so that any edge reads what another one gave out; it opens one socket only,
//! because its number can be created in the bucket of spent tickets just once.

use std::time::Duration;

use armada_proto::{Timestamp, access::permission, v1::WsTicket};
use armada_runtime::{Bus, Caller, Context, Error, KeyRing, Result, ServiceKey, auth::Grant};
use async_nats::jetstream::kv::{self, CreateErrorKind};
use axum::{Json, extract::State};
use serde::{Deserialize, Serialize};

use crate::{
    Config,
    caller::By,
    edge::Edge,
    failure::{Answer, Refused},
};

/// Bucket of spent tickets.
const BUCKET: &str = "tickets";
/// How long a spent ticket is remembered.
const REMEMBERED: Duration = Duration::from_secs(60);
/// The longest that a ticket may live: shorter than it is remembered, whatever the clocks of two edges say.
pub(crate) const LIFE_MAX: Duration = Duration::from_secs(45);
/// `typ` in a ticket's header.
const TYP: &str = "ws-ticket";

#[derive(Serialize, Deserialize)]
struct Claims {
    /// 128 random bits in hexadecimal.
    jti: String,
    /// Milliseconds since 1970.
    expires_at: i64,
    grant: Grant,
}

/// Makes the bucket.
pub(crate) async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config {
        bucket: BUCKET.to_owned(),
        history: 1,
        max_age: REMEMBERED,
        ..kv::Config::default()
    })
    .await
}

/// Gives out tickets and takes them.
pub(crate) struct Tickets {
    spent: kv::Store,
    service_key: ServiceKey,
    keys: KeyRing,
    life: Duration,
}

impl Tickets {
    pub(crate) async fn open(context: &Context, config: &Config) -> Result<Self> {
        Ok(Self {
            spent: context.bus.bucket(BUCKET).await?,
            service_key: context.service_key.clone(),
            keys: context.keys.clone(),
            life: Duration::from_secs(config.ticket_seconds),
        })
    }

    fn give(&self, caller: &Caller) -> Result<String> {
        let mut number = [0; 16];
        getrandom::fill(&mut number).map_err(Error::internal)?;
        let claims = Claims {
            jti: number.iter().map(|byte| format!("{byte:02x}")).collect(),
            expires_at: (Timestamp::now() + self.life).millis(),
            grant: caller.user()?.clone(),
        };
        self.service_key.statement(TYP, &claims)
    }

    /// Spends a ticket: whose it is, the first time.
    pub(crate) async fn take(&self, ticket: &str) -> Result<Grant> {
        let claims: Claims = self.keys.statement(TYP, ticket).await?;
        if claims.expires_at <= Timestamp::now().millis() {
            return Err(Error::unauthenticated());
        }
        match self.spent.create(&claims.jti, Default::default()).await {
            Ok(_) => Ok(claims.grant),
            Err(error) if error.kind() == CreateErrorKind::AlreadyExists => Err(Error::unauthenticated()),
            Err(error) => Err(Error::unavailable(error)),
        }
    }
}

/// A ticket that opens one live socket for the caller, within half a minute. Needs the permission `position:live`.
#[utoipa::path(
    post,
    path = "/api/v1/ws-ticket",
    operation_id = "ws_ticket",
    tag = "live",
    responses((status = 200, description = "The ticket.", body = WsTicket), Refused),
)]
pub(crate) async fn give(State(edge): State<Edge>, By(caller): By) -> Answer<Json<WsTicket>> {
    caller.must(permission::POSITION_LIVE)?;
    Ok(Json(WsTicket { ticket: edge.tickets.give(&caller)? }))
}
