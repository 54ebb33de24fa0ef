//! What becomes of devices whose users are removed.

use armada_proto::v1::{
    DeleteRequest, Device, DeviceInput, GetRequest, ListAuditRequest, ListDevicesRequest, UserInput,
    audit_client::AuditClient, users_client::UsersClient,
};
use armada_runtime::{Error, Transport};
use armada_testkit::{RunningProcess, Signed, both_databases, eventually, eventually_equal};

use crate::support::{Fleet, SOON, answer, new_device, owned_by};

fn users(running: &RunningProcess) -> UsersClient<Transport> {
    UsersClient::new(running.context.peers.transport("identity").unwrap())
}

impl Fleet {
    async fn device(&self, id: &str) -> anyhow::Result<Device> {
        let request = GetRequest { id: id.to_owned() };
        Ok(answer(self.devices().get(self.owner.sign(request)).await)?)
    }

    pub async fn remove(&self, running: &RunningProcess, user: &Signed) {
        let request = DeleteRequest { id: user.grant.user_id.to_string(), row_version: None };
        answer(users(running).delete(self.owner.sign(request)).await).unwrap();
    }

    /// How many devices somebody is linked to.
    async fn linked(&self, user: &Signed) -> anyhow::Result<u32> {
        let request =
            ListDevicesRequest { user_ids: vec![user.grant.user_id.to_string()], ..ListDevicesRequest::default() };
        Ok(answer(self.devices().list(self.owner.sign(request)).await)?.total)
    }

    async fn wait_until_unowned(&self, device: &Device) {
        eventually_equal("it has no owner", SOON, None, async || Ok(self.device(&device.id).await?.user_id)).await;
    }
}

both_databases! {
    async fn devices_of_a_removed_user_stay_without_owner(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let of_budi = fleet.create(&company.admin, owned_by(&company.budi, new_device("Truck"))).await?;
        let of_siti = fleet.create(&company.admin, owned_by(&company.siti, new_device("Bus"))).await?;
        // Who is barred may come back.
        let bar = UserInput { id: company.siti.grant.user_id.to_string(), is_active: Some(false), ..UserInput::default() };
        answer(users(&fleet.running).update(fleet.owner.sign(bar)).await)?;
        fleet.remove(&fleet.running, &company.budi).await;
        fleet.wait_until_unowned(&of_budi).await;
        assert_eq!(fleet.linked(&company.budi).await?, 0);
        assert_eq!(fleet.device(&of_siti.id).await?, of_siti);
        assert_eq!(fleet.linked(&company.siti).await?, 1);
        // Whoever has the device open in a form learns that it changed.
        let stale = DeviceInput { id: of_budi.id.clone(), row_version: Some(of_budi.row_version), ..DeviceInput::default() };
        assert_eq!(fleet.update(&company.admin, stale).await.unwrap_err(), Error::version_mismatch());
        eventually("the audit tells of it", SOON, async || {
            let mut audit = AuditClient::new(fleet.running.context.peers.transport("identity")?);
            let request = ListAuditRequest { acts: vec!["device:update".to_owned()], ..ListAuditRequest::default() };
            let entries = answer(audit.list(company.admin.sign(request)).await)?.items;
            anyhow::ensure!(entries.iter().any(|entry| entry.object_id == of_budi.id), "{entries:?}");
            Ok(())
        })
        .await;
        fleet.running.stop().await
    }

    async fn removed_users_are_noticed_after_a_restart(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let device = fleet.create(&company.admin, owned_by(&company.budi, new_device("Truck"))).await?;
        let context = fleet.world.context(&["identity"]).await;
        let mut process = fleet.world.process(&context);
        process.add(armada_identity::build(&context, armada_identity::Config::default()).await.unwrap());
        let identity = fleet.world.run(process).await;
        let user = company.budi.clone();
        // Fleet is away; identity is not.
        let running = std::mem::replace(&mut fleet.running, identity);
        running.stop().await?;
        fleet.remove(&fleet.running, &user).await;
        fleet.restart().await;
        fleet.wait_until_unowned(&device).await;
        assert_eq!(fleet.linked(&user).await?, 0);
        fleet.running.stop().await
    }
}
