//! Roles, what they say of permissions, who may give them to whom, and why somebody may do something.

use armada_proto::{
    access::{MANAGE_ROLES, MANAGE_USERS, built_in_keys, permission as p},
    v1::{
        DecisionReason, DeletePermissionRequest, DeleteRequest, Effect, Empty, ExplainRequest, GetRequest,
        ListRolesRequest, ListUsersRequest, PermissionInput, Role, RoleInput, RolePermissionsInput, TenantInput,
        UserInput, UserRolesInput,
    },
};
use armada_runtime::{Code, Error};
use armada_testkit::{both_databases, eventually};

use crate::support::{Identity, PASSWORD, SOON, answer, new_user};

const ALLOW: Effect = Effect::Allow;
const DENY: Effect = Effect::Deny;
const NONE: Effect = Effect::None;

fn role(name: &str) -> RoleInput {
    RoleInput { name: Some(name.to_owned()), ..RoleInput::default() }
}

fn get(id: &str) -> GetRequest {
    GetRequest { id: id.to_owned() }
}

impl Identity {
    /// Waits until the running service knows that a user may do something, or no longer may.
    async fn wait_for_permission(&self, user: &str, key: &str, allowed: bool) {
        eventually("the service knows", SOON, async || {
            let rights = self.running.context.policies.of(user.parse()?).await?;
            anyhow::ensure!(rights.allow(key) == allowed, "{rights:?}");
            Ok(())
        })
        .await;
    }
}

both_databases! {
    /// What people take for one name is one, on both databases alike, and is sorted where they look for it.
    async fn names_of_roles_are_compared_beyond_ascii(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let (admin, mut roles) = (identity.admin_of(&tenant).await, identity.roles());
        let mut first = None;
        for name in ["ÄRZTE", "écoles", "Écolo", "ДОСТАВКА", "доктор", "zebra", "Äpfel", "_x", "-x"] {
            let made = answer(roles.create(admin.sign(role(name))).await)?;
            first = first.or(Some(made));
        }
        for double in ["ärzte", "A\u{308}rzte", "ÉCOLES", "доставка", "ZEBRA"] {
            let error = answer(roles.create(admin.sign(role(double))).await).unwrap_err();
            assert_eq!(error, Error::taken("name"), "{double}");
        }
        let id = first.unwrap().id;
        let renamed = answer(roles.update(admin.sign(RoleInput { id, ..role("Ärzte") })).await)?;
        assert_eq!(renamed.name, "Ärzte", "a role may take its own name in other emails");

        let list = ListRolesRequest { page_size: 100, sort: "name".to_owned(), ..ListRolesRequest::default() };
        let listed = answer(roles.list(admin.sign(list)).await)?.items.into_iter().map(|role| role.name);
        let sorted = ["-x", "_x", "zebra", "Äpfel", "Ärzte", "écoles", "Écolo", "доктор", "ДОСТАВКА"];
        let ours: Vec<_> = listed.filter(|name| sorted.contains(&name.as_str())).collect();
        assert_eq!(ours, sorted);
        identity.running.stop().await
    }

    async fn roles_are_made_and_changed(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let (admin, mut roles) = (identity.admin_of(&tenant).await, identity.roles());
        let made = answer(roles.create(admin.sign(role(" Night shift "))).await)?;
        assert_eq!((made.name.as_str(), made.allowed, made.denied, made.users), ("Night shift", 0, 0, 0));
        identity.set_permissions(&admin, &made, &[(p::DEVICE_LIST, ALLOW), (p::DEVICE_DELETE, DENY)]).await?;
        let seen = answer(roles.get(admin.sign(get(&made.id))).await)?;
        assert_eq!((seen.allowed, seen.denied, seen.row_version), (1, 1, 2));

        let change = RoleInput { id: made.id.clone(), row_version: Some(2), ..role("Day shift") };
        let changed = answer(roles.update(admin.sign(change.clone())).await)?;
        assert_eq!((changed.name.as_str(), changed.row_version, changed.allowed), ("Day shift", 3, 1));
        assert_eq!(answer(roles.update(admin.sign(change)).await).unwrap_err(), Error::version_mismatch());
        assert_eq!(answer(roles.create(admin.sign(role("DAY shift"))).await).unwrap_err(), Error::taken("name"));
        assert_eq!(answer(roles.create(admin.sign(role(" "))).await).unwrap_err(), Error::field("name", "required"));

        // A copy says the same, a template's role what the template says.
        let copy = RoleInput { copy_of: Some(made.id.clone()), ..role("Copy") };
        let copy = answer(roles.create(admin.sign(copy)).await)?;
        assert_eq!((copy.allowed, copy.denied), (1, 1));
        let viewer = RoleInput { template: Some("viewer".to_owned()), ..role("Guest") };
        let viewer = answer(roles.create(admin.sign(viewer)).await)?;
        let mapping = answer(roles.get_permissions(admin.sign(get(&viewer.id))).await)?;
        let keys: Vec<_> = mapping.items.iter().map(|item| item.key.as_str()).collect();
        assert_eq!(keys, [p::ALARM_LIST, p::DEVICE_LIST, p::DOCUMENT_LIST, p::EVENT_LIST, p::MAINTENANCE_LIST, p::MASTER_DATA_LIST, p::POSITION_HISTORY, p::POSITION_LIVE]);
        for (input, error) in [
            (RoleInput { template: Some("boss".to_owned()), ..role("x") }, Error::field("template", "unknown")),
            (RoleInput { copy_of: Some("x".to_owned()), ..role("x") }, Error::field("copy_of", "unknown")),
        ] {
            assert_eq!(answer(roles.create(admin.sign(input)).await).unwrap_err(), error);
        }

        let request = ListRolesRequest { q: "SHIFT".to_owned(), ..ListRolesRequest::default() };
        let list = answer(roles.list(admin.sign(request)).await)?;
        assert_eq!((list.total, list.items[0].name.as_str()), (1, "Day shift"));
        let stale = DeleteRequest { id: made.id.clone(), row_version: Some(2) };
        assert_eq!(answer(roles.delete(admin.sign(stale)).await).unwrap_err(), Error::version_mismatch());
        answer(roles.delete(admin.sign(DeleteRequest { id: made.id.clone(), row_version: Some(3) })).await)?;
        assert_eq!(answer(roles.get(admin.sign(get(&made.id))).await).unwrap_err(), Error::not_found());
        identity.running.stop().await
    }

    /// The console of others takes holders of such a role for platform owners, which the server does not.
    async fn names_of_platform_owners_are_reserved(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let caller = identity.admin_of(&tenant).await;
        for name in ["PO", " po ", "Platform_Owner", "the ADMIN_PLATFORM", "platform_admin"] {
            let made = answer(identity.roles().create(caller.sign(role(name))).await);
            assert_eq!(made.unwrap_err(), Error::field("name", "reserved_role"), "{name}");
        }
        answer(identity.roles().create(caller.sign(role("Perusahaan Otobus"))).await)?;
        identity.running.stop().await
    }

    async fn roles_of_others_do_not_exist(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let (own, foreign) = (identity.tenant("Own").await, identity.tenant("Foreign").await);
        let theirs = identity.role(&foreign, "Theirs", &[(p::DEVICE_LIST, ALLOW)]).await;
        let their_user = identity.user(&foreign, "theirs@example.org").await;
        let (admin, mut roles) = (identity.admin_of(&own).await, identity.roles());
        let absent = uuid::Uuid::now_v7().to_string();
        for id in [theirs.id.as_str(), &absent, "x", ""] {
            let delete = DeleteRequest { id: id.to_owned(), row_version: None };
            let input = RolePermissionsInput { id: id.to_owned(), ..RolePermissionsInput::default() };
            let errors = [
                answer(roles.get(admin.sign(get(id))).await).unwrap_err(),
                answer(roles.update(admin.sign(RoleInput { id: id.to_owned(), ..role("Mine") })).await).unwrap_err(),
                answer(roles.delete(admin.sign(delete)).await).unwrap_err(),
                answer(roles.get_permissions(admin.sign(get(id))).await).unwrap_err(),
                answer(roles.set_permissions(admin.sign(input)).await).unwrap_err(),
            ];
            assert!(errors.iter().all(|error| *error == Error::not_found()), "{id}: {errors:?}");
            let copy = RoleInput { copy_of: Some(id.to_owned()), ..role("Copy") };
            if !id.is_empty() {
                assert_eq!(answer(roles.create(admin.sign(copy)).await).unwrap_err(), Error::field("copy_of", "unknown"));
            }
        }
        let explain = ExplainRequest { id: their_user.id, key: String::new() };
        assert_eq!(answer(roles.explain(admin.sign(explain)).await).unwrap_err(), Error::not_found());
        let there = RoleInput { tenant_id: Some(foreign.id.clone()), ..role("x") };
        assert_eq!(answer(roles.create(admin.sign(there)).await).unwrap_err(), Error::field("tenant_id", "unknown"));
        let list = ListRolesRequest { tenant_id: Some(foreign.id), ..ListRolesRequest::default() };
        assert_eq!(answer(roles.list(admin.sign(list)).await).unwrap_err(), Error::not_found());

        // Nor can one be given.
        let mine = identity.user(&own, "mine@example.org").await;
        for wrong in [&theirs.id, &absent, &"x".to_owned()] {
            let wrong = Role { id: wrong.clone(), ..Role::default() };
            let error = answer(identity.set_roles(&admin, &mine, &[&wrong]).await).unwrap_err();
            assert_eq!((error.code.as_str(), error.fields["role_ids"].as_str()), ("invalid_role_selection", "unknown"));
        }
        let error = answer(identity.set_roles(&admin, &mine, &[]).await).unwrap_err();
        assert_eq!((error.code.as_str(), error.fields["role_ids"].as_str()), ("invalid_role_selection", "required"));
        assert_eq!(error.message, "Invalid role selection. Please check your role selection.");
        // An admin may do everything without any.
        let promoted = UserInput { id: mine.id.clone(), is_tenant_admin: Some(true), ..UserInput::default() };
        answer(identity.users().update(identity.owner.sign(promoted)).await)?;
        assert_eq!(answer(identity.set_roles(&admin, &mine, &[]).await)?.roles, []);
        identity.running.stop().await
    }

    async fn nobody_grants_more_than_they_hold(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let manages = [
            p::ROLE_LIST, p::ROLE_CREATE, p::ROLE_UPDATE, p::ROLE_DELETE, p::USER_LIST, p::USER_CREATE, p::USER_UPDATE,
            p::USER_DELETE, p::USER_ASSIGN_ROLES, p::DEVICE_LIST,
        ];
        let lead = identity.role(&tenant, "Lead", &manages.map(|key| (key, ALLOW))).await;
        let small = identity.role(&tenant, "Small", &[(p::DEVICE_LIST, ALLOW)]).await;
        let big = identity.role(&tenant, "Big", &[(p::DEVICE_DELETE, ALLOW)]).await;
        let stop = identity.role(&tenant, "Stop", &[(p::DEVICE_DELETE, DENY)]).await;
        let (lead_user, caller) = identity.person(&tenant, "lead@example.org", &[&lead]).await;
        let (_, other_lead) = identity.person(&tenant, "lead2@example.org", &[&lead]).await;
        let (worker, _) = identity.person(&tenant, "worker@example.org", &[&small]).await;
        let (stopped, _) = identity.person(&tenant, "stopped@example.org", &[&big, &stop]).await;
        let more = |error: Error| assert_eq!((error.class, error.code.as_str()), (Code::Forbidden, "more_than_held"));

        // Not by a role's mapping, nor by a role made for it, nor by lifting what another role denies.
        more(identity.set_permissions(&caller, &small, &[(p::DEVICE_DELETE, ALLOW)]).await.unwrap_err());
        more(identity.set_permissions(&caller, &stop, &[(p::DEVICE_DELETE, NONE)]).await.unwrap_err());
        let copy = RoleInput { copy_of: Some(big.id.clone()), ..role("Copy") };
        more(answer(identity.roles().create(caller.sign(copy)).await).unwrap_err());
        let template = RoleInput { template: Some("manager".to_owned()), ..role("Template") };
        more(answer(identity.roles().create(caller.sign(template)).await).unwrap_err());
        let delete = DeleteRequest { id: stop.id.clone(), row_version: None };
        more(answer(identity.roles().delete(caller.sign(delete)).await).unwrap_err());
        // Nor by giving a role, or taking one away.
        more(answer(identity.set_roles(&caller, &worker, &[&small, &big]).await).unwrap_err());
        more(answer(identity.set_roles(&caller, &stopped, &[&big]).await).unwrap_err());
        // Nor by becoming somebody who may do more: an admin, by their password, by one's own roles.
        let (admin, _) = {
            let input = UserInput {
                tenant_id: Some(tenant.id.clone()), is_tenant_admin: Some(true), ..new_user("admin@example.org")
            };
            let admin = identity.create_confirmed_user(input).await;
            let signed = identity.signed(&admin).await;
            (admin, signed)
        };
        let update = async |id: &str, input: UserInput| {
            let input = UserInput { id: id.to_owned(), ..input };
            answer(identity.users().update(caller.sign(input)).await)
        };
        let password = || UserInput { password: Some("correct horse battery 2".to_owned()), ..UserInput::default() };
        more(update(&admin.id, password()).await.unwrap_err());
        let flag = || UserInput { is_tenant_admin: Some(true), ..UserInput::default() };
        more(update(&worker.id, flag()).await.unwrap_err());
        more(update(&lead_user.id, flag()).await.unwrap_err());
        let new_admin = UserInput { is_tenant_admin: Some(true), ..new_user("new@example.org") };
        more(answer(identity.users().create(caller.sign(new_admin)).await).unwrap_err());
        let with_roles = |email: &str, role_ids: &[&Role]| UserInput {
            role_ids: role_ids.iter().map(|role| role.id.clone()).collect(),
            ..new_user(email)
        };
        more(answer(identity.users().create(caller.sign(with_roles("new@example.org", &[&small, &big]))).await).unwrap_err());
        let made = answer(identity.users().create(caller.sign(with_roles("new@example.org", &[&small]))).await)?;
        assert_eq!(made.roles.iter().map(|role| &*role.name).collect::<Vec<_>>(), ["Small"]);
        let again = UserInput { role_ids: vec![small.id.clone()], ..UserInput::default() };
        assert_eq!(update(&made.id, again).await.unwrap_err(), Error::field("role_ids", "not_changeable"));
        more(answer(identity.set_roles(&caller, &lead_user, &[&lead, &small]).await).unwrap_err());
        let delete = DeleteRequest { id: admin.id.clone(), row_version: None };
        more(answer(identity.users().delete(caller.sign(delete)).await).unwrap_err());

        // What they hold they may give, and take.
        identity.set_permissions(&caller, &small, &[(p::USER_LIST, ALLOW), (p::POSITION_LIVE, DENY)]).await?;
        answer(identity.set_roles(&other_lead, &worker, &[&small, &lead]).await)?;
        answer(identity.set_roles(&caller, &worker, &[&small]).await)?;
        update(&worker.id, password()).await?;
        identity.running.stop().await
    }

    async fn concurrent_role_changes_conflict(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let user = identity.user(&tenant, "worker@example.org").await;
        let roles = [identity.role(&tenant, "One", &[]).await, identity.role(&tenant, "Two", &[]).await];
        let [first, second] = roles.map(|role| UserRolesInput {
            id: user.id.clone(),
            role_ids: vec![role.id],
            row_version: Some(user.row_version),
        });
        let given = answer(identity.users().set_roles(identity.owner.sign(first)).await)?;
        let late = answer(identity.users().set_roles(identity.owner.sign(second.clone())).await).unwrap_err();
        assert_eq!(late, Error::version_mismatch());
        let again = UserRolesInput { row_version: Some(given.row_version), ..second };
        assert_eq!(answer(identity.users().set_roles(identity.owner.sign(again)).await)?.roles[0].name, "Two");
        identity.running.stop().await
    }

    async fn a_tenant_keeps_an_admin(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let admin = async |email: &str| {
            let tenant_id = Some(tenant.id.clone());
            let input = UserInput { tenant_id, is_tenant_admin: Some(true), ..new_user(email) };
            identity.create_confirmed_user(input).await
        };
        let (one, two) = (admin("one@example.org").await, admin("two@example.org").await);
        let (as_one, as_two) = (identity.signed(&one).await, identity.signed(&two).await);
        let demote = |id: &str| UserInput { id: id.to_owned(), is_tenant_admin: Some(false), ..UserInput::default() };
        // Each the other, at once: one of them stays.
        let (mut a, mut b) = (identity.users(), identity.users());
        let (by_one, by_two) = tokio::join!(
            a.update(as_one.sign(demote(&two.id))),
            b.update(as_two.sign(demote(&one.id)))
        );
        let kept = match (answer(by_one), answer(by_two)) {
            (Ok(_), Err(_)) => one,
            (Err(_), Ok(_)) => two,
            both => panic!("{both:?}"),
        };
        let bar = UserInput { id: kept.id.clone(), is_active: Some(false), ..UserInput::default() };
        for (input, field) in [(demote(&kept.id), "is_tenant_admin"), (bar, "is_active")] {
            let error = answer(identity.users().update(identity.owner.sign(input)).await).unwrap_err();
            assert_eq!(error, Error::field(field, "last_admin"));
        }
        let delete = DeleteRequest { id: kept.id, row_version: None };
        let error = answer(identity.users().delete(identity.owner.sign(delete)).await).unwrap_err();
        assert_eq!(error, Error::field("id", "last_admin"));
        identity.running.stop().await
    }

    async fn the_platform_keeps_an_owner(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let db = identity.running.context.database("identity")?;
        let owner = async |email: &str| {
            let password = armada_identity::add_owner(&db, email, None).await.unwrap();
            let session = identity.login(email, &password).await.unwrap();
            // Whoever made it knows it, too.
            identity.change_password(&identity.caller(&session).await, &password, PASSWORD).await.unwrap();
            let session = identity.login(email, PASSWORD).await.unwrap();
            let (caller, id) = (identity.caller(&session).await, session.user.unwrap().id);
            eventually("the rest may be done now", SOON, async || {
                let rights = identity.running.context.policies.of(id.parse()?).await?;
                anyhow::ensure!(!rights.must_change_password, "{rights:?}");
                Ok(())
            })
            .await;
            (caller, id)
        };
        let ((as_one, one), (as_two, two)) = (owner("one@example.org").await, owner("two@example.org").await);
        let bar = |id: &str| UserInput { id: id.to_owned(), is_active: Some(false), ..UserInput::default() };
        // Each the other, at once: one of them stays.
        let (mut a, mut b) = (identity.users(), identity.users());
        let (by_one, by_two) = tokio::join!(a.update(as_one.sign(bar(&two))), b.update(as_two.sign(bar(&one))));
        let (kept, refused) = match (answer(by_one), answer(by_two)) {
            (Ok(_), Err(error)) => ("one@example.org", error),
            (Err(error), Ok(_)) => ("two@example.org", error),
            both => panic!("{both:?}"),
        };
        let late = refused.class == Code::Unauthenticated;
        assert!(late || refused == Error::field("is_active", "last_admin"), "{refused}");
        // Whoever runs the machine lets in whom nobody else can.
        let (context, other) = (&identity.running.context, if kept.starts_with("one") { "two@example.org" } else { "one@example.org" });
        let password = armada_identity::reset_owner(context, &other.to_uppercase()).await?;
        identity.login(other, &password).await?;
        assert_eq!(armada_identity::reset_owner(context, "budi@example.org").await, Err(Error::field("email", "unknown")));
        assert!(armada_identity::add_owner(&db, other, None).await.unwrap_err().fields.contains_key("email"));
        identity.running.stop().await
    }

    async fn catalogue_accepts_external_permissions(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let (admin, owner, mut permissions) =
            (identity.admin_of(&tenant).await, &identity.owner, identity.permissions());
        let input = |key: &str, description: &str| PermissionInput {
            key: key.to_owned(), description: description.to_owned(), row_version: None,
        };
        let made = answer(permissions.create(owner.sign(input("erp:sync", "Sync"))).await)?;
        assert!(!made.is_built_in);
        let list = answer(permissions.list(admin.sign(Empty {})).await)?;
        assert_eq!((list.total as usize, list.items.len()), (built_in_keys().len() + 1, built_in_keys().len() + 1));
        assert!(list.items.is_sorted_by_key(|permission| permission.key.clone()));
        assert!(list.items.iter().all(|permission| !permission.description.is_empty()));

        let create = async |key: &str| answer(identity.permissions().create(owner.sign(input(key, ""))).await).unwrap_err();
        assert_eq!(create("erp:sync").await, Error::taken("key"));
        assert_eq!(create(p::USER_LIST).await, Error::taken("key"));
        assert_eq!(create("").await, Error::field("key", "required"));
        assert_eq!(create("ERP").await, Error::field("key", "invalid_permission_key"));
        let error = answer(permissions.create(admin.sign(input("a:b", ""))).await).unwrap_err();
        assert_eq!(error, Error::forbidden());
        let error = answer(permissions.update(owner.sign(input(p::USER_LIST, "x"))).await).unwrap_err();
        assert_eq!(error, Error::field("key", "built_in"));
        let renamed = answer(permissions.update(owner.sign(input("erp:sync", "Synchronise"))).await)?;
        assert_eq!((renamed.description.as_str(), renamed.row_version), ("Synchronise", 2));

        let clerk = identity.role(&tenant, "Clerk", &[("erp:sync", ALLOW)]).await;
        let unknown = identity.set_permissions(&admin, &clerk, &[("erp:other", ALLOW)]).await.unwrap_err();
        assert_eq!(unknown, Error::field("items", "unknown_permission"));
        let (user, _) = identity.person(&tenant, "clerk@example.org", &[&clerk]).await;
        identity.wait_for_permission(&user.id, "erp:sync", true).await;
        let delete = DeletePermissionRequest { key: "erp:sync".to_owned(), row_version: Some(2) };
        answer(permissions.delete(owner.sign(delete)).await)?;
        identity.wait_for_permission(&user.id, "erp:sync", false).await;
        assert_eq!(answer(identity.roles().get(admin.sign(get(&clerk.id))).await)?.allowed, 0);
        identity.running.stop().await
    }

    async fn every_decision_is_explained(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let yes = identity.role(&tenant, "A yes", &[(p::DEVICE_LIST, ALLOW), (p::DEVICE_DELETE, ALLOW)]).await;
        let no = identity.role(&tenant, "B no", &[(p::DEVICE_DELETE, DENY)]).await;
        let (user, _) = identity.person(&tenant, "user@example.org", &[&yes, &no]).await;
        let admin = identity.admin_of(&tenant).await;
        let explain = async |key: &str| {
            let request = ExplainRequest { id: user.id.clone(), key: key.to_owned() };
            answer(identity.roles().explain(admin.sign(request)).await)
        };
        for (key, allowed, reason, names) in [
            (p::DEVICE_LIST, true, DecisionReason::RoleAllows, ["A yes", "B no"]),
            (p::DEVICE_DELETE, false, DecisionReason::RoleDenies, ["B no", "A yes"]),
            (p::DEVICE_CREATE, false, DecisionReason::NoRoleAllows, ["A yes", "B no"]),
        ] {
            let decision = explain(key).await?.items.remove(0);
            assert_eq!((decision.allowed, decision.reason()), (allowed, reason), "{key}");
            assert_eq!(decision.roles.iter().map(|says| says.role_name.as_str()).collect::<Vec<_>>(), names, "{key}");
        }
        assert_eq!(explain("").await?.items.len(), built_in_keys().len());
        assert_eq!(explain("x:y").await.unwrap_err(), Error::field("key", "unknown_permission"));

        let update = |input: UserInput| UserInput { id: user.id.clone(), ..input };
        let change = async |input| answer(identity.users().update(identity.owner.sign(update(input))).await);
        change(UserInput { is_tenant_admin: Some(true), ..UserInput::default() }).await?;
        let decision = explain(p::DEVICE_DELETE).await?.items.remove(0);
        assert_eq!((decision.allowed, decision.reason()), (true, DecisionReason::TenantAdmin));
        change(UserInput { is_tenant_admin: Some(false), ..UserInput::default() }).await.unwrap_err();
        let off = TenantInput { id: tenant.id.clone(), active: Some(false), ..TenantInput::default() };
        answer(identity.tenants().update(identity.owner.sign(off)).await)?;
        let request = ExplainRequest { id: user.id.clone(), key: p::DEVICE_LIST.to_owned() };
        let decision = answer(identity.roles().explain(identity.owner.sign(request)).await)?.items.remove(0);
        assert_eq!((decision.allowed, decision.reason()), (false, DecisionReason::TenantInactive));
        identity.running.stop().await
    }

    /// What a role says of `manage-users` it says of every `user:…`, and deny beats allow between them too.
    async fn to_manage_stands_for_every_act_of_a_module(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let manages = identity.role(&tenant, "Manages", &[(MANAGE_USERS, ALLOW), (p::USER_DELETE, DENY)]).await;
        let (user, signed) = identity.person(&tenant, "user@example.org", &[&manages]).await;
        for (key, allowed) in [(p::USER_LIST, true), (p::USER_ASSIGN_ROLES, true), (MANAGE_USERS, true), (p::USER_DELETE, false), (p::ROLE_LIST, false)] {
            identity.wait_for_permission(&user.id, key, allowed).await;
        }
        let list = async || answer(identity.users().list(signed.sign(ListUsersRequest::default())).await);
        assert_eq!(list().await?.total, 1);
        let admin = identity.admin_of(&tenant).await;
        let decide = async |key: &str| {
            let request = ExplainRequest { id: user.id.clone(), key: key.to_owned() };
            anyhow::Ok(answer(identity.roles().explain(admin.sign(request)).await)?.items.remove(0))
        };
        let listing = decide(p::USER_LIST).await?;
        assert_eq!((listing.allowed, listing.roles[0].through.as_deref()), (true, Some(MANAGE_USERS)));
        let deleting = decide(p::USER_DELETE).await?;
        assert_eq!((deleting.allowed, deleting.roles[0].through.as_deref()), (false, None));

        // Nobody gives what they lack by giving what stands for it.
        let other = identity.role(&tenant, "Other", &[]).await;
        let gives = identity.role(&tenant, "Gives", &[(MANAGE_ROLES, ALLOW)]).await;
        let (giver, signed_giver) = identity.person(&tenant, "giver@example.org", &[&manages, &gives]).await;
        identity.wait_for_permission(&giver.id, p::ROLE_UPDATE, true).await;
        let refused = identity.set_permissions(&signed_giver, &other, &[(MANAGE_USERS, ALLOW)]).await.unwrap_err();
        assert_eq!(refused.code, "more_than_held");
        identity.set_permissions(&signed_giver, &other, &[(MANAGE_ROLES, ALLOW)]).await?;

        // An explicit no closes the page and its calls, whatever else allows them.
        let no = identity.role(&tenant, "No", &[(MANAGE_USERS, DENY), (p::USER_LIST, ALLOW)]).await;
        answer(identity.set_roles(&identity.owner, &user, &[&manages, &no]).await)?;
        for key in [p::USER_LIST, p::USER_UPDATE, MANAGE_USERS] {
            identity.wait_for_permission(&user.id, key, false).await;
        }
        assert_eq!(list().await.unwrap_err(), Error::forbidden());
        let listing = decide(p::USER_LIST).await?;
        assert_eq!((listing.allowed, listing.reason()), (false, DecisionReason::RoleDenies));
        assert_eq!((listing.roles[0].role_name.as_str(), listing.roles[0].through.as_deref()), ("No", Some(MANAGE_USERS)));
        identity.running.stop().await
    }
}
