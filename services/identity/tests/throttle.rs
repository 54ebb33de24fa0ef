//! Guessing passwords becomes slow, and nobody is locked out by it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeMap;

use armada_proto::v1::{LoginRequest, Session};
use armada_runtime::{Code, Error, Result, auth::Client};
use armada_testkit::{both_databases, eventually};
use futures::{StreamExt, stream};
use support::{Identity, PASSWORD, SOON, answer};

impl Identity {
    async fn login_from(&self, address: &str, email: &str, password: &str) -> Result<Session> {
        let request = LoginRequest { email: email.to_owned(), password: password.to_owned(), code: None };
        let client = Client::new(Some(address.parse().unwrap()), "a test");
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
    async fn a_thousand_guesses_are_looked_at_a_few_times(kind: Kind) -> anyhow::Result<()> {
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

    async fn the_right_password_forgives(kind: Kind) -> anyhow::Result<()> {
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

    async fn an_address_tries_so_many_accounts_and_no_more(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let guesses = stream::iter(0..130).map(|number| {
            let email = format!("user{number}@example.org");
            let identity = &identity;
            async move { identity.login_from("203.0.113.7", &email, PASSWORD).await.unwrap_err().code }
        });
        let codes: Vec<_> = guesses.buffer_unordered(10).collect().await;
        let heard = codes.iter().filter(|code| *code == "login_failed").count();
        // A hundred at once, and one more in every ten seconds that this takes.
        assert!((100..=120).contains(&heard), "{heard} of {}", codes.len());
        let other = identity.login_from("203.0.113.8", "user1@example.org", PASSWORD).await.unwrap_err();
        assert_eq!(other.code, "login_failed");
        identity.running.stop().await
    }
}
