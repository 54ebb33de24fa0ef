//! Saved views: who sees them, who may change them, how many there may be, and what becomes of them when people go.

use std::num::NonZeroU32;

use armada_identity::DEFAULT_EMAIL;
use armada_proto::v1::{
    DeleteRequest, DeleteTenantInput, GetRequest, ListSavedViewsRequest, SavedView, SavedViewInput, Tenant, UserInput,
    saved_views_client::SavedViewsClient,
};
use armada_runtime::{Caller, Code, Error, Result, Scope, Transport};
use armada_testkit::{Signed, both_databases};
use futures::future::join_all;
use sea_orm::{ConnectionTrait, Statement};
use uuid::Uuid;

use crate::support::{Identity, PASSWORD, answer, new_user};

fn view(name: &str) -> SavedViewInput {
    SavedViewInput {
        screen: Some("devices".to_owned()),
        name: Some(name.to_owned()),
        query: Some("status=active&sort=-name".to_owned()),
        ..SavedViewInput::default()
    }
}

fn shared(name: &str) -> SavedViewInput {
    SavedViewInput { is_shared: Some(true), ..view(name) }
}

/// A change of nothing yet.
fn change(view: &SavedView) -> SavedViewInput {
    SavedViewInput { id: view.id.clone(), ..SavedViewInput::default() }
}

fn renamed(view: &SavedView, name: &str) -> SavedViewInput {
    SavedViewInput { name: Some(name.to_owned()), ..change(view) }
}

impl Identity {
    fn views(&self) -> SavedViewsClient<Transport> {
        SavedViewsClient::new(self.running.context.peers.transport("identity").unwrap())
    }

    async fn save(&self, caller: &Caller, input: SavedViewInput) -> Result<SavedView> {
        answer(self.views().create(caller.sign(input)).await)
    }

    async fn get_view(&self, caller: &Caller, id: &str) -> Result<SavedView> {
        answer(self.views().get(caller.sign(GetRequest { id: id.to_owned() })).await)
    }

    async fn update_view(&self, caller: &Caller, input: SavedViewInput) -> Result<SavedView> {
        answer(self.views().update(caller.sign(input)).await)
    }

    async fn remove_view(&self, caller: &Caller, id: &str) -> Result<()> {
        let request = DeleteRequest { id: id.to_owned(), row_version: None };
        answer(self.views().delete(caller.sign(request)).await).map(drop)
    }

    /// The names of the views that a request lists.
    async fn view_names(&self, caller: &Caller, request: ListSavedViewsRequest) -> Result<Vec<String>> {
        let list = answer(self.views().list(caller.sign(request)).await)?;
        assert_eq!(list.total as usize, list.items.len());
        Ok(list.items.into_iter().map(|view| view.name).collect())
    }

    async fn all_view_names(&self, caller: &Caller) -> Result<Vec<String>> {
        self.view_names(caller, ListSavedViewsRequest::default()).await
    }

    /// An ordinary user, signed in.
    async fn somebody(&self, tenant: &Tenant, email: &str) -> Signed {
        self.signed(&self.user(tenant, email).await).await
    }

    /// An admin whom identity knows.
    async fn known_admin(&self, tenant: &Tenant, email: &str) -> Signed {
        let tenant_id = Some(tenant.id.clone());
        let input = UserInput { tenant_id, is_tenant_admin: Some(true), ..new_user(email) };
        self.signed(&self.create_confirmed_user(input).await).await
    }

    /// How many views are in the table, and how many of them the index finds under a part of their name.
    async fn stored_views(&self, part: &str) -> (i64, i64) {
        let db = self.world.database("identity").await;
        let indexed = match db.backend() {
            sea_orm::DbBackend::Postgres => format!("saved_view_matching('%{part}%')"),
            _ => format!("saved_view_search WHERE saved_view_search MATCH '\"{part}\"'"),
        };
        let sql = format!("SELECT (SELECT count(*) FROM saved_view) AS n, (SELECT count(*) FROM {indexed}) AS found");
        let tx = db.read(&Scope::Platform).await.unwrap();
        let row = tx.query_one_raw(Statement::from_string(db.backend(), sql)).await.unwrap().unwrap();
        (row.try_get("", "n").unwrap(), row.try_get("", "found").unwrap())
    }
}

both_databases! {
    async fn views_are_saved_found_changed_and_removed(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let budi = identity.somebody(&tenant, "budi@example.org").await;
        let made = identity.save(&budi, view(" Active ")).await?;
        assert_eq!((made.screen.as_str(), made.name.as_str()), ("devices", "Active"));
        assert_eq!((made.query.as_str(), made.is_shared), ("status=active&sort=-name", false));
        assert_eq!((made.tenant_id.as_ref(), made.row_version), (Some(&tenant.id), 1));
        assert_eq!(made.user_id, Some(budi.grant.user_id.to_string()));
        assert_eq!(made.user_name.as_deref(), Some("User budi@example.org"));
        assert_eq!(identity.get_view(&budi, &made.id).await?, made);

        // What is one name to a reader is one, of a user on a screen.
        assert_eq!(identity.save(&budi, view("ACTIVE")).await.unwrap_err(), Error::taken("name"));
        let elsewhere = SavedViewInput { screen: Some("users".to_owned()), query: None, ..view("Active") };
        assert_eq!(identity.save(&budi, elsewhere).await?.query, "");
        let sari = identity.somebody(&tenant, "sari@example.org").await;
        identity.save(&sari, view("Active")).await?;
        let depot = identity.save(&budi, view("écart")).await?;
        assert_eq!(identity.update_view(&budi, renamed(&depot, "active")).await.unwrap_err(), Error::taken("name"));

        let on = |screen: &str| ListSavedViewsRequest { screen: screen.to_owned(), ..Default::default() };
        assert_eq!(identity.view_names(&budi, on("devices")).await?, ["Active", "écart"]);
        assert_eq!(identity.view_names(&budi, on("users")).await?, ["Active"]);
        assert_eq!(identity.view_names(&budi, on("tenants")).await?, [""; 0]);
        let sorted = ListSavedViewsRequest { sort: "-name".to_owned(), ..on("devices") };
        assert_eq!(identity.view_names(&budi, sorted).await?, ["écart", "Active"]);
        for part in ["ÉCA", "Éc"] {
            let searched = ListSavedViewsRequest { q: part.to_owned(), ..Default::default() };
            assert_eq!(identity.view_names(&budi, searched).await?, ["écart"], "{part}");
        }

        let narrower = SavedViewInput { query: Some("status=inactive".to_owned()), ..change(&made) };
        let changed = identity.update_view(&budi, SavedViewInput { row_version: Some(1), ..narrower.clone() }).await?;
        assert_eq!((changed.name.as_str(), changed.query.as_str()), ("Active", "status=inactive"));
        assert_eq!(changed.row_version, 2);
        let late = SavedViewInput { row_version: Some(1), ..narrower };
        assert_eq!(identity.update_view(&budi, late).await.unwrap_err(), Error::version_mismatch());
        let stale = DeleteRequest { id: made.id.clone(), row_version: Some(1) };
        assert_eq!(answer(identity.views().delete(budi.sign(stale)).await).unwrap_err(), Error::version_mismatch());
        let moved = SavedViewInput { screen: Some("users".to_owned()), ..change(&made) };
        assert_eq!(identity.update_view(&budi, moved).await.unwrap_err(), Error::field("screen", "not_changeable"));
        identity.remove_view(&budi, &made.id).await?;
        assert_eq!(identity.get_view(&budi, &made.id).await.unwrap_err(), Error::not_found());
        identity.running.stop().await
    }

    async fn what_is_wrong_with_a_view_is_named(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let budi = identity.somebody(&tenant, "budi@example.org").await;
        let screen = |screen: &str| SavedViewInput { screen: Some(screen.to_owned()), ..view("x") };
        let query = |length| SavedViewInput { query: Some("q".repeat(length)), ..view("long query") };
        for (input, field, code) in [
            (SavedViewInput { screen: None, ..view("x") }, "screen", "required"),
            (screen(""), "screen", "required"),
            (screen("Devices"), "screen", "invalid"),
            (screen("a/b"), "screen", "invalid"),
            (screen(&"x".repeat(61)), "screen", "too_long"),
            (SavedViewInput { name: None, ..view("") }, "name", "required"),
            (view(" "), "name", "required"),
            (view(&"x".repeat(101)), "name", "too_long"),
            (view("a\u{202e}b"), "name", "invalid_characters"),
            (query(4001), "query", "too_long"),
            (SavedViewInput { query: Some("a\nb".to_owned()), ..view("x") }, "query", "invalid_characters"),
        ] {
            assert_eq!(identity.save(&budi, input).await.unwrap_err(), Error::field(field, code));
        }
        identity.save(&budi, query(4000)).await?;
        identity.save(&budi, SavedViewInput { screen: Some("x".repeat(60)), ..view(&"x".repeat(100)) }).await?;
        identity.running.stop().await
    }

    async fn views_are_shared_within_a_tenant_alone(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let (own, foreign) = (identity.tenant("Own").await, identity.tenant("Foreign").await);
        let budi = identity.somebody(&own, "budi@example.org").await;
        let sari = identity.somebody(&own, "sari@example.org").await;
        let admin = identity.known_admin(&own, "admin@example.org").await;
        let stranger = identity.known_admin(&foreign, "stranger@example.org").await;
        let hers = identity.save(&budi, view("Private of Budi")).await?;
        let ours = identity.save(&budi, shared("Shared by Budi")).await?;
        identity.save(&stranger, shared("Shared elsewhere")).await?;

        // Of the platform's own views one owner shares one.
        identity.first_owner().await;
        let owner = identity.caller(&identity.login(DEFAULT_EMAIL, PASSWORD).await?).await;
        let of_platform = identity.save(&owner, shared("Shared by the owner")).await?;
        assert_eq!(of_platform.tenant_id, None);
        identity.save(&owner, view("Private of the owner")).await?;

        let seen: [(&Caller, &[&str]); 6] = [
            (&budi, &["Private of Budi", "Shared by Budi"]),
            (&sari, &["Shared by Budi"]),
            (&admin, &["Shared by Budi"]),
            (&stranger, &["Shared elsewhere"]),
            (&owner, &["Private of the owner", "Shared by the owner"]),
            (&identity.owner, &["Shared by the owner"]),
        ];
        for (caller, names) in seen {
            assert_eq!(identity.all_view_names(caller).await?, names);
        }
        let searched = ListSavedViewsRequest { q: "shared".to_owned(), ..Default::default() };
        assert_eq!(identity.view_names(&sari, searched).await?, ["Shared by Budi"]);
        assert_eq!(identity.get_view(&sari, &ours.id).await?.user_name.as_deref(), Some("User budi@example.org"));

        // What one does not see answers like what is not there, whatever is asked of it.
        let absent = Uuid::now_v7().to_string();
        let unseen: [(&Caller, &[&str]); 4] = [
            (&sari, &[&hers.id, &of_platform.id, &absent, "x", ""]),
            (&admin, &[&hers.id, &of_platform.id, &absent]),
            (&stranger, &[&hers.id, &ours.id, &of_platform.id, &absent]),
            (&identity.owner, &[&hers.id, &ours.id, &absent]),
        ];
        for (caller, ids) in unseen {
            for id in ids {
                let input = SavedViewInput { id: (*id).to_owned(), row_version: Some(9), ..view("Mine") };
                let errors = [
                    identity.get_view(caller, id).await.map(drop).unwrap_err(),
                    identity.update_view(caller, input).await.map(drop).unwrap_err(),
                    identity.remove_view(caller, id).await.unwrap_err(),
                ];
                assert!(errors.iter().all(|error| *error == Error::not_found()), "{id}: {errors:?}");
            }
        }
        // Shared no longer, nobody else sees it.
        identity.update_view(&budi, SavedViewInput { is_shared: Some(false), ..change(&ours) }).await?;
        assert_eq!(identity.get_view(&sari, &ours.id).await.unwrap_err(), Error::not_found());
        identity.running.stop().await
    }

    async fn makers_and_admins_change_what_is_shared(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let budi = identity.somebody(&tenant, "budi@example.org").await;
        let sari = identity.somebody(&tenant, "sari@example.org").await;
        let admin = identity.known_admin(&tenant, "admin@example.org").await;
        let made = identity.save(&budi, shared("Depot")).await?;

        assert_eq!(identity.update_view(&sari, renamed(&made, "Hers")).await.unwrap_err(), Error::forbidden());
        assert_eq!(identity.remove_view(&sari, &made.id).await.unwrap_err(), Error::forbidden());
        assert_eq!(identity.get_view(&sari, &made.id).await?, made);

        let changed = identity.update_view(&admin, renamed(&made, "Depot 1")).await?;
        assert_eq!((changed.name.as_str(), changed.user_id), ("Depot 1", made.user_id.clone()));
        let taken_back = SavedViewInput { is_shared: Some(false), ..change(&made) };
        identity.update_view(&admin, taken_back).await?;
        assert_eq!(identity.remove_view(&admin, &made.id).await.unwrap_err(), Error::not_found());
        let again = SavedViewInput { is_shared: Some(true), ..change(&made) };
        identity.update_view(&budi, again).await?;
        identity.remove_view(&admin, &made.id).await?;
        assert_eq!(identity.all_view_names(&budi).await?, [""; 0]);

        // So it is among platform owners.
        identity.first_owner().await;
        let owner = identity.caller(&identity.login(DEFAULT_EMAIL, PASSWORD).await?).await;
        let made = identity.save(&owner, shared("Past due")).await?;
        identity.update_view(&identity.owner, renamed(&made, "Overdue")).await?;
        identity.remove_view(&identity.owner, &made.id).await?;
        identity.running.stop().await
    }

    async fn a_user_has_a_hundred_views_of_a_screen(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let budi = identity.somebody(&tenant, "budi@example.org").await;
        let mut last = None;
        for number in 1..100 {
            last = Some(identity.save(&budi, view(&format!("View {number}"))).await?);
        }
        // Those who come at once do not share the last place.
        let at_once = (0..4).map(|number| {
            let (identity, budi) = (&identity, &budi);
            async move { identity.save(budi, view(&format!("Late {number}"))).await }
        });
        let answers = join_all(at_once).await;
        let refused: Vec<_> = answers.into_iter().filter_map(Result::err).collect();
        assert_eq!(refused.len(), 3, "{refused:?}");
        for error in refused {
            let reached = (error.class, error.code.as_str(), error.limit.map(NonZeroU32::get));
            assert_eq!(reached, (Code::Conflict, "saved_view_limit_reached", Some(100)));
        }
        // There are others of other screens and of other users, and what is there can be changed.
        identity.save(&budi, SavedViewInput { screen: Some("users".to_owned()), ..view("View 1") }).await?;
        let sari = identity.somebody(&tenant, "sari@example.org").await;
        identity.save(&sari, view("View 1")).await?;
        let last = last.unwrap();
        identity.update_view(&budi, renamed(&last, "The last one")).await?;
        identity.remove_view(&budi, &last.id).await?;
        identity.save(&budi, view("Again")).await?;
        identity.running.stop().await
    }

    async fn what_is_shared_outlives_its_maker_and_nothing_its_tenant(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let (own, next) = (identity.tenant("Own").await, identity.tenant("Next").await);
        let budi = identity.somebody(&own, "budi@example.org").await;
        let admin = identity.known_admin(&own, "admin@example.org").await;
        identity.save(&budi, view("Canary private")).await?;
        let left = identity.save(&budi, shared("Canary shared")).await?;
        identity.save(&admin, view("Canary of the admin")).await?;
        let other = identity.somebody(&next, "other@example.org").await;
        identity.save(&other, view("Canary elsewhere")).await?;
        assert_eq!(identity.stored_views("canary").await, (4, 4));

        let gone = DeleteRequest { id: budi.grant.user_id.to_string(), row_version: None };
        answer(identity.users().delete(identity.owner.sign(gone)).await)?;
        assert_eq!(identity.stored_views("canary").await, (3, 3));
        let seen = identity.get_view(&admin, &left.id).await?;
        assert_eq!(seen, SavedView { user_id: None, user_name: None, ..left.clone() });
        let taken_back = SavedViewInput { is_shared: Some(false), ..change(&left) };
        let error = identity.update_view(&admin, taken_back).await.unwrap_err();
        assert_eq!(error, Error::field("is_shared", "not_changeable"));
        identity.update_view(&admin, renamed(&left, "Canary of nobody")).await?;
        let sari = identity.somebody(&own, "sari@example.org").await;
        assert_eq!(identity.update_view(&sari, renamed(&left, "Hers")).await.unwrap_err(), Error::forbidden());
        assert_eq!(identity.all_view_names(&sari).await?, ["Canary of nobody"]);

        let named = DeleteTenantInput { id: own.id.clone(), name: own.name.clone(), row_version: None };
        answer(identity.tenants().delete(identity.owner.sign(named.clone())).await)?;
        answer(identity.tenants().erase(identity.owner.sign(named)).await)?;
        assert_eq!(identity.stored_views("canary").await, (1, 1));
        assert_eq!(identity.all_view_names(&other).await?, ["Canary elsewhere"]);
        identity.running.stop().await
    }
}
