//! Signing in, staying signed in, signing out.

use std::{
    net::Ipv4Addr,
    time::{Duration, Instant},
};

use armada_identity::{Config, FirstSignIn, first_sign_in};
use armada_proto::{
    Timestamp,
    v1::{Empty, LoginRequest, RefreshRequest, Session, TenantInput, UserInput},
};
use armada_runtime::{Code, Error, Result, Scope, auth::Client};
use armada_testkit::{Kind, both_databases, eventually};
use futures::{StreamExt, future::join_all};

use crate::support::{self, Identity, PASSWORD, answer, context, world};

impl Identity {
    async fn refresh(&self, token: &str) -> Result<Session> {
        answer(self.sessions().refresh(RefreshRequest { refresh_token: token.to_owned() }).await)
    }

    /// Of how many sessions the end was told to the edge.
    async fn announced_ends(&self) -> anyhow::Result<usize> {
        let bucket = self.world.bus.bucket(armada_proto::session::ENDED).await?;
        Ok(bucket.keys().await?.count().await)
    }
}

both_databases! {
    async fn tokens_say_who_signed_in(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let user = identity.user(&tenant, "budi@example.org").await;
        assert!(user.last_login.is_none());

        let session = identity.login(" Budi@EXAMPLE.org ", PASSWORD).await?;
        // Another process, which knows identity's key from the bucket alone.
        let verifier = identity.world.context(&[]).await.verifier();
        let caller = verifier.caller(&session.token).await?;
        let grant = caller.grant.clone().unwrap();
        assert_eq!((grant.user_id.to_string(), grant.tenant_id), (user.id.clone(), Some(support::id_of(&tenant))));
        assert!(!grant.is_platform_owner && !grant.is_tenant_admin);
        assert_eq!(caller.scope(), Scope::Tenant(support::id_of(&tenant)));
        let life = caller.expires_at().millis() - Timestamp::now().millis();
        assert!((590_000..=600_000).contains(&life), "{life}");
        assert!(verifier.caller(&session.refresh_token).await.is_err());

        let me = answer(identity.sessions().me(caller.sign(Empty {})).await)?;
        assert_eq!(Some(&me), session.user.as_ref());
        assert_eq!((me.tenant_id.as_ref(), me.tenant_id_camel.as_ref()), (Some(&tenant.id), Some(&tenant.id)));
        assert_eq!(answer(identity.sessions().me(Empty {}).await).unwrap_err(), Error::unauthenticated());
        assert_eq!(me.time_zone.as_deref(), Some("Asia/Jakarta"));
        let days = (session.refresh_expires_at.unwrap().millis() - Timestamp::now().millis()) / 86_400_000;
        assert_eq!(days, 29);
        identity.running.stop().await
    }

    async fn failures_to_sign_in_do_not_differ(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let closed = identity.tenant("Closed").await;
        identity.user(&tenant, "known@example.org").await;
        let inactive = identity.user(&tenant, "inactive@example.org").await;
        identity.user(&closed, "closed@example.org").await;
        let off = UserInput { id: inactive.id, is_active: Some(false), ..UserInput::default() };
        answer(identity.users().update(identity.owner.sign(off)).await)?;
        let off = TenantInput { id: closed.id, active: Some(false), ..TenantInput::default() };
        answer(identity.tenants().update(identity.owner.sign(off)).await)?;

        let failed = identity.login("known@example.org", "wrong password").await.unwrap_err();
        assert_eq!((failed.class, failed.code.as_str()), (Code::Unauthenticated, "login_failed"));
        for email in ["unknown@example.org", "inactive@example.org", "closed@example.org", "'; --", "a\0b"] {
            assert_eq!(identity.login(email, PASSWORD).await.unwrap_err(), failed, "{email}");
        }
        assert_eq!(identity.login("known@example.org", &"x".repeat(100_000)).await.unwrap_err(), failed);

        let empty = identity.login(" ", "").await.unwrap_err();
        assert_eq!((empty.class, empty.code.as_str()), (Code::Invalid, "login_fields_required"));
        assert_eq!((empty.fields["email"].as_str(), empty.fields["password"].as_str()), ("required", "required"));
        identity.running.stop().await
    }

    async fn refresh_token_is_rotated_once(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        identity.first_owner().await;
        let first = identity.login("admin@armada.local", PASSWORD).await?;
        let second = identity.refresh(&first.refresh_token).await?;
        // Its answer got lost: the same successor again.
        assert_eq!(identity.refresh(&first.refresh_token).await?.refresh_token, second.refresh_token);
        let third = identity.refresh(&second.refresh_token).await?;
        assert_eq!(third.refresh_expires_at, first.refresh_expires_at);
        assert!(identity.caller(&third).await.is_platform_owner());
        assert_eq!(third.user.unwrap().time_zone, None);
        assert_eq!(identity.announced_ends().await?, 0);

        let reused = identity.refresh(&first.refresh_token).await.unwrap_err();
        assert_eq!(reused, Error::unauthenticated());
        assert_eq!(identity.refresh(&third.refresh_token).await.unwrap_err(), reused);
        assert_eq!(identity.announced_ends().await?, 1);
        for wrong in ["", "x", &"A".repeat(64)] {
            assert_eq!(identity.refresh(wrong).await.unwrap_err(), reused, "{wrong}");
        }
        // Other sessions of the user go on.
        let other = identity.login("admin@armada.local", PASSWORD).await?;
        identity.refresh(&other.refresh_token).await?;
        identity.running.stop().await
    }

    async fn parallel_refreshes_share_one_successor(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        identity.first_owner().await;
        let first = identity.login("admin@armada.local", PASSWORD).await?;
        let answers = join_all((0..50).map(|_| identity.refresh(&first.refresh_token))).await;
        let tokens = answers.into_iter().map(|answer| Ok(answer?.refresh_token)).collect::<Result<Vec<_>>>()?;
        assert!(tokens.iter().all(|token| *token == tokens[0] && *token != first.refresh_token));
        identity.refresh(&tokens[0]).await?;
        identity.refresh(&first.refresh_token).await.unwrap_err();
        identity.refresh(&tokens[0]).await.unwrap_err();
        identity.running.stop().await
    }

    async fn reused_refresh_token_ends_the_session(kind: Kind) -> anyhow::Result<()> {
        let config = Config { refresh_grace_seconds: 0, ..Config::default() };
        let identity = Identity::start_with(kind, config).await;
        identity.first_owner().await;
        let first = identity.login("admin@armada.local", PASSWORD).await?;
        let second = identity.refresh(&first.refresh_token).await?;
        identity.refresh(&first.refresh_token).await.unwrap_err();
        identity.refresh(&second.refresh_token).await.unwrap_err();
        identity.running.stop().await
    }

    async fn sessions_end_on_logout_and_deactivation(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let user = identity.user(&tenant, "budi@example.org").await;
        let login = || identity.login("budi@example.org", PASSWORD);

        let session = login().await?;
        answer(identity.sessions().logout(RefreshRequest { refresh_token: session.refresh_token.clone() }).await)?;
        identity.refresh(&session.refresh_token).await.unwrap_err();
        answer(identity.sessions().logout(RefreshRequest { refresh_token: "x".to_owned() }).await)?;
        // Its access token is good for a while, its session is not.
        let caller = identity.caller(&session).await;
        assert_eq!(answer(identity.sessions().me(caller.sign(Empty {})).await).unwrap_err(), Error::unauthenticated());
        assert_eq!(identity.announced_ends().await?, 1);

        let session = login().await?;
        let change = |change: UserInput| UserInput { id: user.id.clone(), ..change };
        let renamed = change(UserInput { name: Some("Budi S".to_owned()), ..UserInput::default() });
        answer(identity.users().update(identity.owner.sign(renamed)).await)?;
        let session = identity.refresh(&session.refresh_token).await?;
        let password = change(UserInput { password: Some("another password".to_owned()), ..UserInput::default() });
        answer(identity.users().update(identity.owner.sign(password)).await)?;
        identity.refresh(&session.refresh_token).await.unwrap_err();
        login().await.unwrap_err();
        assert_eq!(identity.announced_ends().await?, 2);

        let session = identity.login("budi@example.org", "another password").await?;
        assert!(session.user.as_ref().unwrap().must_change_password);
        let caller = identity.caller(&session).await;
        let off = change(UserInput { is_active: Some(false), ..UserInput::default() });
        answer(identity.users().update(identity.owner.sign(off)).await)?;
        identity.refresh(&session.refresh_token).await.unwrap_err();
        assert_eq!(answer(identity.sessions().me(caller.sign(Empty {})).await).unwrap_err(), Error::unauthenticated());

        let on = change(UserInput { is_active: Some(true), ..UserInput::default() });
        assert_eq!(answer(identity.users().update(identity.owner.sign(on)).await)?.row_version, 5);
        let session = identity.login("budi@example.org", "another password").await?;
        let off = TenantInput { id: tenant.id, active: Some(false), ..TenantInput::default() };
        answer(identity.tenants().update(identity.owner.sign(off)).await)?;
        identity.refresh(&session.refresh_token).await.unwrap_err();
        assert_eq!(identity.announced_ends().await?, 4);
        identity.running.stop().await
    }

    async fn processes_that_start_at_once_share_one_key(kind: Kind) -> anyhow::Result<()> {
        let world = world(kind).await;
        let config = Config::default();
        let (one, two) = (context(&world, &config).await, context(&world, &config).await);
        let built =
            tokio::join!(armada_identity::build(&one, config.clone()), armada_identity::build(&two, config.clone()));
        let mut kids = Vec::new();
        for (context, service) in [(&one, built.0?), (&two, built.1?)] {
            let mut process = world.process(context);
            process.add(service);
            let transport = context.peers.transport("identity")?;
            first_sign_in(&context.database("identity")?, None, Some(PASSWORD)).await?;
            let request = LoginRequest {
                email: "admin@armada.local".to_owned(),
                password: PASSWORD.to_owned(),
                code: None,
            };
            let mut sessions = armada_proto::v1::sessions_client::SessionsClient::new(transport);
            let token = answer(sessions.login(request).await)?.token;
            kids.push(token.split('.').next().unwrap().to_owned());
        }
        assert_eq!(kids[0], kids[1], "the headers name the same key");
        Ok(())
    }

    async fn first_owner_is_made_once(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let db = identity.running.context.database("identity")?;
        let short = first_sign_in(&db, None, Some("short")).await.unwrap_err();
        assert!(short.message.contains("8 to 128 characters"), "{short}");
        let FirstSignIn::Created { email, generated_password: Some(password) } =
            first_sign_in(&db, Some("Root@Example.org"), None).await?
        else {
            panic!("there was an owner already, or no password was generated")
        };
        assert_eq!(email, "root@example.org");
        let owner = identity.login(&email, &password).await?.user.unwrap();
        assert!(owner.is_platform_owner && owner.must_change_password, "nobody has chosen it");
        let FirstSignIn::Exists { email } = first_sign_in(&db, Some("other@example.org"), Some(PASSWORD)).await? else {
            panic!("a second owner was made")
        };
        assert_eq!(email, "root@example.org");
        identity.login(&email, &password).await?;
        identity.login("other@example.org", PASSWORD).await.unwrap_err();
        identity.running.stop().await
    }
}

/// The quickest of many are compared, so that other work on the machine does not count.
#[tokio::test(flavor = "multi_thread")]
async fn unknown_accounts_cost_the_same_work() {
    let identity = Identity::start(Kind::Sqlite).await;
    identity.first_owner().await;
    let (mut quickest, mut place) = ([Duration::MAX; 2], 0x0a00_0000);
    eventually("both take the same time", Duration::from_secs(60), async || {
        for _ in 0..5 {
            for (quickest, email) in quickest.iter_mut().zip(["admin@armada.local", "nobody@armada.local"]) {
                // From another address each time: none of them has guessed too often.
                place += 1;
                let client = Client::new(Some(Ipv4Addr::from_bits(place).into()), "");
                let started = Instant::now();
                let request =
                    LoginRequest { email: email.to_owned(), password: "wrong password".to_owned(), code: None };
                answer(identity.sessions().login(client.request(request)).await).unwrap_err();
                *quickest = started.elapsed().min(*quickest);
            }
        }
        let [known, unknown] = quickest.map(|time| time.as_secs_f64());
        anyhow::ensure!((0.9..1.1).contains(&(unknown / known)), "{quickest:?}");
        Ok(())
    })
    .await;
}
