//! Guessing passwords becomes slow, and nobody is locked out by it.

use std::collections::BTreeMap;

use armada_proto::v1::{Empty, LoginRequest, Session, account_client::AccountClient, sessions_client::SessionsClient};
use armada_runtime::{Code, Error, Result, auth::Client};
use armada_testkit::{both_databases, eventually};
use futures::{StreamExt, stream};

use crate::support::{Identity, PASSWORD, SOON, answer};

impl Identity {
    async fn login_from(&self, address: &str, email: &str, password: &str) -> Result<Session> {
        let request = LoginRequest { email: email.to_owned(), password: password.to_owned(), code: None };
        let client = Client::new(Some(address.parse().unwrap()), "a test");
        answer(self.sessions().login(client.request(request)).await)
    }

    /// From an address where nobody was before, in a browser that brings this.
    async fn login_as(&self, device: &str, email: &str, password: &str) -> Result<Session> {
        let request = LoginRequest { email: email.to_owned(), password: password.to_owned(), code: None };
        let client = Client::new(Some([192, 0, 2, 1].into()), "a test").with_device(device);
        answer(self.sessions().login(client.request(request)).await)
    }

    /// How often each answer came to a thousand guesses, twenty at a time.
    async fn guess(&self, address: &str, email: &str) -> BTreeMap<String, usize> {
        let guesses = stream::iter(0..1000).map(|number| async move {
            self.login_from(address, email, &format!("wrong password {number}")).await.unwrap_err()
        });
        let answers: Vec<Error> = guesses.buffer_unordered(20).collect().await;
        let mut counts = BTreeMap::new();
        for answer in answers {
            assert_eq!(answer.retry_after.is_some(), answer.code == "too_many_attempts", "{answer}");
            *counts.entry(answer.code).or_default() += 1;
        }
        counts
    }
}

both_databases! {
    async fn few_of_a_thousand_guesses_are_checked(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, "budi@example.org").await;
        for email in ["budi@example.org", "nobody@example.org"] {
            let counts = identity.guess("203.0.113.7", email).await;
            // `login_failed` alone went through the hasher.
            assert!((5..=20).contains(&counts["login_failed"]), "{counts:?}");
            assert_eq!(counts.values().sum::<usize>(), 1000, "{counts:?}");
            assert_eq!(counts.keys().collect::<Vec<_>>(), ["login_failed", "too_many_attempts"], "{email}");
        }
        eventually("there is a wait that is not over at once", SOON, async || {
            let guess = identity.login_from("203.0.113.7", "budi@example.org", "wrong password").await.unwrap_err();
            anyhow::ensure!(guess.retry_after.is_some_and(|seconds| seconds >= 4), "{guess:?}");
            Ok(())
        })
        .await;
        let waits = identity.login_from("203.0.113.7", "budi@example.org", PASSWORD).await.unwrap_err();
        assert_eq!((waits.class, waits.code.as_str()), (Code::TooManyRequests, "too_many_attempts"));
        assert!(waits.fields.is_empty() && (1..=900).contains(&waits.retry_after.unwrap()), "{waits:?}");
        // Whoever guesses keeps nobody else out.
        identity.login_from("203.0.113.8", "budi@example.org", PASSWORD).await?;
        identity.login_from("2001:db8::1", "budi@example.org", PASSWORD).await?;
        identity.running.stop().await
    }

    async fn right_password_resets_the_throttle(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, "budi@example.org").await;
        for _ in 0..3 {
            for _ in 0..4 {
                let failed = identity.login_from("203.0.113.7", "budi@example.org", "wrong password").await;
                assert_eq!(failed.unwrap_err().code, "login_failed");
            }
            identity.login_from("203.0.113.7", "budi@example.org", PASSWORD).await?;
        }
        identity.running.stop().await
    }

    async fn who_has_many_addresses_guesses_slowly_at_one_account(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, "budi@example.org").await;
        let session = identity.login_from("203.0.113.1", "budi@example.org", PASSWORD).await?;
        assert!(!session.device.is_empty());
        let mut looked_at = 0;
        for number in 0..130 {
            // A /48 each.
            let guess = identity.login_from(&format!("2001:db8:{number:x}::1"), "budi@example.org", "wrong password").await;
            looked_at += usize::from(guess.unwrap_err().code == "login_failed");
        }
        assert!((100..=104).contains(&looked_at), "{looked_at}");
        let stranger = identity.login_from("203.0.113.9", "budi@example.org", PASSWORD).await.unwrap_err();
        assert!((1..=60).contains(&stranger.retry_after.unwrap()), "{stranger:?}");
        // A browser that was in before gets in, and is known by something new then; others' tokens are worth nothing.
        let known = identity.login_as(&session.device, "budi@example.org", PASSWORD).await?;
        assert_ne!(known.device, session.device);
        for forged in ["AAAA", &session.device[1..], &format!("{}A", session.device)] {
            let refused = identity.login_as(forged, "budi@example.org", PASSWORD).await.unwrap_err();
            assert_eq!(refused.code, "too_many_attempts", "{forged}");
        }
        identity.running.stop().await
    }

    /// A /48 has 65,536 of /64.
    async fn ipv6_network_is_throttled_as_one(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let mut codes = Vec::new();
        for number in 0..7 {
            let from = format!("2001:db8:1:{number:x}::1");
            codes.push(identity.login_from(&from, "nobody@example.org", "wrong password").await.unwrap_err().code);
        }
        assert_eq!(codes.iter().filter(|code| *code == "too_many_attempts").count(), 2, "{codes:?}");
        identity.running.stop().await
    }

    /// Over the network, whoever reaches the port could say what they like.
    async fn client_address_is_trusted_from_services_only(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, "budi@example.org").await;
        let channel = tonic::transport::Endpoint::from_shared(identity.running.grpc.clone())?.connect_lazy();
        let urls = std::collections::HashMap::from([("identity".to_owned(), identity.running.grpc.clone())]);
        let service = identity.world.context_with_peers(&[], urls).await.of("bff")?.peers.transport("identity")?;
        let request = || {
            let client = Client::new(Some([203, 0, 113, 7].into()), "Forged/1.0");
            let (email, password) = ("budi@example.org".to_owned(), PASSWORD.to_owned());
            client.request(LoginRequest { email, password, code: None })
        };
        let stranger = answer(SessionsClient::new(channel).login(request()).await)?;
        let vouched = answer(SessionsClient::new(service).login(request()).await)?;
        for (session, wanted) in [(stranger, ("", "")), (vouched, ("203.0.113.7", "Forged/1.0"))] {
            let caller = identity.caller(&session).await;
            let sessions = answer(AccountClient::new(identity.running.context.peers.transport("identity")?).list_sessions(caller.sign(Empty {})).await)?.items;
            let own = sessions.iter().find(|session| session.is_current).unwrap();
            // What a client library calls itself is no matter: the metadata is another one.
            assert_eq!((own.address.as_str(), own.user_agent.as_str()), wanted);
        }
        identity.running.stop().await
    }

    async fn an_address_tries_so_many_accounts_and_no_more(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let guesses = stream::iter(0..130).map(|number| {
            let email = format!("user{number}@example.org");
            let identity = &identity;
            async move { identity.login_from("203.0.113.7", &email, PASSWORD).await.unwrap_err().code }
        });
        let codes: Vec<_> = guesses.buffer_unordered(10).collect().await;
        let rejected = codes.iter().filter(|code| *code == "login_failed").count();
        // A hundred at once, and one more in every ten seconds that this takes.
        assert!((100..=120).contains(&rejected), "{rejected} of {}", codes.len());
        let other = identity.login_from("203.0.113.8", "user1@example.org", PASSWORD).await.unwrap_err();
        assert_eq!(other.code, "login_failed");
        identity.running.stop().await
    }
}
