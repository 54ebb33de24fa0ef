//! To whom the fixes of an IMEI belong, as others read it in the bucket.

use armada_proto::{
    Timestamp, binding, coded,
    v1::{
        DeleteRequest, Device, DeviceBinding, DeviceInput, DeviceStatus, ImeiStatus, TenantInput,
        devices_client::DevicesClient, tenants_client::TenantsClient,
    },
};
use armada_testkit::{both_databases, eventually, eventually_equal};
use futures::StreamExt;

use crate::support::{Fleet, SOON, answer, migrate, new_device, new_imei, owned_by, world};

impl Fleet {
    async fn wait_for(&self, imei: &str, wanted: Option<DeviceBinding>) {
        eventually_equal("the bucket follows", SOON, wanted, async || {
            // What it tells of replaced trackers has tests of its own.
            Ok(self.binding(imei).await?.map(|it| DeviceBinding { replaced_trackers: Vec::new(), ..it }))
        })
        .await;
    }
}

fn binding_of(device: &Device, bound_from: i64) -> Option<DeviceBinding> {
    Some(DeviceBinding {
        device_id: device.id.clone(),
        tenant_id: device.tenant_id.clone(),
        bound_from,
        row_version: device.row_version,
        name: device.name.clone(),
        vehicle_code: device.vehicle_code.clone(),
        icon_type: device.icon_type,
        primary_driver: device.primary_driver.clone(),
        inactive: device.status() == DeviceStatus::Inactive,
        ..DeviceBinding::default()
    })
}

both_databases! {
    async fn bucket_mirrors_the_table(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let mut changes = fleet.world.bus.client.subscribe(binding::changed_subject(company.id)).await?;
        let next_change = async |changes: &mut async_nats::Subscriber| {
            tokio::time::timeout(SOON, changes.next()).await.expect("the edge is told").unwrap()
        };

        let device = fleet.create(&company.admin, new_device("Truck")).await?;
        fleet.wait_for(&device.imei, binding_of(&device, 0)).await;
        assert!(next_change(&mut changes).await.payload.is_empty());

        let renamed = DeviceInput {
            id: device.id.clone(),
            name: Some("Bus".to_owned()),
            vehicle_code: Some("B 7000 AB".to_owned()),
            status: Some(DeviceStatus::Inactive.into()),
            ..DeviceInput::default()
        };
        let changed = fleet.update(&company.admin, renamed).await?;
        fleet.wait_for(&device.imei, binding_of(&changed, 0)).await;
        next_change(&mut changes).await;

        let given = owned_by(&company.budi, DeviceInput { id: device.id.clone(), ..DeviceInput::default() });
        fleet.update(&company.admin, given).await?;
        next_change(&mut changes).await;

        let other = DeviceInput { id: device.id.clone(), imei: Some(new_imei()), ..DeviceInput::default() };
        let changed = fleet.update(&company.admin, other).await?;
        fleet.wait_for(&changed.imei, binding_of(&changed, 0)).await;
        fleet.wait_for(&device.imei, None).await;

        fleet.delete(&company.admin, &changed.id, None).await?;
        fleet.wait_for(&changed.imei, None).await;
        fleet.running.stop().await
    }

    /// What the tracker reported before it was sold never reaches the buyer.
    async fn resold_imei_starts_without_history(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (seller, buyer) = (fleet.company("Seller").await, fleet.company("Buyer").await);
        let imei = new_imei();
        let with_imei = |input: DeviceInput| DeviceInput { imei: Some(imei.clone()), ..input };
        let sold = fleet.create(&seller.admin, with_imei(new_device("Sold"))).await?;
        fleet.wait_for(&imei, binding_of(&sold, 0)).await;
        let before = Timestamp::now().millis();
        fleet.delete(&seller.admin, &sold.id, None).await?;
        let after = Timestamp::now().millis();

        let bought = fleet.create(&buyer.admin, with_imei(new_device("Bought"))).await?;
        let bound = async || {
            let binding = fleet.binding(&imei).await?.filter(|binding| binding.device_id == bought.id);
            binding.ok_or_else(|| anyhow::anyhow!("not bound yet"))
        };
        let first = eventually("bound to the buyer", SOON, bound).await;
        assert_eq!(first.tenant_id, buyer.id.to_string());
        assert!((before..=after).contains(&first.bound_from), "{before} {first:?} {after}");

        // A change of anything else leaves it alone; giving the IMEI away and taking it back does not.
        let change = |imei: &str| DeviceInput {
            id: bought.id.clone(),
            imei: Some(imei.to_owned()),
            ..DeviceInput::default()
        };
        let same = fleet.update(&buyer.admin, change(&imei)).await?;
        fleet.wait_for(&imei, binding_of(&same, first.bound_from)).await;
        let spare = new_imei();
        let other = fleet.update(&buyer.admin, change(&spare)).await?;
        fleet.wait_for(&spare, binding_of(&other, 0)).await;
        let back = fleet.update(&buyer.admin, change(&imei)).await?;
        let again = eventually("bound again", SOON, bound).await;
        assert_eq!(again.row_version, back.row_version);
        assert!(again.bound_from > first.bound_from);
        fleet.running.stop().await
    }

    /// Also when the buyer is so quick that both happen at once.
    async fn an_imei_is_resold_in_the_same_moment(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (seller, buyer) = (fleet.company("Seller").await, fleet.company("Buyer").await);
        for _ in 0..10 {
            let input = new_device("Sold");
            let sold = fleet.create(&seller.admin, input.clone()).await?;
            let before = Timestamp::now().millis();
            // Too early a buyer has a claim; they try again.
            let buy = async || {
                let bought = fleet.create(&buyer.admin, input.clone()).await?;
                if bought.imei_status() != ImeiStatus::Bound {
                    fleet.delete(&buyer.admin, &bought.id, None).await?;
                    anyhow::bail!("the seller has it still");
                }
                Ok(bought)
            };
            let (left, bought) =
                tokio::join!(fleet.delete(&seller.admin, &sold.id, None), eventually("bought", SOON, buy));
            left?;
            let bound = async || {
                let binding = fleet.binding(&bought.imei).await?.filter(|binding| binding.device_id == bought.id);
                binding.ok_or_else(|| anyhow::anyhow!("not bound yet"))
            };
            let bound_from = eventually("bound to the buyer", SOON, bound).await.bound_from;
            assert!(bound_from >= before, "{bound_from} {before}");
        }
        fleet.running.stop().await
    }

    async fn nothing_is_lost_while_the_relay_is_down(kind: Kind) -> anyhow::Result<()> {
        let world = world(kind).await;
        let context = world.context(&["identity", "fleet"]).await;
        migrate(&context).await;
        let mut process = world.process(&context);
        process.add(armada_identity::build(&context, armada_identity::Config::default()).await?);
        process.add(armada_fleet::build(&context, armada_fleet::Config::default()).await?);
        // It is never started, so that nothing but calls is served.
        let mut devices = DevicesClient::new(context.peers.transport("fleet")?);
        let mut tenants = TenantsClient::new(context.peers.transport("identity")?);
        let owner = world.platform_owner().await;
        let input = TenantInput { name: Some("Acme".to_owned()), ..TenantInput::default() };
        let tenant = answer(tenants.create(owner.sign(input)).await)?;
        let admin = world.tenant_admin(tenant.id.parse()?).await;
        let kept = answer(devices.create(admin.sign(new_device("Kept"))).await)?;
        let gone = answer(devices.create(admin.sign(new_device("Gone"))).await)?;
        let request = DeleteRequest { id: gone.id.clone(), row_version: None };
        answer(devices.delete(admin.sign(request)).await)?;
        drop(process);

        let bucket = world.bus.bucket(binding::BUCKET).await?;
        assert!(bucket.get(binding::key(&kept.imei)).await?.is_none());
        let fleet = Fleet::start_in(world).await;
        fleet.wait_for(&kept.imei, binding_of(&kept, 0)).await;
        fleet.wait_for(&gone.imei, None).await;
        fleet.running.stop().await
    }

    async fn changes_arrive_when_nats_comes_back(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let before = fleet.create(&company.admin, new_device("Before")).await?;
        fleet.wait_for(&before.imei, binding_of(&before, 0)).await;
        fleet.world.nats.stop();
        let during = fleet.create(&company.admin, new_device("During")).await?;
        fleet.delete(&company.admin, &before.id, None).await?;
        fleet.world.nats.start_again();
        fleet.wait_for(&during.imei, binding_of(&during, 0)).await;
        fleet.wait_for(&before.imei, None).await;
        fleet.running.stop().await
    }

    /// A bucket that was restored from a backup, or edited by hand, comes right at the next start.
    async fn start_reconciles_the_bucket(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let (lost, stale) = (
            fleet.create(&company.admin, new_device("Lost")).await?,
            fleet.create(&company.admin, new_device("Stale")).await?,
        );
        for device in [&lost, &stale] {
            fleet.wait_for(&device.imei, binding_of(device, 0)).await;
        }
        let bucket = fleet.world.bus.bucket(binding::BUCKET).await?;
        bucket.delete(binding::key(&lost.imei)).await?;
        bucket.put(binding::key(&stale.imei), "nonsense".into()).await?;
        let orphan = new_imei();
        bucket.put(binding::key(&orphan), coded::encode(&DeviceBinding::default()).into()).await?;
        fleet.restart().await;
        fleet.wait_for(&lost.imei, binding_of(&lost, 0)).await;
        fleet.wait_for(&orphan, None).await;
        eventually("the stale key is mended", SOON, async || {
            let value = bucket.get(binding::key(&stale.imei)).await?;
            anyhow::ensure!(value.and_then(|value| coded::decode::<DeviceBinding>(&value)) == binding_of(&stale, 0));
            Ok(())
        })
        .await;
        fleet.running.stop().await
    }
}
