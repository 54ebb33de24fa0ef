//! Roles follow the templates that they were made from, until somebody edits them.

use armada_identity::{Migrator, rules::templates};
use armada_proto::{
    access::permission as p,
    v1::{
        AuditEntry, Effect, GetRequest, ListAuditRequest, ListRolesRequest, Role, RoleInput, Tenant,
        audit_client::AuditClient,
    },
};
use armada_runtime::{Result, Scope};
use armada_testkit::{World, both_databases, eventually};
use sea_orm::{ConnectionTrait, Statement, Value};
use sea_orm_migration::{MigrationTrait, MigratorTrait};
use uuid::Uuid;

use crate::support::{self, Identity, SOON, answer};

const ALARMS: [&str; 3] = [p::ALARM_ACKNOWLEDGE, p::ALARM_EXPORT, p::ALARM_LIST];

/// The schema before roles knew which template they follow.
struct Former;

impl MigratorTrait for Former {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        Migrator::migrations().into_iter().take(17).collect()
    }
}

impl Identity {
    /// A role that the tenant got of a template.
    async fn role_of(&self, tenant: &Tenant, template: &str) -> Role {
        let request =
            ListRolesRequest { tenant_id: Some(tenant.id.clone()), page_size: 100, ..ListRolesRequest::default() };
        let roles = answer(self.roles().list(self.owner.sign(request)).await).unwrap().items;
        let name = templates::find(template).unwrap().name;
        roles.into_iter().find(|role| role.name == name).unwrap()
    }

    async fn make_role(&self, tenant: &Tenant, input: RoleInput) -> Result<Role> {
        let input = RoleInput { tenant_id: Some(tenant.id.clone()), ..input };
        answer(self.roles().create(self.owner.sign(input)).await)
    }

    /// How many of the permissions about alarms a role allows, and its version.
    async fn alarms_of(&self, role: &Role) -> Result<(usize, i32)> {
        let get = GetRequest { id: role.id.clone() };
        let answered = answer(self.roles().get_permissions(self.owner.sign(get)).await)?;
        let alarms = answered.items.iter().filter(|item| ALARMS.contains(&item.key.as_str()));
        Ok((alarms.count(), answered.row_version))
    }

    /// What was entered of changes of a role.
    async fn changes_of(&self, role: &Role) -> anyhow::Result<Vec<AuditEntry>> {
        let acts = vec![p::ROLE_UPDATE.to_owned()];
        let request = ListAuditRequest { object_id: role.id.clone(), acts, ..ListAuditRequest::default() };
        let mut audit = AuditClient::new(self.running.context.peers.transport("identity")?);
        Ok(answer(audit.list(self.owner.sign(request)).await)?.items)
    }
}

/// Takes from all roles what the templates of an earlier version did not allow.
async fn forget_alarms(world: &World) -> anyhow::Result<()> {
    let db = world.database("identity").await;
    let tx = db.write(&Scope::Platform).await?;
    tx.execute_unprepared("DELETE FROM role_permission WHERE key LIKE 'alarm:%'").await?;
    tx.commit().await?;
    Ok(db.close().await?)
}

/// Starts identity anew, in two processes at once, of which one goes on.
async fn upgraded(identity: Identity) -> anyhow::Result<Identity> {
    let Identity { world, running, owner } = identity;
    running.stop().await?;
    forget_alarms(&world).await?;
    let config = support::config();
    let (context, second) = (support::context(&world, &config).await, support::context(&world, &config).await);
    let (service, other) = tokio::join!(
        armada_identity::build(&context, config.clone()),
        armada_identity::build(&second, config.clone()),
    );
    drop(other?);
    let mut process = world.process(&context);
    process.add(service?);
    let running = world.run(process).await;
    Ok(Identity { world, running, owner })
}

both_databases! {
    async fn roles_that_nobody_has_edited_get_new_permissions(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let of = async |template: &str| identity.role_of(&tenant, template).await;
        let (manager, dispatcher, viewer) = (of("manager").await, of("dispatcher").await, of("viewer").await);
        let named = |name: &str| RoleInput { name: Some(name.to_owned()), ..RoleInput::default() };
        let guest = RoleInput { template: Some("viewer".to_owned()), ..named("Guest") };
        let guest = identity.make_role(&tenant, guest).await?;
        let copy = RoleInput { copy_of: Some(viewer.id.clone()), ..named("Copy") };
        let copy = identity.make_role(&tenant, copy).await?;
        identity.set_permissions(&identity.owner, &dispatcher, &[(p::USER_LIST, Effect::None)]).await?;
        // Another name is no other meaning, and to say the same again is no change.
        let renamed = RoleInput { id: viewer.id.clone(), ..named("Watchers") };
        answer(identity.roles().update(identity.owner.sign(renamed)).await)?;
        identity.set_permissions(&identity.owner, &viewer, &[(p::DEVICE_LIST, Effect::Allow)]).await?;
        let (user, _) = identity.person(&tenant, "budi@example.org", &[&manager]).await;
        let before = identity.policy(&user).await?.unwrap();

        let identity = upgraded(identity).await?;
        let (manages, watches) = (identity.alarms_of(&manager).await?, identity.alarms_of(&viewer).await?);
        assert_eq!((manages, watches), ((3, 2), (1, 3)), "once, however many processes start");
        assert_eq!(identity.alarms_of(&guest).await?, (1, 2), "of a template under another name");
        assert_eq!(identity.alarms_of(&dispatcher).await?, (0, 2), "it is what somebody made of it");
        assert_eq!(identity.alarms_of(&copy).await?, (0, 1), "it was made from a role");
        eventually("services are told", SOON, async || {
            let policy = identity.policy(&user).await?.unwrap();
            anyhow::ensure!(policy.version > before.version, "{policy:?}");
            anyhow::ensure!(policy.permissions == before.permissions, "{policy:?}");
            Ok(())
        })
        .await;
        eventually("the audit tells", SOON, async || {
            let entries = identity.changes_of(&manager).await?;
            let [entry] = &entries[..] else { anyhow::bail!("{entries:?}") };
            let after = entry.after.clone().unwrap_or_default();
            anyhow::ensure!(entry.actor_name == "identity" && ALARMS.iter().all(|key| after.contains(key)), "{entry:?}");
            Ok(())
        })
        .await;
        identity.running.stop().await
    }

    async fn roles_of_an_older_schema_follow_if_nobody_can_have_edited_them(world: World) {
        let db = world.database("identity").await;
        db.migrate::<Former>("identity").await.expect("the former schema");
        let tx = db.write(&Scope::Platform).await.expect("a transaction");
        let run = async |sql: &str, values: Vec<Value>| {
            tx.execute_raw(Statement::from_sql_and_values(db.backend(), sql, values)).await.expect(sql);
        };
        let tenant = Uuid::now_v7();
        run(
            "INSERT INTO tenant (id, name, description, time_zone, active, search, row_version, created_at, updated_at) \
             VALUES ($1, 'Acme', '', 'UTC', true, '', 1, 0, 0)",
            vec![tenant.into()],
        )
        .await;
        let template = |key: &str| templates::find(key).expect("a template");
        let (viewer, finance, technician) = (template("viewer"), template("finance"), template("technician"));
        let fewer = &viewer.allows[1..];
        let roles = [
            (viewer.name, viewer.description, 1, "allow", fewer),
            ("All of it", "", 1, "allow", viewer.allows),
            ("Less of it", "", 1, "allow", fewer),
            (technician.name, technician.description, 2, "allow", &technician.allows[1..]),
            (finance.name, finance.description, 1, "deny", finance.allows),
            ("More than it", "", 1, "allow", template("manager").allows.split_last().expect("many").1),
        ];
        for (name, description, version, effect, keys) in roles {
            let id = Uuid::now_v7();
            run(
                "INSERT INTO role (id, tenant_id, name, name_folded, description, search, row_version, created_at, updated_at) \
                 VALUES ($1, $2, $3, $3, $4, '', $5, 0, 0)",
                vec![id.into(), tenant.into(), name.into(), description.into(), version.into()],
            )
            .await;
            for key in keys {
                let answered = vec![id.into(), (*key).into(), tenant.into(), effect.into()];
                run("INSERT INTO role_permission (role_id, key, tenant_id, effect) VALUES ($1, $2, $3, $4)", answered).await;
            }
        }
        tx.commit().await.expect("it is stored");

        db.migrate::<Migrator>("identity").await.expect("the present schema");
        let tx = db.read(&Scope::Platform).await.expect("a transaction");
        let sql = "SELECT name, template FROM role WHERE template IS NOT NULL ORDER BY name";
        let rows = tx.query_all_raw(Statement::from_string(db.backend(), sql)).await.expect("roles");
        let column = |row: &sea_orm::QueryResult, name: &str| row.try_get::<String>("", name).expect("a text");
        let follow: Vec<_> = rows.iter().map(|row| (column(row, "name"), column(row, "template"))).collect();
        assert_eq!(follow, [("All of it", "viewer"), (viewer.name, "viewer")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    }
}
