//! What a tenant pays, what it may have, and what becomes of its people when it is switched off.

use armada_proto::v1::{
    BillingPeriod, CostModel, DeleteRequest, DeleteTenantInput, Effect, Empty, GetRequest, ListRolesRequest,
    ListTenantsRequest, RefreshRequest, SubscriptionStatus, Tenant, TenantEntry, TenantInput, TenantList, UserInput,
};
use armada_runtime::{Code, Error};
use armada_testkit::{Signed, both_databases, eventually_equal};
use futures::{TryStreamExt, future::join_all};

use crate::support::{self, Identity, SOON, answer, new_user};

fn named(name: &str) -> TenantInput {
    TenantInput { name: Some(name.to_owned()), ..TenantInput::default() }
}

impl Identity {
    async fn make(&self, input: TenantInput) -> Tenant {
        answer(self.tenants().create(self.owner.sign(input)).await).unwrap()
    }

    async fn change(&self, tenant: &Tenant, input: TenantInput) -> Tenant {
        let input = TenantInput { id: tenant.id.clone(), ..input };
        answer(self.tenants().update(self.owner.sign(input)).await).unwrap()
    }
}

both_databases! {
    async fn a_tenant_has_its_terms(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let plain = identity.make(named("Plain")).await;
        assert_eq!(
            (plain.cost_model(), plain.subscription_status(), plain.currency.as_str(), plain.billing_day),
            (CostModel::Free, SubscriptionStatus::Active, "IDR", 1)
        );
        assert_eq!((plain.device_limit, plain.user_limit, plain.used_devices, plain.used_users), (0, 0, 0, 0));

        let terms = TenantInput {
            cost_model: Some(CostModel::PerDevice.into()),
            cost_per_device: Some(9_007_199_254_740_991),
            cost_bundle: Some(0),
            currency: Some(" usd ".to_owned()),
            tax_number: Some("01.234.567.8-901.000".to_owned()),
            device_limit: Some(10),
            user_limit: Some(5),
            billing_period: Some(BillingPeriod::Yearly.into()),
            billing_day: Some(28),
            due_day: Some(90),
            subscription_status: Some(SubscriptionStatus::PastDue.into()),
            ..named("Terms")
        };
        let made = identity.make(terms).await;
        assert_eq!((made.cost_per_device, made.currency.as_str()), (9_007_199_254_740_991, "USD"));
        assert_eq!(made.tax_number, "012345678901000");
        assert_eq!((made.device_limit, made.user_limit, made.billing_day, made.due_day), (10, 5, 28, 90));
        assert_eq!((made.billing_period(), made.subscription_status()), (BillingPeriod::Yearly, SubscriptionStatus::PastDue));
        // What a change does not name stays.
        let changed = identity.change(&made, TenantInput { due_day: Some(0), ..TenantInput::default() }).await;
        assert_eq!(Tenant { due_day: 90, row_version: 1, updated_at: made.updated_at, ..changed }, made);

        let wrong = TenantInput { billing_day: Some(0), cost_bundle: Some(-1), currency: Some("XXX".to_owned()), ..named("x") };
        let error = answer(identity.tenants().create(identity.owner.sign(wrong)).await).unwrap_err();
        let codes = ["billing_day", "cost_bundle", "currency"].map(|name| error.fields[name].as_str());
        assert_eq!(codes, ["billing_day_range", "negative", "unknown_currency"]);
        identity.running.stop().await
    }

    async fn tenants_are_filtered_counted_and_exported(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let of = |name: &str, model: CostModel, status: SubscriptionStatus, active: bool| TenantInput {
            cost_model: Some(model.into()),
            subscription_status: Some(status.into()),
            active: Some(active),
            description: Some(format!("about {name}")),
            ..named(name)
        };
        let one = identity.make(of("One", CostModel::Free, SubscriptionStatus::Active, true)).await;
        let two = identity.make(of("Two", CostModel::Bundle, SubscriptionStatus::PastDue, true)).await;
        identity.make(of("Three", CostModel::Bundle, SubscriptionStatus::Canceled, false)).await;
        for (tenant, email) in [(&one, "a@example.org"), (&two, "b@example.org"), (&two, "c@example.org")] {
            identity.user(tenant, email).await;
        }
        let by_name = ListTenantsRequest { sort: "name".to_owned(), ..ListTenantsRequest::default() };
        let names = async |request: ListTenantsRequest| {
            let list = answer(identity.tenants().list(identity.owner.sign(request)).await)?;
            assert_eq!(list.total as usize, list.items.len());
            anyhow::Ok(list.items.into_iter().map(|tenant| tenant.name).collect::<Vec<_>>().join(", "))
        };
        let bundle = ListTenantsRequest { cost_models: vec![CostModel::Bundle.into()], ..by_name.clone() };
        for (request, wanted) in [
            (by_name.clone(), "One, Three, Two"),
            (ListTenantsRequest { active: Some(true), ..by_name.clone() }, "One, Two"),
            (bundle.clone(), "Three, Two"),
            (ListTenantsRequest { active: Some(false), ..bundle.clone() }, "Three"),
            (
                ListTenantsRequest {
                    subscription_statuses: vec![SubscriptionStatus::Active.into(), SubscriptionStatus::Canceled.into()],
                    ..by_name.clone()
                },
                "One, Three",
            ),
            (ListTenantsRequest { ids: vec![two.id.clone(), "x".to_owned()], ..by_name.clone() }, "Two"),
            (ListTenantsRequest { q: "ABOUT t".to_owned(), sort: "-name".to_owned(), ..by_name.clone() }, "Two, Three"),
        ] {
            assert_eq!(names(request).await?, wanted);
        }
        let summary = answer(identity.tenants().summary(identity.owner.sign(by_name.clone())).await)?;
        assert_eq!((summary.total, summary.active, summary.inactive, summary.used_users), (3, 2, 1, 3));
        assert_eq!(
            (summary.subscription_active, summary.subscription_inactive, summary.past_due, summary.canceled),
            (1, 0, 1, 1)
        );
        let summary = answer(identity.tenants().summary(identity.owner.sign(bundle.clone())).await)?;
        assert_eq!((summary.total, summary.active, summary.used_users, summary.subscription_active), (2, 1, 2, 0));
        let nothing = ListTenantsRequest { q: "nobody".to_owned(), ..ListTenantsRequest::default() };
        let summary = answer(identity.tenants().summary(identity.owner.sign(nothing)).await)?;
        assert_eq!((summary.total, summary.used_devices, summary.used_users), (0, 0, 0));

        let pieces = answer(identity.tenants().export(identity.owner.sign(bundle)).await)?;
        let pieces: Vec<TenantList> = pieces.try_collect().await?;
        let exported = pieces.into_iter().flat_map(|piece| piece.items);
        let exported: Vec<_> = exported.map(|tenant| (tenant.name, tenant.used_users)).collect();
        assert_eq!(exported, [("Three".to_owned(), 0), ("Two".to_owned(), 2)]);
        for wrong in [vec![9], vec![-1]] {
            let request = ListTenantsRequest { cost_models: wrong, ..ListTenantsRequest::default() };
            let error = answer(identity.tenants().list(identity.owner.sign(request)).await).unwrap_err();
            assert_eq!(error, Error::field("cost_model", "invalid"));
        }
        identity.running.stop().await
    }

    /// For as long as there is the tenant.
    async fn what_a_tenant_pays_is_for_those_who_look_after_invoices(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let input = TenantInput { cost_per_device: Some(250), device_limit: Some(9), tax_number: Some("0".repeat(15)), ..named("Acme") };
        let tenant = identity.make(TenantInput { cost_model: Some(CostModel::PerDevice.into()), ..input }).await;
        let keeper = identity.role(&tenant, "Books", &[("manage-invoices", Effect::Allow)]).await;
        let (_, clerk) = identity.person(&tenant, "clerk@example.org", &[&keeper]).await;
        let anybody = identity.user(&tenant, "anybody@example.org").await;
        let anybody = identity.signed(&anybody).await;
        let admin = identity.admin_of(&tenant).await;
        let read = async |caller: &Signed| {
            answer(identity.tenants().get(caller.sign(GetRequest { id: tenant.id.clone() })).await)
        };
        for caller in [&identity.owner, &admin, &clerk] {
            let seen = read(caller).await?;
            assert_eq!((seen.cost_per_device, seen.device_limit, seen.used_users), (250, 9, 2));
        }
        let seen = read(&anybody).await?;
        assert_eq!((seen.name.as_str(), seen.time_zone, seen.row_version), ("Acme", tenant.time_zone.clone(), tenant.row_version));
        assert_eq!((seen.cost_model, seen.subscription_status, seen.cost_per_device), (0, 0, 0));
        assert_eq!((seen.device_limit, seen.used_users, seen.tax_number.as_str()), (0, 0, ""));
        identity.running.stop().await
    }

    async fn tenant_changes_are_published(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.make(named("Brief")).await;
        let published_entry = async || identity.entry_of(&tenant.id).await;
        let entry = |history_days, zone: &str| Some(TenantEntry { history_days, time_zone: zone.to_owned() });
        eventually_equal("a new one is told of", SOON, entry(0, &tenant.time_zone), async || published_entry().await).await;
        let days = |days| TenantInput { history_days: Some(days), ..TenantInput::default() };
        for wrong in [6, 3651] {
            let input = TenantInput { id: tenant.id.clone(), ..days(wrong) };
            let error = answer(identity.tenants().update(identity.owner.sign(input)).await).unwrap_err();
            assert_eq!(error.fields["history_days"], "history_days_range");
        }
        assert_eq!(identity.change(&tenant, days(7)).await.history_days, 7);
        identity.change(&tenant, days(3650)).await;
        eventually_equal("for how long is told", SOON, entry(3650, "Asia/Jakarta"), async || published_entry().await).await;
        let moved = TenantInput { time_zone: Some("Asia/Jayapura".to_owned()), ..TenantInput::default() };
        identity.change(&tenant, moved).await;
        let last = entry(3650, "Asia/Jayapura");
        eventually_equal("the zone is told", SOON, last.clone(), async || published_entry().await).await;
        let named = DeleteTenantInput { id: tenant.id.clone(), name: tenant.name.clone(), row_version: None };
        answer(identity.tenants().delete(identity.owner.sign(named.clone())).await)?;
        assert_eq!(published_entry().await?, last, "it may come back");
        answer(identity.tenants().erase(identity.owner.sign(named)).await)?;
        eventually_equal("nobody is left to tell of", SOON, None, async || published_entry().await).await;
        identity.running.stop().await
    }

    /// However many try at once.
    async fn a_tenant_has_no_more_users_than_it_may(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.make(TenantInput { user_limit: Some(3), ..named("Small") }).await;
        let admin = identity.admin_of(&tenant).await;
        let create = async |number: usize| {
            answer(identity.users().create(admin.sign(new_user(&format!("u{number}@example.org")))).await)
        };
        let answers = join_all((0..8).map(create)).await;
        let made: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().ok()).collect();
        assert_eq!(made.len(), 3);
        for error in answers.iter().filter_map(|answer| answer.as_ref().err()) {
            assert_eq!((error.class, error.code.as_str()), (Code::Conflict, "user_limit_reached"));
            assert!(error.limit.is_some());
        }
        let input = UserInput { tenant_id: Some(tenant.id.clone()), ..new_user("owner@example.org") };
        let error = answer(identity.users().create(identity.owner.sign(input)).await).unwrap_err();
        assert_eq!(error.code, "user_limit_reached");
        let get = GetRequest { id: tenant.id.clone() };
        assert_eq!(answer(identity.tenants().get(admin.sign(get)).await)?.used_users, 3);

        let gone = DeleteRequest { id: made[0].id.clone(), row_version: None };
        answer(identity.users().delete(admin.sign(gone)).await)?;
        create(10).await?;
        assert!(create(11).await.is_err());
        identity.change(&tenant, TenantInput { user_limit: Some(0), ..TenantInput::default() }).await;
        create(12).await?;
        identity.running.stop().await
    }

    async fn users_of_an_inactive_tenant_cannot_sign_in(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let (off, on) = (identity.make(named("Off")).await, identity.make(named("On")).await);
        let (theirs, others) = (identity.user(&off, "a@example.org").await, identity.user(&on, "b@example.org").await);
        let session = identity.login("a@example.org", support::PASSWORD).await?;
        assert!(identity.policy(&theirs).await?.is_some() && identity.policy(&others).await?.is_some());

        identity.change(&off, TenantInput { active: Some(false), ..TenantInput::default() }).await;
        eventually_equal("the policy is withdrawn", SOON, None, async || identity.policy(&theirs).await).await;
        assert!(identity.policy(&others).await?.is_some());
        let refresh = RefreshRequest { refresh_token: session.refresh_token };
        assert_eq!(answer(identity.sessions().refresh(refresh).await).unwrap_err().class, Code::Unauthenticated);
        assert!(identity.login("a@example.org", support::PASSWORD).await.is_err());

        identity.change(&off, TenantInput { active: Some(true), ..TenantInput::default() }).await;
        identity.login("a@example.org", support::PASSWORD).await?;
        let back = async || Ok(identity.policy(&theirs).await?.is_some());
        eventually_equal("the policy is back", SOON, true, back).await;
        assert!(identity.policy(&theirs).await?.unwrap().version > 2);
        identity.running.stop().await
    }

    /// Every tenant begins with a role of each template, and its admin sees them.
    async fn a_tenant_begins_with_roles(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.make(named("New")).await;
        let admin = identity.admin_of(&tenant).await;
        let roles = answer(identity.roles().list(admin.sign(ListRolesRequest::default())).await)?;
        let templates = answer(identity.roles().templates(admin.sign(Empty {})).await)?;
        assert_eq!(roles.items.len(), templates.items.len());
        let mut of_roles: Vec<_> = roles.items.iter().map(|role| role.allowed as usize).collect();
        let mut of_templates: Vec<_> = templates.items.iter().map(|template| template.items.len()).collect();
        of_roles.sort_unstable();
        of_templates.sort_unstable();
        assert_eq!(of_roles, of_templates);
        identity.running.stop().await
    }
}
