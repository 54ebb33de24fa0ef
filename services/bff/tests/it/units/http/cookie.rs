//! The cookie that waits for a browser at a provider of identities.

use armada_bff::rules::http::Oidc;
use axum::response::AppendHeaders;
use axum_extra::extract::CookieJar;
use http::{HeaderMap, header::COOKIE};

#[test]
fn oidc_state_cookie_round_trips() {
    let oidc = Oidc { state_token: "a.b-c_d".to_owned(), next: "/devices?q=a:b;c&page=2#é".to_owned() };
    for (secure, name, path) in [(true, "__Host-armada_oidc=", "Path=/;"), (false, "armada_oidc=", "Path=/auth/oidc;")]
    {
        let AppendHeaders([(_, header)]) = oidc.set(secure);
        let (cookie, attributes) = header.split_once(';').expect("attributes");
        assert!(cookie.starts_with(name) && format!("{attributes};").contains(path), "{header}");
        for part in ["HttpOnly", "SameSite=Lax", "Max-Age=600"] {
            assert!(attributes.contains(part), "{header}");
        }
        assert_eq!((attributes.contains("Secure"), attributes.contains("Domain")), (secure, false), "{header}");
        let headers = HeaderMap::from_iter([(COOKIE, cookie.parse().expect("a header"))]);
        let jar = CookieJar::from_headers(&headers);
        let read = Oidc::of(&jar, secure).expect("it is there");
        assert_eq!((read.state_token, read.next), (oidc.state_token.clone(), oidc.next.clone()));
        assert!(Oidc::of(&jar, !secure).is_none(), "one of the other name is not taken");
    }
}
