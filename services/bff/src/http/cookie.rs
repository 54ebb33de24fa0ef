//! Cookies, none of which scripts can read. The refresh token lives in one that other sites cannot send; another one waits
//! for the browser to come back from a provider of identities, and one tells a browser that has signed in before.
//!
//! Over https their names begin with `__Host-`, so that no other host of the domain can set them; browsers want the path
//! `/` for that. Without TLS there is no such name, and the path says where they are needed.

use armada_proto::{Timestamp, v1::Session};
use axum::response::AppendHeaders;
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use http::header::{HeaderName, SET_COOKIE};

const NAME: &str = "armada_refresh";
/// Where it is needed: to signing in, renewing and signing out alone.
const PATH: &str = "/auth";
const DEVICE: &str = "armada_device";
/// As long as identity knows a browser by it: a year.
const DEVICE_LIFE: i64 = 365 * 24 * 3600;
/// Of a name that only this host sets, over https.
const OWN_HOST: &str = "__Host-";

/// The header that sets it.
type SetCookie = AppendHeaders<[(HeaderName, String); 1]>;

/// The refresh token of a request.
pub(crate) fn token(jar: &CookieJar, secure: bool) -> Option<String> {
    value(jar, NAME, secure)
}

/// What the browser of a request is known by.
pub(crate) fn device(jar: &CookieJar, secure: bool) -> Option<String> {
    value(jar, DEVICE, secure)
}

fn value(jar: &CookieJar, name: &str, secure: bool) -> Option<String> {
    jar.get(&named(name, secure)).map(|cookie| cookie.value().to_owned()).filter(|token| !token.is_empty())
}

/// Sets the cookie of a session, until the session ends.
fn of_session(session: &Session, secure: bool) -> SetCookie {
    let ends = session.refresh_expires_at.unwrap_or_default().millis();
    set(&session.refresh_token, (ends - Timestamp::now().millis()).max(0) / 1000, secure)
}

/// Takes the cookie away.
pub(crate) fn none(secure: bool) -> SetCookie {
    set("", 0, secure)
}

/// Sets the cookies of a sign-in: that of the session, and what the browser is known by.
pub(crate) fn of_sign_in(session: &Session, secure: bool) -> (SetCookie, Option<SetCookie>) {
    (of_session(session, secure), of_device(session, secure))
}

/// Sets what the browser is known by, if there is something new.
fn of_device(session: &Session, secure: bool) -> Option<SetCookie> {
    let set = || header(DEVICE, &session.device, PATH, SameSite::Strict, DEVICE_LIFE, secure);
    (!session.device.is_empty()).then(set)
}

fn set(value: &str, max_age: i64, secure: bool) -> SetCookie {
    header(NAME, value, PATH, SameSite::Strict, max_age, secure)
}

fn header(name: &str, value: &str, path: &str, site: SameSite, max_age: i64, secure: bool) -> SetCookie {
    let mut cookie = Cookie::new(named(name, secure), value);
    cookie.set_http_only(true);
    cookie.set_same_site(site);
    cookie.set_path(if secure { "/" } else { path });
    cookie.set_secure(secure);
    AppendHeaders([(SET_COOKIE, format!("{}; Max-Age={max_age}", cookie.encoded()))])
}

fn named(name: &str, secure: bool) -> String {
    if secure { format!("{OWN_HOST}{name}") } else { name.to_owned() }
}

/// What waits for a browser that is at a provider of identities.
pub struct Oidc {
    /// Binds the provider's answer to this browser.
    pub state_token: String,
    /// The path to go to in the end.
    pub next: String,
}

impl Oidc {
    const NAME: &str = "armada_oidc";
    const PATH: &str = "/auth/oidc";
    /// Seconds that somebody may take at the provider.
    const LIFE: i64 = 600;

    /// From the cookie of a request.
    pub fn of(jar: &CookieJar, secure: bool) -> Option<Self> {
        let value = value(jar, Self::NAME, secure)?;
        let (state_token, next) = value.split_once(':')?;
        Some(Self { state_token: state_token.to_owned(), next: next.to_owned() })
    }

    /// Sets the cookie. The provider's page is another site, and coming back from it must bring the cookie along: hence
    /// it is no strict one.
    pub fn set(&self, secure: bool) -> SetCookie {
        let value = format!("{}:{}", self.state_token, self.next);
        header(Self::NAME, &value, Self::PATH, SameSite::Lax, Self::LIFE, secure)
    }

    /// Takes the cookie away.
    pub(crate) fn none(secure: bool) -> SetCookie {
        header(Self::NAME, "", Self::PATH, SameSite::Lax, 0, secure)
    }
}
