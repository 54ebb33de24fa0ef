//! Cookies, none of which scripts can read. The refresh token lives in one that other sites cannot send; another one waits
//! for the browser to come back from a provider of identities.

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
    header(NAME, value, PATH, SameSite::Strict, max_age, secure)
}

fn header(name: &str, value: &str, path: &str, site: SameSite, max_age: i64, secure: bool) -> SetCookie {
    let mut cookie = Cookie::new(name, value);
    cookie.set_http_only(true);
    cookie.set_same_site(site);
    cookie.set_path(path);
    cookie.set_secure(secure);
    AppendHeaders([(SET_COOKIE, format!("{}; Max-Age={max_age}", cookie.encoded()))])
}

/// What waits for a browser that is at a provider of identities.
pub(crate) struct Oidc {
    /// Binds the provider's answer to this browser.
    pub(crate) state_token: String,
    /// The path to go to in the end.
    pub(crate) next: String,
}

impl Oidc {
    const NAME: &str = "armada_oidc";
    const PATH: &str = "/auth/oidc";
    /// Seconds that somebody may take at the provider.
    const LIFE: i64 = 600;

    /// From the cookie of a request.
    pub(crate) fn of(jar: &CookieJar) -> Option<Self> {
        let (state_token, next) = jar.get(Self::NAME)?.value().split_once(':')?;
        Some(Self { state_token: state_token.to_owned(), next: next.to_owned() })
    }

    /// Sets the cookie. The provider's page is another site, and coming back from it must bring the cookie along: hence
    /// it is no strict one.
    pub(crate) fn set(&self, secure: bool) -> SetCookie {
        let value = format!("{}:{}", self.state_token, self.next);
        header(Self::NAME, &value, Self::PATH, SameSite::Lax, Self::LIFE, secure)
    }

    /// Takes the cookie away.
    pub(crate) fn none(secure: bool) -> SetCookie {
        header(Self::NAME, "", Self::PATH, SameSite::Lax, 0, secure)
    }
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, header::COOKIE};

    use super::*;

    #[test]
    fn a_browser_brings_back_what_it_was_sent_away_with() {
        let oidc = Oidc { state_token: "a.b-c_d".to_owned(), next: "/devices?q=a:b;c&page=2#é".to_owned() };
        let AppendHeaders([(_, header)]) = oidc.set(true);
        let (cookie, attributes) = header.split_once(';').expect("attributes");
        for part in ["HttpOnly", "SameSite=Lax", "Secure", "Path=/auth/oidc", "Max-Age=600"] {
            assert!(attributes.contains(part), "{header}");
        }
        let headers = HeaderMap::from_iter([(COOKIE, cookie.parse().expect("a header"))]);
        let read = Oidc::of(&CookieJar::from_headers(&headers)).expect("it is there");
        assert_eq!((read.state_token, read.next), (oidc.state_token, oidc.next));
    }
}
