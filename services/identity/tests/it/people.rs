//! Tenants and users, and who may do what with them.

use armada_proto::{
    TenantId, UserId,
    v1::{DeleteRequest, GetRequest, ListTenantsRequest, ListUsersRequest, TenantInput, User, UserInput},
};
use armada_runtime::{Code, Error, Scope};
use armada_testkit::{Kind, both_databases, eventually};
use futures::future::join_all;
use sea_orm::{ConnectionTrait, Statement};

use crate::support::{self, Identity, SOON, answer, id_of, new_user};

fn get(id: &str) -> GetRequest {
    GetRequest { id: id.to_owned() }
}

fn fields(error: &Error) -> Vec<(&str, &str)> {
    let mut fields: Vec<_> = error.fields.iter().map(|(name, code)| (name.as_str(), code.as_str())).collect();
    fields.sort_unstable();
    fields
}

both_databases! {
    async fn platform_owners_manage_tenants(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let (owner, mut tenants) = (&identity.owner, identity.tenants());
        let input = TenantInput {
            name: Some(" Armada Nusantara ".to_owned()),
            description: Some("two\nlines".to_owned()),
            time_zone: Some("Asia/Makassar".to_owned()),
            ..TenantInput::default()
        };
        let made = answer(tenants.create(owner.sign(input)).await)?;
        assert_eq!((made.name.as_str(), made.time_zone.as_str()), ("Armada Nusantara", "Asia/Makassar"));
        assert!(made.active && made.row_version == 1);
        assert_eq!(answer(tenants.get(owner.sign(get(&made.id))).await)?, made);

        let change = TenantInput { id: made.id.clone(), row_version: Some(1), ..TenantInput::default() };
        let renamed = TenantInput { name: Some("New".to_owned()), ..change.clone() };
        let changed = answer(tenants.update(owner.sign(renamed)).await)?;
        assert_eq!((changed.name.as_str(), changed.description.as_str()), ("New", "two\nlines"));
        assert_eq!(changed.row_version, 2);
        assert_eq!(answer(tenants.update(owner.sign(change)).await).unwrap_err(), Error::version_mismatch());

        let wrong = TenantInput {
            name: Some("a\u{202e}b".to_owned()),
            description: Some("x".repeat(2001)),
            time_zone: Some("Asia/Atlantis".to_owned()),
            ..TenantInput::default()
        };
        let error = answer(tenants.create(owner.sign(wrong)).await).unwrap_err();
        let expected =
            [("description", "too_long"), ("name", "invalid_characters"), ("time_zone", "invalid_time_zone")];
        assert_eq!((error.class, fields(&error)), (Code::Invalid, expected.to_vec()));
        identity.running.stop().await
    }

    async fn others_do_not_manage_tenants(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let (own, foreign) = (identity.tenant("Own").await, identity.tenant("Foreign").await);
        let (admin, user) = (identity.admin_of(&own).await, identity.world.user(id_of(&own)).await);
        let mut tenants = identity.tenants();
        assert_eq!(answer(tenants.get(admin.sign(get(&own.id))).await)?, own);
        let of_foreign = answer(tenants.get(admin.sign(get(&foreign.id))).await).unwrap_err();
        for absent in [TenantId::new().to_string(), "x".to_owned(), String::new()] {
            assert_eq!(answer(tenants.get(admin.sign(get(&absent))).await).unwrap_err(), of_foreign);
        }
        assert_eq!(of_foreign, Error::not_found());
        for caller in [&admin, &user] {
            let input = || TenantInput { id: own.id.clone(), name: Some("Mine".to_owned()), ..TenantInput::default() };
            let list = answer(tenants.list(caller.sign(ListTenantsRequest::default())).await).unwrap_err();
            let create = answer(tenants.create(caller.sign(input())).await).unwrap_err();
            let update = answer(tenants.update(caller.sign(input())).await).unwrap_err();
            for error in [list, create, update] {
                assert_eq!(error, Error::forbidden());
            }
        }
        assert_eq!(answer(tenants.get(user.sign(get(&own.id))).await)?.id, own.id);
        assert_eq!(answer(tenants.get(user.sign(get(&foreign.id))).await).unwrap_err(), Error::not_found());
        assert_eq!(answer(tenants.get(get(&own.id)).await).unwrap_err(), Error::unauthenticated());
        identity.running.stop().await
    }

    async fn users_are_made_and_changed(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let mut users = identity.users();
        let admin = UserInput { is_tenant_admin: Some(true), tenant_id: Some(tenant.id.clone()), ..new_user("a@example.org") };
        let admin = identity.signed(&identity.create_confirmed_user(admin).await).await;
        let made = answer(users.create(admin.sign(new_user("Siti@Example.org"))).await)?;
        assert_eq!((made.email.as_str(), made.tenant_id.as_ref()), ("siti@example.org", Some(&tenant.id)));
        assert!(made.is_active && !made.is_tenant_admin && !made.is_platform_owner);

        let change = UserInput { id: made.id.clone(), row_version: Some(1), ..UserInput::default() };
        let promoted = UserInput {
            is_tenant_admin: Some(true),
            password: Some(String::new()),
            tenant_id: Some(tenant.id.clone()),
            ..change.clone()
        };
        let changed = answer(users.update(admin.sign(promoted)).await)?;
        assert!(changed.is_tenant_admin && changed.row_version == 2 && changed.name == made.name);
        let session = identity.login("siti@example.org", support::PASSWORD).await?;
        assert_eq!(session.user.unwrap().policy_version, 2);
        assert_eq!(answer(users.update(admin.sign(change)).await).unwrap_err(), Error::version_mismatch());

        let wrong = UserInput {
            name: Some("\u{7}".to_owned() + "bell"),
            email: Some("nobody".to_owned()),
            phone: Some("0".repeat(41)),
            password: Some("1234567".to_owned()),
            ..UserInput::default()
        };
        let error = answer(users.create(admin.sign(wrong)).await).unwrap_err();
        let expected =
            [("email", "invalid_email"), ("name", "invalid_characters"), ("password", "too_short"), ("phone", "too_long")];
        assert_eq!(fields(&error), expected);
        let error = answer(users.create(identity.owner.sign(UserInput::default())).await).unwrap_err();
        let expected = ["email", "name", "password", "tenant_id"].map(|name| (name, "required"));
        assert_eq!(fields(&error), expected);
        identity.running.stop().await
    }

    /// Whether an address has an account elsewhere is told to nobody; it signs in to that one account alone.
    async fn email_conflicts_reveal_no_other_tenants(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let (theirs, own) = (identity.tenant("Theirs").await, identity.tenant("Own").await);
        identity.user(&theirs, "same@example.org").await;
        let admin = UserInput { is_tenant_admin: Some(true), tenant_id: Some(own.id.clone()), ..new_user("a@example.org") };
        let admin = identity.signed(&identity.create_confirmed_user(admin).await).await;
        let create = async |email: &str| answer(identity.users().create(admin.sign(new_user(email))).await);
        let free = create("free@example.org").await?;
        let elsewhere = create("Same@example.org").await?;
        let as_listed = |user: User| User {
            id: String::new(), name: String::new(), email: String::new(), created_at: None, updated_at: None, ..user
        };
        assert_eq!(as_listed(elsewhere.clone()), as_listed(free.clone()));
        for email in ["same@example.org", "free@example.org"] {
            assert_eq!(create(email).await.unwrap_err(), Error::taken("email"), "of one's own tenant it is told");
        }
        let address = |id: &str, email: &str| UserInput { id: id.to_owned(), email: Some(email.to_owned()), ..UserInput::default() };
        let move_to = async |id: &str, email: &str| answer(identity.users().update(admin.sign(address(id, email))).await);
        move_to(&elsewhere.id, "other@example.org").await?;
        move_to(&free.id, "same@example.org").await?;
        assert_eq!(move_to(&elsewhere.id, "same@example.org").await.unwrap_err(), Error::taken("email"));
        // It signs in as before, and not to what another tenant made of it.
        let session = identity.login("same@example.org", support::PASSWORD).await?;
        assert_eq!(session.user.unwrap().tenant_id, Some(theirs.id));
        // Platform owners see all users anyhow.
        let input = UserInput { tenant_id: Some(own.id), ..new_user("same@example.org") };
        assert_eq!(answer(identity.users().create(identity.owner.sign(input)).await).unwrap_err(), Error::taken("email"));
        identity.running.stop().await
    }

    async fn concurrent_creates_of_one_email_yield_one_user(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("One").await;
        let admin = identity.admin_of(&tenant).await;
        let create = async |caller: &armada_testkit::Signed| {
            answer(identity.users().create(caller.sign(new_user("Same@example.org"))).await)
        };
        let answers = join_all([&admin, &admin, &admin].map(create)).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
        for error in answers.into_iter().filter_map(Result::err) {
            assert_eq!(error, Error::taken("email"));
        }
        identity.running.stop().await
    }

    async fn users_of_others_do_not_exist(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let (own, foreign) = (identity.tenant("Own").await, identity.tenant("Foreign").await);
        let (mine, theirs) =
            (identity.user(&own, "mine@example.org").await, identity.user(&foreign, "theirs@example.org").await);
        identity.first_owner().await;
        let (admin, mut users) = (identity.admin_of(&own).await, identity.users());
        let owners = ListUsersRequest { q: "armada.local".to_owned(), ..ListUsersRequest::default() };
        let platform_owner = answer(users.list(identity.owner.sign(owners.clone())).await)?.items.remove(0);
        assert!(platform_owner.is_platform_owner);

        for id in [theirs.id.clone(), platform_owner.id, UserId::new().to_string(), "x".to_owned()] {
            let read = answer(users.get(admin.sign(get(&id))).await).unwrap_err();
            let change = UserInput { id: id.clone(), name: Some("Mine".to_owned()), ..UserInput::default() };
            let changed = answer(users.update(admin.sign(change)).await).unwrap_err();
            assert_eq!((read, changed), (Error::not_found(), Error::not_found()), "{id}");
        }
        for tenant in [foreign.id.clone(), TenantId::new().to_string(), "x".to_owned()] {
            let input = UserInput { tenant_id: Some(tenant.clone()), ..new_user("new@example.org") };
            let create = answer(users.create(admin.sign(input)).await).unwrap_err();
            assert_eq!(create, Error::field("tenant_id", "unknown"));
            let moved = UserInput { id: mine.id.clone(), tenant_id: Some(tenant.clone()), ..UserInput::default() };
            let moved = answer(users.update(admin.sign(moved)).await).unwrap_err();
            assert_eq!(moved, Error::field("tenant_id", "not_changeable"));
            let list = ListUsersRequest { tenant_id: Some(tenant), ..ListUsersRequest::default() };
            assert_eq!(answer(users.list(admin.sign(list)).await).unwrap_err(), Error::not_found());
        }
        let absent = UserInput { tenant_id: Some(TenantId::new().to_string()), ..new_user("new@example.org") };
        let absent = answer(users.create(identity.owner.sign(absent)).await).unwrap_err();
        assert_eq!(absent, Error::field("tenant_id", "unknown"));
        for q in ["", "example.org", "theirs", "armada.local"] {
            let list = ListUsersRequest { q: q.to_owned(), ..ListUsersRequest::default() };
            let list = answer(users.list(admin.sign(list)).await)?;
            assert!(list.items.iter().all(|user| user.id == mine.id), "{q}: {list:?}");
            assert_eq!(list.total as usize, list.items.len());
        }
        identity.running.stop().await
    }

    async fn who_has_no_role_may_do_nothing(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let (me, other) =
            (identity.user(&tenant, "me@example.org").await, identity.user(&tenant, "other@example.org").await);
        let (caller, mut users) = (identity.signed(&me).await, identity.users());
        for id in [me.id.clone(), other.id, UserId::new().to_string(), "x".to_owned()] {
            assert_eq!(answer(users.get(caller.sign(get(&id))).await).unwrap_err(), Error::forbidden());
        }
        let grab = UserInput { id: me.id.clone(), is_tenant_admin: Some(true), ..UserInput::default() };
        let refused = [
            answer(users.list(caller.sign(ListUsersRequest::default())).await).unwrap_err(),
            answer(users.summary(caller.sign(ListUsersRequest::default())).await).unwrap_err(),
            answer(users.create(caller.sign(new_user("new@example.org"))).await).unwrap_err(),
            answer(users.update(caller.sign(grab)).await).unwrap_err(),
        ];
        assert!(refused.iter().all(|error| *error == Error::forbidden()), "{refused:?}");
        identity.running.stop().await
    }

    async fn users_cannot_lock_themselves_out(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        identity.first_owner().await;
        let session = identity.login("admin@armada.local", support::PASSWORD).await?;
        let id = session.user.unwrap().id;
        let caller = eventually("identity tells what the first owner may do", SOON, async || {
            Ok(identity.running.context.verifier().caller(&session.token).await?)
        })
        .await;
        let off = UserInput { id: id.clone(), is_active: Some(false), ..UserInput::default() };
        let error = answer(identity.users().update(caller.sign(off)).await).unwrap_err();
        assert_eq!(error, Error::field("is_active", "own_account"));
        let gone = DeleteRequest { id: id.clone(), row_version: None };
        let error = answer(identity.users().delete(caller.sign(gone)).await).unwrap_err();
        assert_eq!(error, Error::field("id", "own_account"));
        let admin = UserInput { id, is_tenant_admin: Some(true), ..UserInput::default() };
        let error = answer(identity.users().update(caller.sign(admin)).await).unwrap_err();
        assert_eq!(error, Error::field("is_tenant_admin", "no_tenant"));
        identity.running.stop().await
    }

    async fn lists_are_paged_sorted_and_searched(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        for name in ["delta", "Alpha", "100% École", "bravo_x", "bravo-x", "O'Neil; DROP TABLE tenant"] {
            identity.tenant(name).await;
        }
        let list = async |page: u32, page_size: u32, sort: &str, q: &str| {
            let (sort, q) = (sort.to_owned(), q.to_owned());
            let request = ListTenantsRequest { page, page_size, sort, q, ..ListTenantsRequest::default() };
            let list = answer(identity.tenants().list(identity.owner.sign(request)).await)?;
            let names: Vec<_> = list.items.into_iter().map(|tenant| tenant.name).collect();
            anyhow::Ok((names.join(", "), list.total))
        };
        // The same on both databases, whatever the language of one is.
        let all = "100% École, Alpha, bravo-x, bravo_x, delta, O'Neil; DROP TABLE tenant";
        assert_eq!(list(0, 0, "name", "").await?, (all.to_owned(), 6));
        assert!(list(1, 500, "-name", "").await?.0.starts_with("O'Neil; DROP TABLE tenant, delta"));
        let pages = [list(1, 4, "created_at", "").await?, list(2, 4, "created_at", "").await?];
        assert_eq!(pages[0], ("delta, Alpha, 100% École, bravo_x".to_owned(), 6));
        assert_eq!(pages[1], ("bravo-x, O'Neil; DROP TABLE tenant".to_owned(), 6));
        assert_eq!(list(20, 500, "", "").await?, (String::new(), 6));
        for page in [21, u32::MAX] {
            let too_deep = list(page, 500, "", "").await.unwrap_err().downcast::<Error>()?;
            assert_eq!(fields(&too_deep), [("page", "too_large")]);
        }

        for (q, name) in [
            ("éCOLE", "100% École"), ("0% é", "100% École"), ("o_X", "bravo_x"), ("o'n", "O'Neil; DROP TABLE tenant"),
            (" alpha ", "Alpha"), ("E\u{301}COLE", "100% École"), ("0%", "100% École"), ("Éco", "100% École"), ("ecole", "100% École"), ("ph", "Alpha"),
        ] {
            assert_eq!(list(1, 0, "", q).await?, (name.to_owned(), 1), "{q}");
        }
        for q in ["%%", "\\", "' OR 1=1 --", "_a", "zulu", "\"", "\"alpha\"", "alpha OR delta", "search:alpha", "alp*", "%%%"] {
            assert_eq!(list(1, 0, "", q).await?.1, 0, "{q}");
        }
        for sort in ["search", "name;", "id", "-", "name desc", "1"] {
            let error = list(1, 0, sort, "").await;
            match sort {
                "-" => assert!(error.is_ok()),
                _ => assert_eq!(error.unwrap_err().downcast::<Error>()?.fields["sort"], "unknown", "{sort}"),
            }
        }
        let too_much = list(1, 501, "", &"x".repeat(201)).await.unwrap_err().downcast::<Error>()?;
        assert_eq!(fields(&too_much), [("page_size", "too_large"), ("q", "too_long")]);
        identity.running.stop().await
    }
}

/// What a forgotten filter would meet. SQLite has no such rules.
#[tokio::test(flavor = "multi_thread")]
async fn postgres_itself_keeps_tenants_apart() -> anyhow::Result<()> {
    let identity = Identity::start(Kind::Postgres).await;
    let (own, foreign) = (identity.tenant("Own").await, identity.tenant("Foreign").await);
    identity.user(&own, "mine@example.org").await;
    identity.user(&foreign, "theirs@example.org").await;
    identity.first_owner().await;
    identity.login("theirs@example.org", support::PASSWORD).await?;
    let db = identity.world.database("identity").await;
    let count = async |scope: Scope, table: &str| {
        let tx = db.read(&scope).await?;
        let sql = format!("SELECT count(*) AS n FROM \"{table}\"");
        let row = tx.query_one_raw(Statement::from_string(db.backend(), sql)).await?.unwrap();
        anyhow::Ok(row.try_get::<i64>("", "n")?)
    };
    for (table, all, of_own, of_nobody) in [("tenant", 2, 1, 0), ("user", 3, 1, 0), ("session", 1, 0, 0)] {
        assert_eq!(count(Scope::Platform, table).await?, all, "{table}");
        assert_eq!(count(Scope::Tenant(id_of(&own)), table).await?, of_own, "{table}");
        assert_eq!(count(Scope::Tenant(TenantId::new()), table).await?, of_nobody, "{table}");
    }
    let tx = db.write(&Scope::Tenant(id_of(&own))).await?;
    let stolen = format!("UPDATE \"user\" SET tenant_id = '{}'", foreign.id);
    assert!(tx.execute_unprepared(&stolen).await.unwrap_err().to_string().contains("row-level security"));
    Ok(())
}
