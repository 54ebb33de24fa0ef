//! Tickets for the live socket, since a browser cannot send a header with one and an access token in an address ends up
//! in logs. A ticket is a signed statement, so that any edge reads what another one gave out; it opens one socket only,
//! because its number can be created in the bucket of spent tickets just once.

use std::time::Duration;

use armada_proto::{Timestamp, access::permission, v1::WsTicket};
use armada_runtime::{Bus, Context, Error, KeyRing, Result, ServiceKey, auth::Grant, bus::Publication};
use async_nats::{
    HeaderMap,
    header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE,
    jetstream::{context::PublishErrorKind, kv},
};
use axum::{Json, extract::State};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{auth::caller::Authenticated, config::TICKET_SECONDS_MAX, http::failure::Answer};

/// Bucket of spent tickets.
const BUCKET: &str = "tickets";
/// How long a spent ticket is remembered.
const REMEMBERED: Duration = Duration::from_secs(60);
const _: () = assert!(TICKET_SECONDS_MAX < REMEMBERED.as_secs(), "a ticket could be spent twice");
/// `typ` in the header of a ticket of a user.
const TYP: &str = "ws-ticket";

#[derive(Serialize, Deserialize)]
struct Claims<H> {
    /// 128 random bits in hexadecimal.
    jti: String,
    /// Milliseconds since 1970.
    expires_at: i64,
    /// Whose it is.
    holder: H,
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

/// Gives out tickets and takes them. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Tickets {
    bus: Bus,
    service_key: ServiceKey,
    keys: KeyRing,
    life: Duration,
}

impl Tickets {
    pub(crate) async fn open(context: &Context, life: Duration) -> Result<Self> {
        context.bus.bucket(BUCKET).await?;
        Ok(Self {
            bus: context.bus.clone(),
            service_key: context.service_key.clone(),
            keys: context.keys.clone(),
            life,
        })
    }

    /// A ticket of a kind, by the name that is its `typ`.
    pub(super) fn issue<H: Serialize>(&self, typ: &str, holder: H) -> Result<String> {
        self.issue_for(self.life, typ, holder)
    }

    /// One that holds so long.
    pub(super) fn issue_for<H: Serialize>(&self, life: Duration, typ: &str, holder: H) -> Result<String> {
        let mut number = [0; 16];
        getrandom::fill(&mut number).map_err(Error::internal)?;
        let claims = Claims {
            jti: number.iter().map(|byte| format!("{byte:02x}")).collect(),
            expires_at: (Timestamp::now() + life).millis(),
            holder,
        };
        self.service_key.statement(typ, &claims)
    }

    /// Spends the ticket of a user: whose it is, the first time.
    pub(super) async fn take(&self, ticket: &str) -> Result<Grant> {
        self.consume(TYP, ticket).await
    }

    /// Spends a ticket of a kind: whose it is, the first time.
    pub(super) async fn consume<H: DeserializeOwned>(&self, typ: &str, ticket: &str) -> Result<H> {
        let claims: Claims<H> = self.read(typ, ticket).await?;
        self.redeem(&claims.jti).await?;
        Ok(claims.holder)
    }

    /// Whose a ticket is that may be shown more than once.
    pub(super) async fn subject_of<H: DeserializeOwned>(&self, typ: &str, ticket: &str) -> Result<H> {
        Ok(self.read(typ, ticket).await?.holder)
    }

    async fn read<H: DeserializeOwned>(&self, typ: &str, ticket: &str) -> Result<Claims<H>> {
        let claims: Claims<H> = self.keys.statement(self.service_key.service(), typ, ticket).await?;
        if claims.expires_at <= Timestamp::now().millis() {
            return Err(Error::unauthenticated());
        }
        Ok(claims)
    }

    /// Nothing must ever have been written for the ticket, a deletion neither: whoever can have one put there must not be
    /// able to redeem a ticket twice.
    async fn redeem(&self, number: &str) -> Result<()> {
        let mut headers = HeaderMap::new();
        headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, "0");
        let subject = format!("$KV.{BUCKET}.{number}");
        match self.bus.publish(Publication { subject, headers, ..Publication::default() }).await {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Err(Error::unauthenticated()),
            Err(error) => Err(Error::unavailable(error)),
        }
    }
}

/// A ticket that opens one live socket for the caller, within half a minute. Needs the permission `position:live`.
pub(crate) async fn issue(
    State(tickets): State<Tickets>,
    Authenticated(caller): Authenticated,
) -> Answer<Json<WsTicket>> {
    caller.must(permission::POSITION_LIVE)?;
    Ok(Json(WsTicket { ticket: tickets.issue(TYP, caller.user()?)? }))
}
