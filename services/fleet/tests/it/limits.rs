//! How many devices a tenant has and may have.

use std::num::NonZeroU32;

use armada_proto::{
    TenantId, coded, device_count,
    v1::{DeleteRequest, DeviceCount, DeviceInput, GetRequest, Tenant, TenantInput},
};
use armada_runtime::{Code, Result};
use armada_testkit::{both_databases, eventually_equal};
use futures::future::join_all;

use crate::support::{Fleet, SOON, answer, new_device};

impl Fleet {
    pub async fn limit(&self, tenant: TenantId, device_limit: u32) -> Result<Tenant> {
        let input = TenantInput { id: tenant.to_string(), device_limit: Some(device_limit), ..TenantInput::default() };
        answer(self.tenants().update(self.owner.sign(input)).await)
    }

    /// What identity says that the tenant has.
    pub async fn used(&self, tenant: TenantId) -> anyhow::Result<u32> {
        let request = GetRequest { id: tenant.to_string() };
        Ok(answer(self.tenants().get(self.owner.sign(request)).await)?.used_devices)
    }

    async fn wait_for_count(&self, tenant: TenantId, wanted: u32) {
        eventually_equal("identity learns of the number", SOON, wanted, async || self.used(tenant).await).await;
    }
}

both_databases! {
    /// However many try at once.
    async fn a_tenant_has_no_more_devices_than_it_may(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (limited, free) = (fleet.company("Limited").await, fleet.company("Free").await);
        fleet.limit(limited.id, 3).await?;
        let answers = join_all((0..8).map(|_| fleet.create(&limited.admin, new_device("x")))).await;
        let made: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().ok()).collect();
        assert_eq!(made.len(), 3);
        for error in answers.iter().filter_map(|answer| answer.as_ref().err()) {
            let refusal = (error.class, error.code.as_str(), error.limit.map(NonZeroU32::get));
            assert_eq!(refusal, (Code::Conflict, "device_limit_reached", Some(3)));
        }
        // Nor does the platform's owner make another one for them; another tenant is not concerned.
        let input = DeviceInput { tenant_id: Some(limited.id.to_string()), ..new_device("x") };
        assert_eq!(fleet.create(&fleet.owner, input).await.unwrap_err().code, "device_limit_reached");
        fleet.create(&free.admin, new_device("x")).await?;

        let request = DeleteRequest { id: made[0].id.clone(), row_version: None };
        answer(fleet.devices().delete(limited.admin.sign(request)).await)?;
        fleet.create(&limited.admin, new_device("x")).await?;
        assert!(fleet.create(&limited.admin, new_device("x")).await.is_err());
        fleet.limit(limited.id, 0).await?;
        fleet.create(&limited.admin, new_device("x")).await?;
        fleet.running.stop().await
    }

    async fn identity_knows_how_many_devices_a_tenant_has(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let (acme, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let first = fleet.create(&acme.admin, new_device("x")).await?;
        fleet.create(&acme.admin, new_device("x")).await?;
        fleet.wait_for_count(acme.id, 2).await;
        assert_eq!(fleet.used(other.id).await?, 0);
        let delete = |id: &str| DeleteRequest { id: id.to_owned(), row_version: None };
        answer(fleet.devices().delete(acme.admin.sign(delete(&first.id))).await)?;
        fleet.wait_for_count(acme.id, 1).await;

        // A bucket that says something else comes right at the next start, both ways.
        let bucket = fleet.world.bucket_of("fleet", device_count::BUCKET).await;
        let wrong = || coded::encode(&DeviceCount { devices: 9 }).into();
        bucket.put(&acme.id.to_string(), wrong()).await?;
        bucket.put(&other.id.to_string(), wrong()).await?;
        fleet.wait_for_count(other.id, 9).await;
        fleet.restart().await;
        fleet.wait_for_count(acme.id, 1).await;
        fleet.wait_for_count(other.id, 0).await;
        fleet.running.stop().await
    }
}
