//! Access tokens that nobody should believe, and keys that come and go.

use std::time::Duration;

use armada_identity::Config;
use armada_proto::{
    Timestamp,
    v1::{Empty, RefreshRequest, Session},
};
use armada_runtime::{Error, Result, auth::Signer};
use armada_testkit::{both_databases, eventually};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header, jwk::Jwk};
use serde_json::{Value, json};
use tonic::Request;

use crate::support::{self, Identity, PASSWORD, answer};

/// How long keys may take to come and go here.
const TIMEOUT: Duration = Duration::from_secs(90);

impl Identity {
    /// What a token opens.
    async fn me(&self, token: &str) -> Result<String> {
        let mut request = Request::new(Empty {});
        request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        Ok(answer(self.sessions().me(request).await)?.email)
    }

    async fn first_session(&self) -> Session {
        self.first_owner().await;
        let session = self.login("admin@armada.local", PASSWORD).await.unwrap();
        self.caller(&session).await;
        session
    }
}

/// The private key of a seed, as programs other than ours read it (RFC 8410).
fn key_of(seed: &[u8; 32]) -> EncodingKey {
    let prefix = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
    EncodingKey::from_ed_der(&[prefix.as_slice(), seed].concat())
}

/// The header and the claims of a token.
fn read(token: &str) -> (Value, Value) {
    let mut parts = token.split('.').map(|part| URL_SAFE_NO_PAD.decode(part).unwrap());
    let mut next = || serde_json::from_slice(&parts.next().unwrap()).unwrap();
    (next(), next())
}

fn kid(token: &str) -> String {
    read(token).0["kid"].as_str().unwrap().to_owned()
}

/// A token with these claims, and this header.
fn signed(header: &Value, claims: &Value, key: &EncodingKey) -> String {
    let header: Header = serde_json::from_value(header.clone()).unwrap();
    jsonwebtoken::encode(&header, claims, key).unwrap()
}

fn with(value: &Value, name: &str, wanted: Value) -> Value {
    let mut changed = value.clone();
    changed[name] = wanted;
    changed
}

fn without(value: &Value, name: &str) -> Value {
    let mut changed = value.clone();
    changed.as_object_mut().unwrap().remove(name);
    changed
}

both_databases! {
    async fn rejects_forged_tokens(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let session = identity.first_session().await;
        assert_eq!(identity.me(&session.token).await?, "admin@armada.local");
        let (header, claims) = read(&session.token);

        // A key of identity that the test has as well, to sign what identity never would.
        let (seed, foreign) = ([7; 32], [8; 32]);
        identity.running.context.keys.hold(&Signer::from_seed("known".to_owned(), &seed)?);
        let fleet = identity.running.context.of("fleet")?.service_key;
        let (key, known) = (key_of(&seed), with(&header, "kid", json!("known")));
        assert_eq!(identity.me(&signed(&known, &claims, &key)).await?, "admin@armada.local", "the control");

        let now = Timestamp::now().millis() / 1000;
        let public = Jwk::from_encoding_key(&key, Algorithm::EdDSA)?;
        let x = serde_json::to_value(&public)?["x"].as_str().unwrap().to_owned();
        let hs256 = with(&known, "alg", json!("HS256"));
        let none = json!({ "alg": "none", "typ": "at+jwt", "kid": header["kid"] });
        let encoded = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let payload = session.token.split('.').nth(1).unwrap();
        let secret = EncodingKey::from_secret;
        let attacks = [
            ("no signature", format!("{}.{payload}.", encoded(&none))),
            ("the signature cut off", session.token.rsplit_once('.').unwrap().0.to_owned() + "."),
            ("HS256 with the public key", signed(&hs256, &claims, &secret(&URL_SAFE_NO_PAD.decode(&x)?))),
            ("HS256 with its text", signed(&hs256, &claims, &secret(x.as_bytes()))),
            ("another key under a known name", signed(&header, &claims, &key_of(&foreign))),
            ("a name that nobody knows", signed(&with(&header, "kid", json!("unknown")), &claims, &key)),
            ("no name", signed(&without(&header, "kid"), &claims, &key)),
            ("a path as a name", signed(&with(&header, "kid", json!("../known")), &claims, &key)),
            (
                "a key that the token brings along",
                signed(&with(&header, "jwk", serde_json::to_value(&public)?), &claims, &key),
            ),
            (
                "an address of keys",
                signed(&with(&header, "jku", json!("https://evil.example/jwks.json")), &claims, &key),
            ),
            ("a key of another service", {
                fleet.statement("at+jwt", &claims)?
            }),
            ("another audience", signed(&known, &with(&claims, "aud", json!("other")), &key)),
            ("no audience", signed(&known, &without(&claims, "aud"), &key)),
            ("another issuer", signed(&known, &with(&claims, "iss", json!("other")), &key)),
            ("another subject", signed(&known, &with(&claims, "sub", json!("0190a0a0-0000-7000-8000-000000000000")), &key)),
            ("a token of another type", signed(&with(&known, "typ", json!("JWT")), &claims, &key)),
            ("no type", signed(&without(&known, "typ"), &claims, &key)),
            ("a service's type", signed(&with(&known, "typ", json!("service+jwt")), &claims, &key)),
            ("a ticket's type", signed(&with(&known, "typ", json!("ticket+jwt")), &claims, &key)),
            ("ended a second ago", signed(&known, &with(&claims, "exp", json!(now - 1)), &key)),
            ("ends now", signed(&known, &with(&claims, "exp", json!(now)), &key)),
            ("no end", signed(&known, &without(&claims, "exp"), &key)),
            ("begins later", signed(&known, &with(&claims, "nbf", json!(now + 60)), &key)),
            ("a refresh token", session.refresh_token.clone()),
            ("nothing", String::new()),
            ("dots", "..".to_owned()),
        ];
        for (name, token) in attacks {
            assert_eq!(identity.me(&token).await.unwrap_err(), Error::unauthenticated(), "{name}");
        }
        // What a token says of rights is not what counts.
        let more = with(&with(&claims, "is_tenant_admin", json!(true)), "policy_version", json!(99));
        assert_eq!(identity.me(&signed(&known, &more, &key)).await?, "admin@armada.local");
        identity.running.stop().await
    }

    async fn keys_change_and_no_token_fails(kind: Kind) -> anyhow::Result<()> {
        let config = Config { signing_key_seconds: 10, access_token_seconds: 3, ..support::config() };
        let identity = Identity::start_with(kind, config).await;
        let mut session = identity.first_session().await;
        let first = kid(&session.token);
        // Another process, which learns of keys from the bucket alone.
        let other = identity.world.context(&[]).await;
        tokio::spawn(other.keys.clone().follow(other.shutdown.clone()));
        tokio::spawn(other.policies.clone().follow(other.shutdown.clone()));
        let verifier = other.verifier();
        let mut verified = 0;
        eventually("another key signs, and the first one is believed no more", TIMEOUT, async || {
            let request = RefreshRequest { refresh_token: session.refresh_token.clone() };
            session = answer(identity.sessions().refresh(request).await).expect("the session goes on");
            verifier.caller(&session.token).await.expect("the token is good as soon as it is made");
            verified += 1;
            let keys = serde_json::to_string(&other.keys.user_keys())?;
            anyhow::ensure!(kid(&session.token) != first && !keys.contains(&first), "{keys}");
            Ok(())
        })
        .await;
        assert!(verified > 2);
        other.shutdown.cancel();
        identity.running.stop().await
    }
}
