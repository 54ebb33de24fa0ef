//! The refresh token lives in a cookie that scripts cannot read and other sites cannot send.

use armada_proto::{Timestamp, v1::Session};
use axum::response::AppendHeaders;
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use http::header::{HeaderName, SET_COOKIE};

const NAME: &str = "armada_refresh";
/// Where it is sent: to signing in, renewing and signing out alone.
const PATH: &str = "/auth";

/// The header that sets it.
type SetCookie = AppendHeaders<[(HeaderName, String); 1]>;

/// The refresh token of a request.
pub(crate) fn token(jar: &CookieJar) -> Option<String> {
    jar.get(NAME).map(|cookie| cookie.value().to_owned()).filter(|token| !token.is_empty())
}

/// Sets the cookie of a session, until the session ends.
pub(crate) fn of_session(session: &Session, secure: bool) -> SetCookie {
    let ends = session.refresh_expires_at.unwrap_or_default().millis();
    set(&session.refresh_token, (ends - Timestamp::now().millis()).max(0) / 1000, secure)
}

/// Takes the cookie away.
pub(crate) fn none(secure: bool) -> SetCookie {
    set("", 0, secure)
}

fn set(value: &str, max_age: i64, secure: bool) -> SetCookie {
    let mut cookie = Cookie::new(NAME, value.to_owned());
    cookie.set_http_only(true);
    cookie.set_same_site(SameSite::Strict);
    cookie.set_path(PATH);
    cookie.set_secure(secure);
    AppendHeaders([(SET_COOKIE, format!("{cookie}; Max-Age={max_age}"))])
}
