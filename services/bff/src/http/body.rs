//! The body of a request: one JSON value of a known form.

use std::{collections::BTreeMap, net::SocketAddr, time::Duration};

use armada_runtime::{
    Caller, Code, Error, Violations,
    audit::{Act, Audit, Change, DENIED, Object},
};
use axum::{
    RequestExt,
    body::Bytes,
    extract::{ConnectInfo, FromRef, FromRequest, Request},
};
use http::{HeaderMap, Method, StatusCode, header::CONTENT_TYPE, request::Parts};
use http_body_util::{BodyExt, LengthLimitError};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{json, value::RawValue};
use tokio::time::timeout;

use super::{
    body_budget::BodyBudget,
    failure::Failure,
    names::{self, KnownNames, Meant},
    proxies::TrustedProxies,
};

/// Bytes that a body may have.
pub(crate) const BODY_MAX: usize = 1 << 20;
/// Bytes that the body of somebody may have who is not signed in: a company's registration is a tenth.
const STRANGER_BODY_MAX: usize = 16 << 10;

/// What the server alone decides. Whoever sends it is told nothing, since older clients send back what they read; but that
/// they did is entered into the audit.
const NEVER_TAKEN: [&str; 6] =
    ["is_platform_owner", "policy_version", "used_devices", "used_users", "permissions", "is_demo"];

/// What reading a body needs.
#[derive(Clone)]
pub(crate) struct BodyReader {
    /// How long a body may take.
    pub(crate) timeout: Duration,
    /// Where it is entered that somebody sent what is never taken.
    pub(crate) audit: Audit,
    /// In whose name.
    pub(crate) service: &'static str,
    /// What bodies may take while they come.
    pub(crate) budget: BodyBudget,
    /// Whose word is taken for where they come from.
    pub(crate) proxies: TrustedProxies,
}

/// A body that was read.
pub(crate) struct Input<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequest<S> for Input<T>
where
    BodyReader: FromRef<S>,
{
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        if !is_json(request.headers()) {
            return Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type"));
        }
        let reader = BodyReader::from_ref(state);
        let (parts, body) = request.into_parts();
        let bytes = bytes(Request::from_parts(parts.clone(), body), state).await?;
        // What is made has nothing that could be taken away: `null` says no more than if it were not there.
        let bytes = if parts.method == Method::POST { without_nulls(bytes) } else { bytes };
        let (value, denied) = read(&bytes)?;
        if !denied.is_empty()
            && let Some(caller) = parts.extensions.get::<Caller>()
        {
            reader.audit.note(reader.service, caller, denied_fields(caller, &parts, &denied));
        }
        Ok(Self(value))
    }
}

/// A body as it came, whatever it is.
pub(crate) async fn bytes<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Failure>
where
    BodyReader: FromRef<S>,
{
    let reader = BodyReader::from_ref(state);
    let slow = |_| Failure::new(StatusCode::REQUEST_TIMEOUT, "request_timeout");
    timeout(reader.timeout, reader.read(request)).await.map_err(slow)?
}

impl BodyReader {
    async fn read(&self, request: Request) -> Result<Bytes, Failure> {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        let address = peer.map(|peer| self.proxies.client(peer, request.headers()));
        let caller = request.extensions().get::<Caller>();
        let max = if caller.is_some() { usize::MAX } else { STRANGER_BODY_MAX };
        let once = caller.and_then(|caller| caller.once.clone());
        let mut unfinished = self.budget.begin(address);
        let mut body = request.with_limited_body().into_body();
        let mut bytes = Vec::new();
        while let Some(frame) = body.frame().await {
            let Ok(data) = frame.map_err(unread)?.into_data() else { continue };
            if bytes.len() + data.len() > max {
                return Err(too_large());
            }
            unfinished.add(data.len())?;
            bytes.extend_from_slice(&data);
        }
        if let Some(key) = once {
            key.note_body(&bytes);
        }
        Ok(bytes.into())
    }
}

/// Somebody's try to set what no request can set, for the audit.
fn denied_fields(caller: &Caller, request: &Parts, fields: &[String]) -> Act {
    let name = format!("{} {}", request.method, request.uri.path());
    Act {
        act: DENIED,
        tenant: caller.grant.as_ref().and_then(|grant| grant.tenant_id),
        object: Object { kind: "route", name, ..Object::default() },
        change: Change { before: None, after: Some(json!({ "ignored": fields })) },
    }
}

/// Whether the body says that it is JSON. A page of another origin cannot say so without asking first.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

fn too_large() -> Failure {
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large")
}

fn unread(error: axum::Error) -> Failure {
    match error.into_inner().downcast_ref::<LengthLimitError>() {
        Some(_) => too_large(),
        None => Failure::new(StatusCode::BAD_REQUEST, "malformed"),
    }
}

/// An object without its fields that are null; anything else as it is.
pub fn without_nulls(bytes: Bytes) -> Bytes {
    if !bytes.windows(4).any(|four| four == b"null") {
        return bytes;
    }
    let Ok(fields) = serde_json::from_slice::<BTreeMap<String, &RawValue>>(&bytes) else { return bytes };
    let fields: BTreeMap<_, _> = fields.into_iter().filter(|(_, value)| value.get() != "null").collect();
    serde_json::to_vec(&fields).map_or(bytes, Bytes::from)
}

/// The value, and which of [`NEVER_TAKEN`] stood in it although it has no such field. A field whose name is written in another
/// style is that field; one that is misspelt is refused, and others that are unknown are passed over.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, Vec<String>), Failure> {
    let (value, ignored) = read_fields(bytes)?;
    let (denied, unknown): (Vec<_>, Vec<_>) = ignored.into_iter().partition(|path| is_never_taken(path));
    if unknown.is_empty() {
        return Ok((value, denied));
    }
    let known = KnownNames::of(names::fields_of::<T>().iter().copied());
    let (mut renamed, mut misspelt) = (BTreeMap::new(), Violations::default());
    for name in unknown {
        match known.meant(&name) {
            Meant::Same(field) => drop(renamed.insert(name, field)),
            Meant::Nearly(field) => misspelt.add(field, "misspelt"),
            Meant::Nothing => names::pass_over(&name),
        }
    }
    misspelt.check().map_err(Error::from)?;
    if renamed.is_empty() {
        return Ok((value, denied));
    }
    let given: BTreeMap<String, &RawValue> = serde_json::from_slice(bytes).map_err(Error::internal)?;
    let mut named = BTreeMap::new();
    for (name, value) in &given {
        let name = renamed.get(name).copied().unwrap_or(name);
        if named.insert(name, value).is_some() {
            return Err(Error::field(name, "misspelt").into());
        }
    }
    let (value, _) = read_fields(&serde_json::to_vec(&named).map_err(Error::internal)?)?;
    Ok((value, denied))
}

fn is_never_taken(path: &str) -> bool {
    let last = names::plain(path.rsplit('.').next().unwrap_or_default());
    NEVER_TAKEN.iter().any(|name| names::plain(name) == last)
}

/// The field that stands there twice, if that is what is wrong: serde tells it in words alone.
fn twice(error: &serde_json::Error) -> Option<String> {
    let text = error.to_string();
    let (field, _) = text.strip_prefix("duplicate field `")?.split_once('`')?;
    Some(field.to_owned())
}

/// The value, and the paths of what has no place in it.
fn read_fields<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, Vec<String>), Failure> {
    let malformed = || Failure::new(StatusCode::BAD_REQUEST, "malformed");
    // A list would be taken for the fields in their order.
    if !bytes.trim_ascii_start().starts_with(b"{") {
        serde_json::from_slice::<IgnoredAny>(bytes).map_err(|_| malformed())?;
        return Err(Error::new(Code::Invalid, "invalid", "the body is no object").into());
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let (mut track, mut ignored) = (serde_path_to_error::Track::new(), Vec::new());
    let tracked = serde_path_to_error::Deserializer::new(&mut json, &mut track);
    let value = serde_ignored::deserialize(tracked, |path| ignored.push(path.to_string()));
    let value = value.map_err(|error: serde_json::Error| {
        let path = track.path().to_string();
        match twice(&error) {
            Some(field) => Error::field(&field, "named_twice").into(),
            None if error.is_data() => Error::field(&path, "wrong_type").into(),
            None => malformed(),
        }
    })?;
    json.end().map_err(|_| malformed())?;
    Ok((value, ignored))
}
