//! Signing in by a provider of OpenID Connect, which the test starts.

mod provider;

use std::collections::HashMap;

use armada_identity::{Config, OidcConfig};
use armada_proto::{
    Timestamp,
    v1::{
        ConfirmTotpRequest, Empty, GetRequest, LinkPurpose, OidcCodeRequest, OidcFinish, OidcFinishRequest, OidcStart,
        OidcStartRequest, ReauthenticationRequest, RegistrationInput, Session, UserInput, UserStatus,
        account_client::AccountClient,
    },
};
use armada_runtime::{Code, Result, Scope, Secret};
use armada_testkit::{Kind, both_databases};
use jsonwebtoken::{Algorithm, Header};
use sea_orm::ConnectionTrait;
use serde_json::json;
use totp_rs::{Builder, Secret as Secret32};

use self::provider::{Provider, REDIRECT};
use crate::support::{self, Identity, PASSWORD, answer, new_user, token_of};

const EMAIL: &str = "budi@example.org";

impl Identity {
    async fn with_provider(kind: Kind) -> (Self, Provider) {
        let provider = Provider::start().await;
        let oidc = OidcConfig {
            issuer: provider.issuer.clone(),
            client_id: "armada".to_owned(),
            client_secret: Secret::new("p:ss".to_owned()),
            name: "Direktori".to_owned(),
            multi_factor: vec!["mfa".to_owned()],
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

    async fn finish(&self, start: &OidcStart, state: &str, code: &str) -> Result<OidcFinish> {
        let request = OidcFinishRequest {
            redirect_uri: REDIRECT.to_owned(),
            state_token: start.state_token.clone(),
            state: state.to_owned(),
            code: code.to_owned(),
        };
        answer(self.sessions().finish_oidc(request).await)
    }

    /// All of it, as the plan says.
    async fn sign_in_through(&self, provider: &Provider) -> Result<Session> {
        Ok(self.finish_sign_in(provider).await?.session.unwrap())
    }

    /// As far as the provider leads.
    async fn finish_sign_in(&self, provider: &Provider) -> Result<OidcFinish> {
        let (start, query) = self.begin(provider).await?;
        self.finish(&start, &query["state"], "the code").await
    }

    async fn add_code(&self, code_token: &str, code: &str) -> Result<Session> {
        let request = OidcCodeRequest { code_token: code_token.to_owned(), code: code.to_owned() };
        answer(self.sessions().finish_oidc_with_code(request).await)
    }

    /// Sets up a second factor for who is signed in, and returns its recovery codes.
    async fn second_factor(&self, session: &Session, password: &str) -> Result<Vec<String>> {
        let caller = self.caller(session).await;
        let proof = ReauthenticationRequest { password: password.to_owned(), code: None };
        let setup = answer(self.account_client().set_up_totp(caller.sign(proof)).await)?;
        let secret = Secret32::try_from_base32(&setup.secret).unwrap();
        let totp = Builder::new().with_secret(secret).with_account_name("x").build().unwrap();
        let now = u64::try_from(Timestamp::now().millis() / 1000).unwrap();
        let request = ConfirmTotpRequest { code: totp.generate(now).to_string() };
        Ok(answer(self.account_client().confirm_totp(caller.sign(request)).await)?.codes)
    }
}

both_databases! {
    async fn whoever_has_the_address_is_signed_in(kind: Kind) -> anyhow::Result<()> {
        let (identity, provider) = Identity::with_provider(kind).await;
        let options = answer(identity.sessions().options(Empty {}).await)?;
        assert_eq!(options.oidc_name.as_deref(), Some("Direktori"));
        let nobody = identity.finish_sign_in(&provider).await.unwrap_err();
        assert_eq!((nobody.class, nobody.code.as_str()), (Code::Unauthenticated, "oidc_no_account"), "it makes no users");
        let tenant = identity.tenant("Acme").await;
        let user = identity.user(&tenant, EMAIL).await;
        for algorithm in ["EdDSA", "ES256", "RS256"] {
            provider.plan(|plan| plan.algorithm = algorithm);
            let session = identity.sign_in_through(&provider).await?;
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
        assert_eq!(identity.finish_sign_in(&provider).await.unwrap_err(), nobody);
        identity.running.stop().await
    }

    async fn whoever_is_invited_comes_in_without_a_password(kind: Kind) -> anyhow::Result<()> {
        let (identity, provider) = Identity::with_provider(kind).await;
        let tenant = identity.tenant("Acme").await;
        let input = UserInput { tenant_id: Some(tenant.id.clone()), password: None, invite: true, ..new_user(EMAIL) };
        let user = answer(identity.users().create(identity.owner.sign(input)).await)?;
        assert_eq!(user.status(), UserStatus::Invited);
        let session = identity.sign_in_through(&provider).await?;
        let caller = identity.caller(&session).await;
        let mut account = AccountClient::new(identity.running.context.peers.transport("identity")?);
        assert!(!answer(account.get_profile(caller.sign(Empty {})).await)?.has_password);
        for password in ["", PASSWORD] {
            identity.login(EMAIL, password).await.unwrap_err();
        }
        let get = GetRequest { id: user.id };
        assert_eq!(answer(identity.users().get(identity.owner.sign(get)).await)?.status(), UserStatus::Active);
        identity.sign_in_through(&provider).await?;
        identity.running.stop().await
    }

    /// A stranger has registered the address: the company is theirs in name, and nobody knows a password.
    async fn a_registration_is_confirmed_by_who_has_the_address(kind: Kind) -> anyhow::Result<()> {
        let (identity, provider) = Identity::with_provider(kind).await;
        let input = RegistrationInput {
            company: "Somebody".to_owned(),
            name: "Budi".to_owned(),
            email: EMAIL.to_owned(),
            phone: "0812".to_owned(),
            accepts_terms: true,
            ..RegistrationInput::default()
        };
        answer(identity.registration().register(input).await)?;
        identity.registrations_are_done().await;
        identity.sign_in_through(&provider).await?;
        for password in ["", PASSWORD] {
            identity.login(EMAIL, password).await.unwrap_err();
        }
        identity.running.stop().await
    }

    /// An admin of any tenant makes a user of any address, with a password: whose it is does not land there.
    async fn unverified_email_signs_nobody_in(kind: Kind) -> anyhow::Result<()> {
        let (identity, provider) = Identity::with_provider(kind).await;
        let tenant = identity.tenant("Of a stranger").await;
        let admin = UserInput { is_tenant_admin: Some(true), tenant_id: Some(tenant.id), ..new_user("a@example.org") };
        let admin = identity.signed(&identity.create_confirmed_user(admin).await).await;
        let user = answer(identity.users().create(admin.sign(new_user(EMAIL))).await)?;
        let refused = identity.finish_sign_in(&provider).await.unwrap_err();
        assert_eq!((refused.class, refused.code.as_str()), (Code::Unauthenticated, "oidc_unverified"));
        // A link that the stranger has seen proves nothing.
        let link = identity.send(&admin, &user, LinkPurpose::PasswordReset).await?;
        identity.use_link_token(&token_of(&link), Some(PASSWORD)).await?;
        assert_eq!(identity.finish_sign_in(&provider).await.unwrap_err(), refused);
        let link = identity.send(&identity.owner, &user, LinkPurpose::PasswordReset).await?;
        identity.use_link_token(&token_of(&link), Some(PASSWORD)).await?;
        identity.sign_in_through(&provider).await?;
        identity.running.stop().await
    }

    /// Addresses are given to others at a provider; the pair of issuer and subject is not.
    async fn account_is_matched_by_subject_not_email(kind: Kind) -> anyhow::Result<()> {
        let (identity, provider) = Identity::with_provider(kind).await;
        let tenant = identity.tenant("Acme").await;
        let budi = identity.user(&tenant, EMAIL).await;
        let siti = identity.user(&tenant, "siti@example.org").await;
        assert_eq!(identity.sign_in_through(&provider).await?.user.unwrap().id, budi.id);
        for claims in [
            json!({ "email": "siti@example.org" }),
            json!({ "email": "nobody@example.org" }),
            json!({ "email": "siti@example.org", "email_verified": false }),
            json!({ "email": null }),
        ] {
            provider.plan(|plan| plan.claims = claims.clone());
            assert_eq!(identity.sign_in_through(&provider).await?.user.unwrap().id, budi.id, "{claims}");
        }
        // Somebody else has his address now.
        provider.plan(|plan| plan.claims = json!({ "sub": "2" }));
        assert_eq!(identity.finish_sign_in(&provider).await.unwrap_err().code, "oidc_no_account");
        provider.plan(|plan| plan.claims = json!({ "sub": "3", "email": "siti@example.org", "email_verified": false }));
        assert_eq!(identity.finish_sign_in(&provider).await.unwrap_err().code, "oidc_failed");
        provider.plan(|plan| plan.claims = json!({ "sub": "3", "email": "siti@example.org" }));
        assert_eq!(identity.sign_in_through(&provider).await?.user.unwrap().id, siti.id);
        identity.running.stop().await
    }

    async fn a_second_factor_is_asked_for_unless_the_provider_did(kind: Kind) -> anyhow::Result<()> {
        let (identity, provider) = Identity::with_provider(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, EMAIL).await;
        let codes = identity.second_factor(&identity.login(EMAIL, PASSWORD).await?, PASSWORD).await?;
        for claims in [json!({}), json!({ "amr": ["pwd"] }), json!({ "acr": "0" })] {
            provider.plan(|plan| plan.claims = claims.clone());
            let half = identity.finish_sign_in(&provider).await?;
            assert!(half.session.is_none() && half.code_token.is_some(), "{claims}");
        }
        let token = identity.finish_sign_in(&provider).await?.code_token.unwrap();
        for (token, code, wrong) in
            [(&*token, "", "totp_required"), (&*token, "000000x", "totp_wrong"), ("AQ", &*codes[0], "oidc_failed"), ("", &*codes[0], "oidc_failed")]
        {
            let error = identity.add_code(token, code).await.unwrap_err();
            assert_eq!((error.class, error.code.as_str()), (Code::Unauthenticated, wrong));
        }
        identity.add_code(&token, &codes[0]).await?;
        assert_eq!(identity.add_code(&token, &codes[0]).await.unwrap_err().code, "totp_wrong", "it was used");
        for claims in [json!({ "amr": ["pwd", "mfa"] }), json!({ "acr": "mfa" })] {
            provider.plan(|plan| plan.claims = claims.clone());
            identity.sign_in_through(&provider).await?;
        }
        identity.running.stop().await
    }

    /// Who has no password proves who they are by having come from the provider a moment ago.
    async fn who_has_no_password_sets_up_a_second_factor(kind: Kind) -> anyhow::Result<()> {
        let (identity, provider) = Identity::with_provider(kind).await;
        let tenant = identity.tenant("Acme").await;
        let input = UserInput { tenant_id: Some(tenant.id), password: None, invite: true, ..new_user(EMAIL) };
        answer(identity.users().create(identity.owner.sign(input)).await)?;
        let session = identity.sign_in_through(&provider).await?;
        let db = identity.running.context.database("identity")?;
        let tx = db.write(&Scope::Platform).await?;
        tx.execute_unprepared("UPDATE session SET authenticated_at = authenticated_at - 300001").await?;
        tx.commit().await?;
        let stale = identity.second_factor(&session, "").await.unwrap_err();
        assert_eq!(stale.code, "reauthentication_required");
        identity.second_factor(&identity.sign_in_through(&provider).await?, "").await?;
        assert!(identity.finish_sign_in(&provider).await?.code_token.is_some());
        identity.running.stop().await
    }

    async fn discovery_document_is_cached(kind: Kind) -> anyhow::Result<()> {
        let (identity, provider) = Identity::with_provider(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, EMAIL).await;
        provider.plan(|plan| plan.hidden = Some("ES256"));
        for _ in 0..20 {
            identity.begin(&provider).await?;
        }
        identity.sign_in_through(&provider).await?;
        identity.sign_in_through(&provider).await?;
        assert_eq!((provider.request_count("discovery"), provider.request_count("jwks")), (1, 1));
        // It signs with another key, which is asked for at once, but not without end.
        provider.plan(|plan| {
            plan.hidden = None;
            plan.algorithm = "ES256";
        });
        identity.sign_in_through(&provider).await?;
        assert_eq!(provider.request_count("jwks"), 2);
        let unknown = Header { kid: Some("unknown".to_owned()), ..Header::new(Algorithm::ES256) };
        provider.plan(|plan| plan.header = Some(unknown));
        for _ in 0..5 {
            assert_eq!(identity.finish_sign_in(&provider).await.unwrap_err().code, "oidc_failed");
        }
        assert_eq!((provider.request_count("discovery"), provider.request_count("jwks")), (1, 2));
        identity.running.stop().await
    }

    async fn rejects_invalid_id_tokens(kind: Kind) -> anyhow::Result<()> {
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
            assert_eq!(identity.finish_sign_in(&provider).await.unwrap_err().code, "oidc_failed", "{claims}");
        }
        provider.plan(|plan| plan.claims = json!({}));
        let named = |algorithm, kid: Option<&str>| Header { kid: kid.map(str::to_owned), ..Header::new(algorithm) };
        for header in [
            named(Algorithm::HS256, Some("EdDSA")),
            named(Algorithm::EdDSA, Some("unknown")),
            named(Algorithm::EdDSA, Some("RS256")),
        ] {
            provider.plan(|plan| plan.header = Some(header.clone()));
            assert_eq!(identity.finish_sign_in(&provider).await.unwrap_err().code, "oidc_failed", "{header:?}");
        }
        // The only key of its kind needs no name.
        provider.plan(|plan| plan.header = Some(named(Algorithm::EdDSA, None)));
        identity.sign_in_through(&provider).await?;
        identity.running.stop().await
    }

    async fn callback_works_once_in_the_same_browser(kind: Kind) -> anyhow::Result<()> {
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
