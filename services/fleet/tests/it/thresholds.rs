//! From when on vehicles move, have stopped, stand idle, are silent: what a tenant says, and a device of itself.

use armada_proto::{
    TenantId,
    access::permission::{THRESHOLD_LIST, THRESHOLD_UPDATE},
    json::Clearable as _,
    v1::{
        DeviceInput, TenantThresholds, TenantThresholdsInput, ThresholdValues, ThresholdsRequest,
        thresholds_client::ThresholdsClient,
    },
};
use armada_runtime::{Code, Error, Result, Transport};
use armada_testkit::{Signed, both_databases, eventually, eventually_equal};
use armada_track::DeviceThresholds;

use crate::support::{Fleet, SOON, answer, new_device};

impl Fleet {
    fn thresholds(&self) -> ThresholdsClient<Transport> {
        ThresholdsClient::new(self.running.context.peers.transport("fleet").unwrap())
    }

    async fn thresholds_of(&self, caller: &Signed, tenant: Option<TenantId>) -> Result<TenantThresholds> {
        let request = ThresholdsRequest { tenant_id: tenant.map(|id| id.to_string()) };
        answer(self.thresholds().get(caller.sign(request)).await)
    }

    pub async fn set_thresholds(&self, caller: &Signed, input: TenantThresholdsInput) -> Result<TenantThresholds> {
        answer(self.thresholds().update(caller.sign(input)).await)
    }

    /// Waits until the bucket says this of the thresholds of an IMEI.
    async fn expect_binding(&self, imei: &str, wanted: DeviceThresholds) {
        eventually_equal("the bucket follows", SOON, Some(wanted), async || {
            Ok(self.binding(imei).await?.map(|binding| DeviceThresholds::of_binding(binding.thresholds)))
        })
        .await;
    }
}

const USUAL: DeviceThresholds = DeviceThresholds::DEFAULT;

fn none() -> TenantThresholdsInput {
    TenantThresholdsInput::default()
}

/// The field that is wrong, and how.
fn field_errors<T: std::fmt::Debug>(refused: Result<T>) -> Vec<(String, String)> {
    refused.unwrap_err().fields.into_iter().collect()
}

fn is(field: &str, code: &str) -> Vec<(String, String)> {
    vec![(field.to_owned(), code.to_owned())]
}

both_databases! {
    async fn a_tenant_has_the_usual_ones_until_it_changes_them(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (acme, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let usual = fleet.thresholds_of(&acme.admin, None).await?;
        assert_eq!((usual.row_version, usual.updated_at, usual.tenant_id.clone()), (0, None, acme.id.to_string()));
        assert_eq!(usual.defaults, Some(ThresholdValues::from(USUAL)));
        assert_eq!((usual.moving_speed, usual.stop_seconds, usual.offline_seconds), (3, 300, 600));

        let faster = TenantThresholdsInput { moving_speed: Some(5), row_version: Some(0), ..none() };
        let changed = fleet.set_thresholds(&acme.admin, faster.clone()).await?;
        assert_eq!((changed.moving_speed, changed.stop_seconds, changed.row_version), (5, 300, 1));
        assert!(changed.updated_at.is_some());
        assert_eq!(fleet.thresholds_of(&acme.admin, None).await?, changed);
        // Somebody else looked at them before.
        assert_eq!(fleet.set_thresholds(&acme.admin, faster).await.unwrap_err(), Error::version_mismatch());
        let longer = TenantThresholdsInput { stop_seconds: Some(600), ..none() };
        let changed = fleet.set_thresholds(&acme.admin, longer.clone()).await?;
        assert_eq!((changed.moving_speed, changed.stop_seconds, changed.row_version), (5, 600, 2));
        assert_eq!(fleet.set_thresholds(&acme.admin, longer).await?, changed, "nothing is changed");

        // Of another tenant nobody sees them, and nothing is changed there.
        assert_eq!(fleet.thresholds_of(&other.admin, None).await?.row_version, 0);
        assert_eq!(fleet.thresholds_of(&other.admin, Some(acme.id)).await.unwrap_err(), Error::not_found());
        let theirs = TenantThresholdsInput { tenant_id: Some(acme.id.to_string()), ..none() };
        assert_eq!(fleet.set_thresholds(&other.admin, theirs.clone()).await.unwrap_err(), Error::not_found());

        // A platform owner has none of their own, and changes those of any tenant.
        assert_eq!(field_errors(fleet.thresholds_of(&fleet.owner, None).await), is("tenant_id", "required"));
        assert_eq!(field_errors(fleet.set_thresholds(&fleet.owner, none()).await), is("tenant_id", "required"));
        let nobodys = Some(TenantId::new());
        assert_eq!(field_errors(fleet.thresholds_of(&fleet.owner, nobodys).await), is("tenant_id", "unknown"));
        assert_eq!(fleet.thresholds_of(&fleet.owner, Some(acme.id)).await?, changed);
        let by_owner = TenantThresholdsInput { gap_seconds: Some(7_200), ..theirs };
        assert_eq!(fleet.set_thresholds(&fleet.owner, by_owner).await?.row_version, 3);

        let audited_updates = async || fleet.count_acts(&acme.admin, THRESHOLD_UPDATE).await;
        eventually_equal("each change is in the audit", SOON, 3, audited_updates).await;
        fleet.running.stop().await
    }

    async fn what_makes_no_sense_is_refused(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let acme = fleet.company("Acme").await;
        let refused = [
            (TenantThresholdsInput { moving_speed: Some(0), ..none() }, "moving_speed", "moving_speed_range"),
            (TenantThresholdsInput { idle_seconds: Some(3_601), ..none() }, "idle_seconds", "idle_seconds_range"),
            (TenantThresholdsInput { gap_seconds: Some(599), ..none() }, "gap_seconds", "gap_seconds_range"),
            (TenantThresholdsInput { offline_seconds: Some(299), ..none() }, "offline_seconds", "below_stale"),
            (TenantThresholdsInput { stale_seconds: Some(601), ..none() }, "stale_seconds", "above_offline"),
            (
                TenantThresholdsInput { stale_seconds: Some(700), offline_seconds: Some(699), ..none() },
                "offline_seconds",
                "below_stale",
            ),
        ];
        for (input, field, code) in refused {
            assert_eq!(field_errors(fleet.set_thresholds(&acme.admin, input).await), is(field, code));
        }
        assert_eq!(fleet.thresholds_of(&acme.admin, None).await?.row_version, 0);
        let both = TenantThresholdsInput { stale_seconds: Some(700), offline_seconds: Some(700), ..none() };
        assert_eq!(fleet.set_thresholds(&acme.admin, both).await?.row_version, 1);
        fleet.running.stop().await
    }

    async fn viewers_cannot_change_thresholds(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let acme = fleet.company("Acme").await;
        let class = |refused: Result<TenantThresholds>| refused.unwrap_err().class;
        assert_eq!(class(fleet.thresholds_of(&acme.budi, None).await), Code::Forbidden);
        fleet.allow(&acme.budi.grant.user_id.to_string(), &acme.id.to_string(), &[THRESHOLD_LIST]).await;
        assert_eq!(fleet.thresholds_of(&acme.budi, None).await?.moving_speed, 3);
        let input = TenantThresholdsInput { moving_speed: Some(9), ..none() };
        assert_eq!(class(fleet.set_thresholds(&acme.budi, input).await), Code::Forbidden);
        fleet.running.stop().await
    }

    async fn binding_contains_effective_thresholds(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (acme, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let own = DeviceInput { moving_speed: Some(7), ..new_device("Own") };
        let own = fleet.create(&acme.admin, own).await?;
        assert_eq!((own.moving_speed, own.stop_seconds), (Some(7), None));
        let plain = fleet.create(&acme.admin, new_device("Plain")).await?;
        let foreign = fleet.create(&other.admin, new_device("Foreign")).await?;
        fleet.expect_binding(&own.imei, DeviceThresholds { moving_speed: 7, ..USUAL }).await;
        for device in [&plain, &foreign] {
            fleet.expect_binding(&device.imei, USUAL).await;
            let binding = fleet.binding(&device.imei).await?.unwrap();
            assert_eq!(binding.thresholds, None, "the usual ones are left out");
        }

        let input = TenantThresholdsInput { moving_speed: Some(5), stop_seconds: Some(600), ..none() };
        fleet.set_thresholds(&acme.admin, input).await?;
        let of_acme = DeviceThresholds { moving_speed: 5, stop_seconds: 600, ..USUAL };
        fleet.expect_binding(&own.imei, DeviceThresholds { moving_speed: 7, ..of_acme }).await;
        fleet.expect_binding(&plain.imei, of_acme).await;
        fleet.expect_binding(&foreign.imei, USUAL).await;
        assert_eq!(fleet.get(&acme.admin, &own.id).await?.row_version, own.row_version);

        let cleared = DeviceInput { id: own.id.clone(), moving_speed: Some(u32::CLEARED), ..DeviceInput::default() };
        assert_eq!(fleet.update(&acme.admin, cleared).await?.moving_speed, None);
        fleet.expect_binding(&own.imei, of_acme).await;
        let later = fleet.create(&acme.admin, new_device("Later")).await?;
        fleet.expect_binding(&later.imei, of_acme).await;
        let back = TenantThresholdsInput { moving_speed: Some(3), stop_seconds: Some(300), ..none() };
        fleet.set_thresholds(&acme.admin, back).await?;
        eventually("all have the usual ones again", SOON, async || {
            for device in [&own, &plain, &later] {
                let binding = fleet.binding(&device.imei).await?.unwrap();
                anyhow::ensure!(binding.thresholds.is_none(), "{binding:?}");
            }
            Ok(())
        })
        .await;
        fleet.running.stop().await
    }

    async fn no_vehicle_is_offline_before_its_position_is_old(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let acme = fleet.company("Acme").await;
        let ages = |stale_seconds, offline_seconds| DeviceInput { stale_seconds, offline_seconds, ..new_device("Truck") };
        let refused = fleet.create(&acme.admin, ages(None, Some(299))).await;
        assert_eq!(field_errors(refused), is("offline_seconds", "below_stale"));
        let refused = fleet.create(&acme.admin, ages(Some(601), None)).await;
        assert_eq!(field_errors(refused), is("stale_seconds", "above_offline"));
        let refused = fleet.create(&acme.admin, ages(None, Some(59))).await;
        assert_eq!(field_errors(refused), is("offline_seconds", "offline_seconds_range"));
        let both = fleet.create(&acme.admin, ages(Some(100), Some(200))).await?;
        let change = |input: DeviceInput| DeviceInput { id: both.id.clone(), ..input };
        let older = change(DeviceInput { stale_seconds: Some(201), ..DeviceInput::default() });
        assert_eq!(field_errors(fleet.update(&acme.admin, older).await), is("stale_seconds", "above_offline"));
        let usual = change(DeviceInput { stale_seconds: Some(u32::CLEARED), ..DeviceInput::default() });
        assert_eq!(field_errors(fleet.update(&acme.admin, usual).await), is("stale_seconds", "above_offline"));

        // Where its tenant says so later, it is offline no sooner than its position is old.
        let one = fleet.create(&acme.admin, ages(None, Some(400))).await?;
        let input = TenantThresholdsInput { stale_seconds: Some(500), ..none() };
        fleet.set_thresholds(&acme.admin, input).await?;
        fleet.expect_binding(&one.imei, DeviceThresholds { stale_seconds: 500, offline_seconds: 500, ..USUAL }).await;
        fleet.expect_binding(&both.imei, DeviceThresholds { stale_seconds: 100, offline_seconds: 200, ..USUAL }).await;
        fleet.running.stop().await
    }
}
