//! What users may do, as every service reads it in the bucket.

use armada_proto::{
    UserId,
    access::permission as p,
    coded, policy,
    v1::{
        DeleteRequest, Effect, ListUsersRequest, Policy, Role, RolePermission, RolePermissionsInput, Tenant, User,
        UserInput, UserList, UserRolesInput, UserStatus, UserSummary,
    },
};
use armada_runtime::{Error, Scope};
use armada_testkit::{both_databases, eventually, eventually_equal};
use futures::{StreamExt, TryStreamExt};
use sea_orm::{ConnectionTrait, DbBackend};

use crate::support::{self, Identity, SOON, answer, new_user};

/// Users with a role, written as they are stored: nobody signs in as them.
async fn many_users(identity: &Identity, tenant: &Tenant, role: &Role, many: usize) -> anyhow::Result<Vec<UserId>> {
    let db = identity.world.database("identity").await;
    let tx = db.write(&Scope::Platform).await?;
    let users: Vec<UserId> = (0..many).map(|_| UserId::new()).collect();
    let literal = |id: uuid::Uuid| match db.backend() {
        DbBackend::Postgres => format!("'{id}'"),
        _ => format!("x'{}'", id.simple()),
    };
    let (tenant, role) = (literal(tenant.id.parse()?), literal(role.id.parse()?));
    for (index, user) in users.iter().enumerate() {
        let user = literal(user.0);
        tx.execute_unprepared(&format!(
            "INSERT INTO \"user\" (id, tenant_id, name, email, phone, password_hash, is_platform_owner, is_tenant_admin, \
               is_active, policy_version, search, row_version, created_at, updated_at) \
             VALUES ({user}, {tenant}, 'User', '{index}@example.org', '', '', false, false, true, 1, 'user', 1, 0, 0); \
             INSERT INTO user_role (user_id, role_id, tenant_id) VALUES ({user}, {role}, {tenant})"
        ))
        .await?;
    }
    tx.commit().await?;
    Ok(users)
}

impl Identity {
    async fn wait_for_policy(&self, user: &User, permissions: &[&str]) -> Policy {
        eventually("the bucket follows", SOON, async || {
            let policy = self.policy(user).await?.ok_or_else(|| anyhow::anyhow!("no policy"))?;
            anyhow::ensure!(policy.permissions == permissions, "{policy:?}");
            Ok(policy)
        })
        .await
    }
}

both_databases! {
    async fn policies_bucket_mirrors_every_change(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let user = identity.user(&tenant, "user@example.org").await;
        let first = identity.wait_for_policy(&user, &[]).await;
        assert_eq!((first.tenant_id.as_ref(), first.is_platform_owner, first.is_tenant_admin), (Some(&tenant.id), false, false));

        let looks = identity.role(&tenant, "Looks", &[(p::POSITION_LIVE, Effect::Allow), (p::DEVICE_LIST, Effect::Allow)]).await;
        let stops = identity.role(&tenant, "Stops", &[(p::POSITION_LIVE, Effect::Deny)]).await;
        answer(identity.set_roles(&identity.owner, &user, &[&looks]).await)?;
        let second = identity.wait_for_policy(&user, &[p::DEVICE_LIST, p::POSITION_LIVE]).await;
        answer(identity.set_roles(&identity.owner, &user, &[&looks, &stops]).await)?;
        let third = identity.wait_for_policy(&user, &[p::DEVICE_LIST]).await;
        let items = vec![RolePermission { key: p::POSITION_LIVE.to_owned(), effect: Effect::None.into() }];
        let input = RolePermissionsInput { id: stops.id.clone(), items, row_version: None };
        answer(identity.roles().set_permissions(identity.owner.sign(input)).await)?;
        let fourth = identity.wait_for_policy(&user, &[p::DEVICE_LIST, p::POSITION_LIVE]).await;
        let delete = DeleteRequest { id: looks.id.clone(), row_version: None };
        answer(identity.roles().delete(identity.owner.sign(delete)).await)?;
        let fifth = identity.wait_for_policy(&user, &[]).await;
        let versions = [&first, &second, &third, &fourth, &fifth].map(|policy| policy.version);
        assert!(versions.is_sorted_by(|a, b| a < b), "{versions:?}");

        let change = |input: UserInput| UserInput { id: user.id.clone(), ..input };
        answer(identity.users().update(identity.owner.sign(change(UserInput { is_active: Some(false), ..UserInput::default() }))).await)?;
        eventually_equal("a barred user has none", SOON, None, async || identity.policy(&user).await).await;
        let back = UserInput { is_active: Some(true), is_tenant_admin: Some(true), ..UserInput::default() };
        answer(identity.users().update(identity.owner.sign(change(back))).await)?;
        eventually("an admin's policy", SOON, async || {
            let policy = identity.policy(&user).await?.ok_or_else(|| anyhow::anyhow!("no policy"))?;
            anyhow::ensure!(policy.is_tenant_admin && policy.version > fifth.version, "{policy:?}");
            Ok(())
        })
        .await;
        identity.running.stop().await
    }

    /// More users than the relay carries at a time lose what their role allowed.
    async fn revoking_a_widely_used_role_updates_all_policies(kind: Kind) -> anyhow::Result<()> {
        const MANY: usize = 5_000;
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let role = identity.role(&tenant, "Looks", &[(p::POSITION_LIVE, Effect::Allow), (p::DEVICE_LIST, Effect::Allow)]).await;
        let users = many_users(&identity, &tenant, &role, MANY).await?;
        let set_effect = async |effect: Effect| {
            let items = vec![RolePermission { key: p::POSITION_LIVE.to_owned(), effect: effect.into() }];
            let input = RolePermissionsInput { id: role.id.clone(), items, row_version: None };
            answer(identity.roles().set_permissions(identity.owner.sign(input)).await)
        };
        let bucket = identity.world.bus.bucket(policy::BUCKET).await?;
        for (effect, allowed) in [(Effect::Deny, false), (Effect::Allow, true), (Effect::None, false)] {
            // What is written to the bucket from here on.
            let mut entries = bucket.watch_all().await?;
            let asked = std::time::Instant::now();
            set_effect(effect).await?;
            let mut waiting: std::collections::HashSet<String> = users.iter().map(UserId::to_string).collect();
            while !waiting.is_empty() {
                let entry = tokio::time::timeout(SOON, entries.next()).await?.unwrap()?;
                let Some(policy) = coded::decode::<Policy>(&entry.value) else { continue };
                if policy.permissions.iter().any(|key| key == p::POSITION_LIVE) == allowed {
                    waiting.remove(&entry.key);
                }
            }
            eprintln!("{MANY} users of {kind:?} are told after {:?}", asked.elapsed());
        }
        identity.running.stop().await
    }

    /// A bucket that was restored from a backup, or edited by hand, comes right at the next start; so does one that the
    /// first platform owner is not in.
    async fn start_reconciles_the_bucket(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let (lost, stale) = (identity.user(&tenant, "a@example.org").await, identity.user(&tenant, "b@example.org").await);
        for user in [&lost, &stale] {
            identity.wait_for_policy(user, &[]).await;
        }
        let bucket = identity.world.bus.bucket(policy::BUCKET).await?;
        let orphan = User { id: UserId::new().to_string(), ..User::default() };
        bucket.delete(&lost.id).await?;
        let everything = Policy { is_platform_owner: true, ..Policy::default() };
        bucket.put(&stale.id, coded::encode(&everything).into()).await?;
        bucket.put(&orphan.id, coded::encode(&everything).into()).await?;

        let context = support::context(&identity.world, &support::config()).await;
        let mut process = identity.world.process(&context);
        process.add(armada_identity::build(&context, support::config()).await?);
        let again = identity.world.run(process).await;
        eventually_equal("the orphan goes", SOON, None, async || identity.policy(&orphan).await).await;
        identity.wait_for_policy(&lost, &[]).await;
        eventually("the stale key is mended", SOON, async || {
            let policy = identity.policy(&stale).await?.ok_or_else(|| anyhow::anyhow!("no policy"))?;
            anyhow::ensure!(!policy.is_platform_owner, "{policy:?}");
            Ok(())
        })
        .await;
        again.stop().await?;
        identity.running.stop().await
    }

    async fn output_only_fields_are_ignored_in_requests(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let admin = identity.admin_of(&tenant).await;
        // A role that has a name like a right is none.
        let named = identity.role(&tenant, "x_platform_admin", &[]).await;
        let (user, signed) = identity.person(&tenant, "user@example.org", &[&named]).await;
        assert!(!user.is_platform_owner);
        let list = answer(identity.users().list(signed.sign(ListUsersRequest::default())).await).unwrap_err();
        assert_eq!(list, Error::forbidden());
        // Platform owners are out of reach for admins of tenants.
        identity.first_owner().await;
        let all = ListUsersRequest { q: "armada.local".to_owned(), ..ListUsersRequest::default() };
        let owner = answer(identity.users().list(identity.owner.sign(all)).await)?.items.remove(0);
        assert!(owner.is_platform_owner);
        let input = UserInput { id: owner.id.clone(), is_active: Some(false), ..UserInput::default() };
        let role_ids = vec![named.id.clone()];
        let errors = [
            answer(identity.users().update(admin.sign(input)).await).unwrap_err(),
            answer(identity.users().delete(admin.sign(DeleteRequest { id: owner.id.clone(), row_version: None })).await).unwrap_err(),
            answer(identity.users().set_roles(admin.sign(UserRolesInput { id: owner.id.clone(), role_ids, row_version: None })).await).unwrap_err(),
        ];
        assert!(errors.iter().all(|error| *error == Error::not_found()), "{errors:?}");
        let error = answer(identity.set_roles(&identity.owner, &owner, &[&named]).await).unwrap_err();
        assert_eq!(error.code, "invalid_role_selection");
        identity.running.stop().await
    }

    async fn users_are_filtered_counted_exported_and_deleted(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let admin = identity.admin_of(&tenant).await;
        let looks = identity.role(&tenant, "Looks", &[(p::DEVICE_LIST, Effect::Allow)]).await;
        let (ani, _) = identity.person(&tenant, "ani@example.org", &[&looks]).await;
        assert_eq!(ani.roles.iter().map(|role| role.name.as_str()).collect::<Vec<_>>(), ["Looks"]);
        assert_eq!((ani.status(), ani.tenant_name.as_deref()), (UserStatus::Active, Some("Acme")));
        let invited = UserInput { invite: true, password: None, is_subscription_active: Some(false), ..new_user("budi@example.org") };
        let budi = answer(identity.users().create(admin.sign(invited)).await)?;
        assert_eq!(budi.status(), UserStatus::Invited);
        let citra = UserInput { phone: Some("0812 3456".to_owned()), is_active: Some(false), ..new_user("citra@example.org") };
        let citra = answer(identity.users().create(admin.sign(citra)).await)?;
        assert_eq!(citra.status(), UserStatus::Inactive);

        let emails = async |request: ListUsersRequest| {
            let list = answer(identity.users().list(admin.sign(request)).await)?;
            anyhow::Ok(list.items.iter().map(|user| user.email[..4].to_owned()).collect::<Vec<_>>().join(", "))
        };
        let by_email = ListUsersRequest { sort: "email".to_owned(), ..ListUsersRequest::default() };
        let of = |statuses: &[UserStatus]| ListUsersRequest {
            statuses: statuses.iter().map(|status| (*status).into()).collect(),
            ..by_email.clone()
        };
        for (request, wanted) in [
            (by_email.clone(), "ani@, budi, citr"),
            (of(&[UserStatus::Active]), "ani@"),
            (of(&[UserStatus::Invited, UserStatus::Inactive]), "budi, citr"),
            (ListUsersRequest { is_subscription_active: Some(false), ..by_email.clone() }, "budi"),
            (ListUsersRequest { role_ids: vec![looks.id.clone()], ..by_email.clone() }, "ani@"),
            (ListUsersRequest { role_ids: vec!["x".to_owned()], ..by_email.clone() }, ""),
            (ListUsersRequest { ids: vec![citra.id.clone(), "x".to_owned()], ..by_email.clone() }, "citr"),
            (ListUsersRequest { q: "0812".to_owned(), ..by_email.clone() }, "citr"),
            (ListUsersRequest { sort: "-phone".to_owned(), page_size: 1, ..by_email.clone() }, "citr"),
        ] {
            assert_eq!(emails(request).await?, wanted);
        }
        let summary = answer(identity.users().summary(admin.sign(by_email.clone())).await)?;
        let wanted = UserSummary {
            total: 3, active: 1, inactive: 1, invited: 1, tenant_admins: 0, subscription_active: 2, with_totp: 0,
            never_signed_in: 3,
        };
        assert_eq!(summary, wanted);
        let pieces = answer(identity.users().export(admin.sign(by_email.clone())).await)?;
        let pieces: Vec<UserList> = pieces.try_collect().await?;
        let exported: Vec<User> = pieces.into_iter().flat_map(|piece| piece.items).collect();
        assert_eq!(exported, [ani.clone(), budi, citra]);

        let request = DeleteRequest { id: ani.id.clone(), row_version: Some(1) };
        let stale = answer(identity.users().delete(admin.sign(request)).await).unwrap_err();
        assert_eq!(stale, Error::version_mismatch());
        let request = DeleteRequest { id: ani.id.clone(), row_version: Some(ani.row_version) };
        answer(identity.users().delete(admin.sign(request)).await)?;
        eventually_equal("their policy goes", SOON, None, async || identity.policy(&ani).await).await;
        assert!(identity.login("ani@example.org", support::PASSWORD).await.is_err());
        assert_eq!(emails(by_email).await?, "budi, citr");
        identity.running.stop().await
    }
}
