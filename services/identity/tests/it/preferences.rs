//! How people choose to see the console: each their own, the same wherever they sign in, and gone with them.

use std::num::NonZeroU32;

use armada_identity::DEFAULT_EMAIL;
use armada_proto::v1::{DeleteRequest, GetPreferenceRequest, PreferenceInput};
use armada_runtime::{Caller, Code, Error, Result, Scope};
use armada_testkit::both_databases;
use sea_orm::{ConnectionTrait, Statement};

use crate::support::{Identity, PASSWORD, answer};

impl Identity {
    async fn choose(&self, caller: &Caller, key: &str, value: Option<&str>) -> Result<Option<String>> {
        let input = PreferenceInput { key: key.to_owned(), value: value.map(str::to_owned) };
        Ok(answer(self.account_client().set_preference(caller.sign(input)).await)?.value)
    }

    async fn chosen(&self, caller: &Caller, key: &str) -> Result<Option<String>> {
        let request = GetPreferenceRequest { key: key.to_owned() };
        let read = answer(self.account_client().get_preference(caller.sign(request)).await)?;
        assert_eq!(read.key, key);
        Ok(read.value)
    }

    async fn stored_preferences(&self) -> i64 {
        let db = self.world.database("identity").await;
        let tx = db.read(&Scope::Platform).await.unwrap();
        let count = Statement::from_string(db.backend(), "SELECT count(*) AS n FROM preference");
        tx.query_one_raw(count).await.unwrap().unwrap().try_get("", "n").unwrap()
    }
}

both_databases! {
    async fn preferences_are_per_user(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let user = identity.user(&tenant, "budi@example.org").await;
        let budi = identity.signed(&user).await;
        let sari = identity.signed(&identity.user(&tenant, "sari@example.org").await).await;
        identity.first_owner().await;
        let owner = identity.caller(&identity.login(DEFAULT_EMAIL, PASSWORD).await?).await;

        assert_eq!(identity.chosen(&budi, "dashboard").await?, None);
        let first = r#"{"order":["today","silent"],"hidden":[]}"#;
        assert_eq!(identity.choose(&budi, "dashboard", Some(first)).await?.as_deref(), Some(first));
        assert_eq!(identity.choose(&owner, "dashboard", Some("{}")).await?.as_deref(), Some("{}"));
        assert_eq!(identity.choose(&budi, "map", Some(r#"{"labels":true}"#)).await?.as_deref(), Some(r#"{"labels":true}"#));
        let next = r#"{"order":["silent","today"],"hidden":["today"]}"#;
        identity.choose(&budi, "dashboard", Some(next)).await?;
        // Another sign-in of the same person, and others.
        let elsewhere = identity.caller(&identity.login("budi@example.org", PASSWORD).await?).await;
        assert_eq!(identity.chosen(&elsewhere, "dashboard").await?.as_deref(), Some(next));
        assert_eq!(identity.chosen(&sari, "dashboard").await?, None);
        assert_eq!(identity.chosen(&owner, "dashboard").await?.as_deref(), Some("{}"));

        assert_eq!(identity.choose(&budi, "dashboard", None).await?, None);
        assert_eq!(identity.chosen(&budi, "dashboard").await?, None);
        assert_eq!(identity.choose(&budi, "dashboard", None).await?, None, "there is nothing, and that is no error");
        identity.choose(&sari, "dashboard", Some(first)).await?;
        assert_eq!(identity.stored_preferences().await, 3);
        let gone = DeleteRequest { id: user.id, row_version: None };
        answer(identity.users().delete(identity.owner.sign(gone)).await)?;
        assert_eq!(identity.stored_preferences().await, 2);
        identity.running.stop().await
    }

    async fn a_preference_is_a_small_object_under_a_plain_name(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let budi = identity.signed(&identity.user(&tenant, "budi@example.org").await).await;
        let longest = format!(r#"{{"x":"{}"}}"#, "é".repeat(2044));
        assert_eq!(longest.len(), 4096);
        for (key, value, field, code) in [
            ("Dash board", "{}", "key", "invalid"),
            ("", "{}", "key", "required"),
            (&*"x".repeat(61), "{}", "key", "too_long"),
            ("dashboard", "[]", "value", "invalid"),
            ("dashboard", "{", "value", "invalid"),
            ("dashboard", "", "value", "invalid"),
            ("dashboard", &*format!("{longest} "), "value", "too_long"),
        ] {
            let error = identity.choose(&budi, key, Some(value)).await.unwrap_err();
            assert_eq!(error, Error::field(field, code), "{key} {value}");
        }
        assert_eq!(identity.chosen(&budi, "A").await.unwrap_err(), Error::field("key", "invalid"));

        identity.choose(&budi, "dashboard", Some(&longest)).await?;
        for number in 1..50 {
            identity.choose(&budi, &format!("screen-{number}"), Some("{}")).await?;
        }
        let error = identity.choose(&budi, "one-more", Some("{}")).await.unwrap_err();
        let reached = (error.class, error.code.as_str(), error.limit.map(NonZeroU32::get));
        assert_eq!(reached, (Code::Conflict, "preference_limit_reached", Some(50)));
        // What is there is still changed, and makes room.
        identity.choose(&budi, "dashboard", Some("{}")).await?;
        identity.choose(&budi, "screen-7", None).await?;
        identity.choose(&budi, "one-more", Some("{}")).await?;
        identity.running.stop().await
    }
}
