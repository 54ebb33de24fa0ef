//! Signing in by a provider of OpenID Connect, which the test starts.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use armada_identity::{Config, OidcConfig};
use armada_proto::{
    Timestamp,
    v1::{
        Empty, GetRequest, OidcFinishRequest, OidcStart, OidcStartRequest, RegistrationInput, Session, UserInput,
        UserStatus, account_client::AccountClient, registration_client::RegistrationClient,
    },
};
use armada_runtime::{Code, Result, Secret};
use armada_testkit::{Kind, both_databases};
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
use support::{Identity, PASSWORD, answer};

const EMAIL: &str = "budi@example.org";
const REDIRECT: &str = "https://fleet.example/auth/oidc/callback";

/// The provider: whoever comes is Budi, unless the test says otherwise.
#[derive(Clone)]
struct Provider {
    issuer: String,
    keys: Arc<HashMap<&'static str, (Algorithm, EncodingKey)>>,
    plan: Arc<Mutex<Plan>>,
}

/// What the next ID token says.
#[derive(Clone)]
struct Plan {
    algorithm: &'static str,
    /// From the authorization request.
    nonce: String,
    challenge: String,
    /// Changes of the claims.
    claims: Value,
    /// A header in place of the right one.
    header: Option<Header>,
}

impl Provider {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let plan = Plan {
            algorithm: "EdDSA",
            nonce: String::new(),
            challenge: String::new(),
            claims: json!({}),
            header: None,
        };
        let provider = Self { issuer, keys: Arc::new(keys()), plan: Arc::new(Mutex::new(plan)) };
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/jwks", get(jwks))
            .route("/token", post(token))
            .with_state(provider.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        provider
    }

    fn plan(&self, change: impl FnOnce(&mut Plan)) {
        change(&mut self.plan.lock().unwrap());
    }
}

fn keys() -> HashMap<&'static str, (Algorithm, EncodingKey)> {
    let ec = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new()).unwrap();
    let prefix = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
    HashMap::from([
        ("EdDSA", (Algorithm::EdDSA, EncodingKey::from_ed_der(&[prefix.as_slice(), &[5; 32]].concat()))),
        ("ES256", (Algorithm::ES256, EncodingKey::from_ec_der(ec.as_ref()))),
        ("RS256", (Algorithm::RS256, EncodingKey::from_rsa_der(include_bytes!("support/provider.rsa.der")))),
    ])
}

async fn discovery(State(provider): State<Provider>) -> Json<Value> {
    let issuer = &provider.issuer;
    Json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize?tenant=1"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/jwks"),
    }))
}

async fn jwks(State(provider): State<Provider>) -> Json<Value> {
    let keys = provider.keys.iter().map(|(name, (algorithm, key))| {
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
) -> std::result::Result<Json<Value>, StatusCode> {
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

impl Identity {
    async fn with_provider(kind: Kind) -> (Self, Provider) {
        let provider = Provider::start().await;
        let oidc = OidcConfig {
            issuer: provider.issuer.clone(),
            client_id: "armada".to_owned(),
            client_secret: Secret::new("p:ss".to_owned()),
            name: "Direktori".to_owned(),
        };
        let config =
            Config { oidc: Some(oidc), public_url: Some("https://fleet.example".to_owned()), ..support::config() };
        (Self::start_with(kind, config).await, provider)
    }

    async fn begin(&self, provider: &Provider) -> Result<(OidcStart, HashMap<String, String>)> {
        let request = OidcStartRequest { redirect_uri: REDIRECT.to_owned() };
        let start = answer(self.sessions().start_oidc(request).await)?;
        let (_, query) = start.authorization_url.split_once('?').unwrap();
        let query: HashMap<_, _> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        provider.plan(|plan| {
            plan.nonce = query["nonce"].clone();
            plan.challenge = query["code_challenge"].clone();
        });
        Ok((start, query))
    }

    async fn finish(&self, start: &OidcStart, state: &str, code: &str) -> Result<Session> {
        let request = OidcFinishRequest {
            redirect_uri: REDIRECT.to_owned(),
            state_token: start.state_token.clone(),
            state: state.to_owned(),
            code: code.to_owned(),
        };
        answer(self.sessions().finish_oidc(request).await)
    }

    /// All of it, as the plan says.
    async fn through(&self, provider: &Provider) -> Result<Session> {
        let (start, query) = self.begin(provider).await?;
        self.finish(&start, &query["state"], "the code").await
    }
}

both_databases! {
    async fn whoever_has_the_address_is_signed_in(kind: Kind) -> anyhow::Result<()> {
        let (identity, provider) = Identity::with_provider(kind).await;
        let options = answer(identity.sessions().options(Empty {}).await)?;
        assert_eq!(options.oidc_name.as_deref(), Some("Direktori"));
        let nobody = identity.through(&provider).await.unwrap_err();
        assert_eq!((nobody.class, nobody.code.as_str()), (Code::Unauthenticated, "oidc_no_account"), "it makes no users");
        let tenant = identity.tenant("Acme").await;
        let user = identity.user(&tenant, EMAIL).await;
        for algorithm in ["EdDSA", "ES256", "RS256"] {
            provider.plan(|plan| plan.algorithm = algorithm);
            let session = identity.through(&provider).await?;
            assert_eq!(session.user.unwrap().id, user.id, "{algorithm}");
        }
        let (_, query) = identity.begin(&provider).await?;
        let fixed = [
            ("tenant", "1"),
            ("response_type", "code"),
            ("client_id", "armada"),
            ("redirect_uri", REDIRECT),
            ("scope", "openid email"),
            ("code_challenge_method", "S256"),
        ];
        for (name, value) in fixed {
            assert_eq!(query[name], value, "{name}");
        }
        let off = UserInput { id: user.id, is_active: Some(false), ..UserInput::default() };
        answer(identity.users().update(identity.owner.sign(off)).await)?;
        assert_eq!(identity.through(&provider).await.unwrap_err(), nobody);
        identity.running.stop().await
    }

    async fn whoever_is_invited_comes_in_without_a_password(kind: Kind) -> anyhow::Result<()> {
        let (identity, provider) = Identity::with_provider(kind).await;
        let tenant = identity.tenant("Acme").await;
        let input = UserInput { tenant_id: Some(tenant.id.clone()), password: None, invite: true, ..support::new_user(EMAIL) };
        let user = answer(identity.users().create(identity.owner.sign(input)).await)?;
        assert_eq!(user.status(), UserStatus::Invited);
        let session = identity.through(&provider).await?;
        let caller = identity.caller(&session).await;
        let mut account = AccountClient::new(identity.running.context.peers.transport("identity")?);
        assert!(!answer(account.get_profile(caller.sign(Empty {})).await)?.has_password);
        for password in ["", PASSWORD] {
            identity.login(EMAIL, password).await.unwrap_err();
        }
        let get = GetRequest { id: user.id };
        assert_eq!(answer(identity.users().get(identity.owner.sign(get)).await)?.status(), UserStatus::Active);
        identity.through(&provider).await?;
        identity.running.stop().await
    }

    /// A stranger has registered it, with a password that they know.
    async fn a_password_of_before_does_not_hold(kind: Kind) -> anyhow::Result<()> {
        let (identity, provider) = Identity::with_provider(kind).await;
        let input = RegistrationInput {
            company: "Somebody".to_owned(),
            name: "Budi".to_owned(),
            email: EMAIL.to_owned(),
            phone: "0812".to_owned(),
            password: PASSWORD.to_owned(),
            accepts_terms: true,
            ..RegistrationInput::default()
        };
        let mut registration = RegistrationClient::new(identity.running.context.peers.transport("identity")?);
        answer(registration.register(input).await)?;
        identity.through(&provider).await?;
        assert_eq!(identity.login(EMAIL, PASSWORD).await.unwrap_err().code, "login_failed");
        identity.running.stop().await
    }

    async fn tokens_that_are_not_good_are_refused(kind: Kind) -> anyhow::Result<()> {
        let (identity, provider) = Identity::with_provider(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, EMAIL).await;
        let now = Timestamp::now().millis() / 1000;
        for claims in [
            json!({ "iss": "https://evil.example" }),
            json!({ "aud": "other" }),
            json!({ "aud": ["other", "armada"], "azp": "other" }),
            json!({ "nonce": "other" }),
            json!({ "nonce": null }),
            json!({ "exp": now - 3600 }),
            json!({ "nbf": now + 3600 }),
            json!({ "email_verified": false }),
            json!({ "email_verified": null }),
            json!({ "email": null }),
        ] {
            provider.plan(|plan| plan.claims = claims.clone());
            assert_eq!(identity.through(&provider).await.unwrap_err().code, "oidc_failed", "{claims}");
        }
        provider.plan(|plan| plan.claims = json!({}));
        let named = |algorithm, kid: Option<&str>| Header { kid: kid.map(str::to_owned), ..Header::new(algorithm) };
        for header in [
            named(Algorithm::HS256, Some("EdDSA")),
            named(Algorithm::EdDSA, Some("unknown")),
            named(Algorithm::EdDSA, Some("RS256")),
        ] {
            provider.plan(|plan| plan.header = Some(header.clone()));
            assert_eq!(identity.through(&provider).await.unwrap_err().code, "oidc_failed", "{header:?}");
        }
        // The only key of its kind needs no name.
        provider.plan(|plan| plan.header = Some(named(Algorithm::EdDSA, None)));
        identity.through(&provider).await?;
        identity.running.stop().await
    }

    async fn an_answer_fits_one_browser_once(kind: Kind) -> anyhow::Result<()> {
        let (identity, provider) = Identity::with_provider(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, EMAIL).await;
        let (start, query) = identity.begin(&provider).await?;
        let state = query["state"].clone();
        let (other, _) = identity.begin(&provider).await?;
        for (start, state, code) in [(&other, &*state, "the code"), (&start, "other", "the code"), (&start, &*state, "")] {
            assert_eq!(identity.finish(start, state, code).await.unwrap_err().code, "oidc_failed");
        }
        let forged = OidcStart { state_token: "AQ".to_owned(), ..start.clone() };
        assert_eq!(identity.finish(&forged, &state, "the code").await.unwrap_err().code, "oidc_failed");
        let (start, query) = identity.begin(&provider).await?;
        identity.finish(&start, &query["state"], "the code").await?;
        assert_eq!(identity.finish(&start, &query["state"], "the code").await.unwrap_err().code, "oidc_failed");
        let (start, query) = identity.begin(&provider).await?;
        assert_eq!(identity.finish(&start, &query["state"], "another code").await.unwrap_err().code, "oidc_failed");
        let elsewhere = OidcStartRequest { redirect_uri: "https://evil.example/".to_owned() };
        assert_eq!(answer(identity.sessions().start_oidc(elsewhere).await).unwrap_err().fields["redirect_uri"], "unknown");
        // Passwords work beside it.
        identity.login(EMAIL, PASSWORD).await?;
        identity.running.stop().await
    }
}
