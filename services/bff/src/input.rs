//! The body of a request: one JSON value of a known form.

use armada_runtime::{Code, Error};
use axum::{
    body::Bytes,
    extract::{FromRequest, Request, rejection::BytesRejection},
};
use http::{HeaderMap, StatusCode, header::CONTENT_TYPE};
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::failure::Failure;

/// Bytes that a body may have.
pub(crate) const BODY_MAX: usize = 1 << 20;

/// A body that was read.
pub(crate) struct Input<T>(pub(crate) T);

impl<S, T> FromRequest<S> for Input<T>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        if !is_json(request.headers()) {
            return Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type"));
        }
        let bytes = Bytes::from_request(request, state).await.map_err(unread)?;
        read(&bytes).map(Self)
    }
}

/// Whether the body says that it is JSON. A page of another origin cannot say so without asking first.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

fn unread(rejection: BytesRejection) -> Failure {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"),
        _ => Failure::new(StatusCode::BAD_REQUEST, "malformed"),
    }
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Failure> {
    let malformed = || Failure::new(StatusCode::BAD_REQUEST, "malformed");
    // A list would be taken for the fields in their order.
    if !bytes.trim_ascii_start().starts_with(b"{") {
        serde_json::from_slice::<IgnoredAny>(bytes).map_err(|_| malformed())?;
        return Err(Error::new(Code::Invalid, "invalid", "the body is no object").into());
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        if error.inner().is_data() { Error::field(&path, "wrong_type").into() } else { malformed() }
    })?;
    json.end().map_err(|_| malformed())?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use armada_proto::v1::DeviceInput;

    use super::*;

    fn refused(body: &str) -> (String, Vec<String>) {
        let failure = read::<DeviceInput>(body.as_bytes()).expect_err("it is wrong");
        (failure.error().code.clone(), failure.error().fields.keys().cloned().collect())
    }

    #[test]
    fn what_is_no_json_is_malformed() {
        for body in ["", "{", "{\"name\":}", "{} {}", "{\"name\":\"a\"} x", "\u{feff}{}"] {
            assert_eq!(refused(body), ("malformed".to_owned(), vec![]), "{body}");
        }
    }

    #[test]
    fn a_wrong_type_names_its_field() {
        assert_eq!(refused("{\"name\":5}"), ("invalid".to_owned(), vec!["name".to_owned()]));
        assert_eq!(refused("{\"status\":\"flying\"}"), ("invalid".to_owned(), vec!["status".to_owned()]));
        assert_eq!(refused("{\"max_parking_time\":-1}"), ("invalid".to_owned(), vec!["max_parking_time".to_owned()]));
        for body in ["[]", "[\"a\"]", "null", "5"] {
            assert_eq!(refused(body), ("invalid".to_owned(), vec![]), "{body}");
        }
    }

    #[test]
    fn the_body_names_neither_id_nor_version() {
        let input: DeviceInput = read(b"{\"id\":\"x\",\"row_version\":7,\"name\":\"a\"}").expect("it is right");
        assert_eq!(input, DeviceInput { name: Some("a".to_owned()), ..DeviceInput::default() });
    }
}
