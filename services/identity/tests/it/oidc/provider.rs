//! The provider, which the tests start.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use armada_proto::Timestamp;
use axum::{
    Json, Router,
    extract::{Form, State},
    http::{HeaderMap, StatusCode},
    routing::{get, post},
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use jsonwebtoken::{Algorithm, EncodingKey, Header, jwk::Jwk};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub(super) const REDIRECT: &str = "https://fleet.example/auth/oidc/callback";

/// The provider: whoever comes is Budi, unless the test says otherwise.
#[derive(Clone)]
pub(super) struct Provider {
    pub(super) issuer: String,
    keys: Arc<HashMap<&'static str, (Algorithm, EncodingKey)>>,
    plan: Arc<Mutex<Plan>>,
    /// How often each of its pages was asked for.
    asked: Arc<Mutex<HashMap<&'static str, usize>>>,
}

/// What the next ID token says.
#[derive(Clone)]
pub(super) struct Plan {
    pub(super) algorithm: &'static str,
    /// From the authorization request.
    pub(super) nonce: String,
    pub(super) challenge: String,
    /// Changes of the claims.
    pub(super) claims: Value,
    /// A header in place of the right one.
    pub(super) header: Option<Header>,
    /// A key that it does not show yet.
    pub(super) hidden: Option<&'static str>,
}

impl Provider {
    pub(super) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let plan = Plan {
            algorithm: "EdDSA",
            nonce: String::new(),
            challenge: String::new(),
            claims: json!({}),
            header: None,
            hidden: None,
        };
        let provider = Self { issuer, keys: Arc::new(keys()), plan: Arc::new(Mutex::new(plan)), asked: Arc::default() };
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/jwks", get(jwks))
            .route("/token", post(token))
            .with_state(provider.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        provider
    }

    fn count(&self, page: &'static str) {
        *self.asked.lock().unwrap().entry(page).or_default() += 1;
    }

    /// How often a page was asked for so far.
    pub(super) fn request_count(&self, page: &str) -> usize {
        self.asked.lock().unwrap().get(page).copied().unwrap_or_default()
    }

    pub(super) fn plan(&self, change: impl FnOnce(&mut Plan)) {
        change(&mut self.plan.lock().unwrap());
    }
}

fn keys() -> HashMap<&'static str, (Algorithm, EncodingKey)> {
    let ec = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new()).unwrap();
    let prefix = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
    HashMap::from([
        ("EdDSA", (Algorithm::EdDSA, EncodingKey::from_ed_der(&[prefix.as_slice(), &[5; 32]].concat()))),
        ("ES256", (Algorithm::ES256, EncodingKey::from_ec_der(ec.as_ref()))),
        ("RS256", (Algorithm::RS256, EncodingKey::from_rsa_der(include_bytes!("../support/provider.rsa.der")))),
    ])
}

async fn discovery(State(provider): State<Provider>) -> Json<Value> {
    provider.count("discovery");
    let issuer = &provider.issuer;
    Json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize?tenant=1"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/jwks"),
    }))
}

async fn jwks(State(provider): State<Provider>) -> Json<Value> {
    provider.count("jwks");
    let hidden = provider.plan.lock().unwrap().hidden;
    let shown = provider.keys.iter().filter(|(name, _)| Some(**name) != hidden);
    let keys = shown.map(|(name, (algorithm, key))| {
        let mut jwk = Jwk::from_encoding_key(key, *algorithm).unwrap();
        jwk.common.key_id = Some((*name).to_owned());
        jwk
    });
    Json(json!({ "keys": keys.collect::<Vec<_>>() }))
}

/// RFC 6749 §4.1.3 with the proof of RFC 7636 §4.6.
async fn token(
    State(provider): State<Provider>,
    headers: HeaderMap,
    Form(form): Form<HashMap<String, String>>,
) -> Result<Json<Value>, StatusCode> {
    let plan = provider.plan.lock().unwrap().clone();
    let basic = format!("Basic {}", STANDARD.encode("armada:p%3Ass"));
    let proof = URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]));
    let good = headers.get("authorization").is_some_and(|value| value.to_str().unwrap() == basic)
        && form["grant_type"] == "authorization_code"
        && form["code"] == "the code"
        && form["redirect_uri"] == REDIRECT
        && proof == plan.challenge;
    if !good {
        return Err(StatusCode::BAD_REQUEST);
    }
    let now = Timestamp::now().millis() / 1000;
    let mut claims = json!({
        "iss": provider.issuer, "aud": "armada", "sub": "1", "iat": now, "exp": now + 300, "nonce": plan.nonce,
        "email": "Budi@Example.org", "email_verified": true,
    });
    for (name, value) in plan.claims.as_object().unwrap() {
        claims[name] = value.clone();
    }
    let (algorithm, key) = &provider.keys[plan.algorithm];
    let header = plan.header.unwrap_or_else(|| {
        let mut header = Header::new(*algorithm);
        header.kid = Some(plan.algorithm.to_owned());
        header
    });
    let signed = match header.alg {
        // With the public key of another one as the secret, which everybody knows.
        Algorithm::HS256 => {
            let x = serde_json::to_value(Jwk::from_encoding_key(key, *algorithm).unwrap()).unwrap()["x"].clone();
            EncodingKey::from_secret(x.as_str().unwrap().as_bytes())
        }
        _ => key.clone(),
    };
    Ok(Json(json!({ "access_token": "x", "id_token": jsonwebtoken::encode(&header, &claims, &signed).unwrap() })))
}
