//! Replaced trackers: who says it, what it changes of a device, what its binding tells, and what may be withdrawn.

use armada_proto::{
    Timestamp,
    access::permission::{DEVICE_LIST, DEVICE_UPDATE},
    heard_imeis,
    v1::{
        BulkDevicesRequest, Device, DeviceBinding, DeviceInput, DeviceMemberRole, GetRequest, ImeiStatus,
        ListTrackerReplacementsRequest, MeterSwap, ReplaceTrackerRequest, ReplacedTracker, TrackerReplacement,
        TrackerReplacementList, WithdrawTrackerReplacementRequest,
        tracker_replacements_client::TrackerReplacementsClient,
    },
};
use armada_runtime::{Code, Error, Result, Transport};
use armada_testkit::{Signed, both_databases, eventually};
use serde_json::{Value, json};

use crate::support::{Fleet, SOON, answer, new_device, new_imei, owned_by};

const HOUR: i64 = 3_600_000;

impl Fleet {
    fn replacements(&self) -> TrackerReplacementsClient<Transport> {
        TrackerReplacementsClient::new(self.running.context.peers.transport("fleet").unwrap())
    }

    async fn replacements_of(&self, caller: &Signed, id: &str) -> Result<TrackerReplacementList> {
        let request = ListTrackerReplacementsRequest { id: id.to_owned(), ..Default::default() };
        answer(self.replacements().list(caller.sign(request)).await)
    }

    async fn replace_tracker(&self, caller: &Signed, request: ReplaceTrackerRequest) -> Result<TrackerReplacement> {
        answer(self.replacements().replace(caller.sign(request)).await)
    }

    async fn withdraw(&self, caller: &Signed, device: &str, replacement: &str) -> Result<()> {
        let (id, replacement_id) = (device.to_owned(), replacement.to_owned());
        let request = WithdrawTrackerReplacementRequest { id, replacement_id };
        answer(self.replacements().withdraw(caller.sign(request)).await).map(drop)
    }

    async fn rules_of(&self, caller: &Signed, id: &str) -> Result<DeviceBinding> {
        answer(self.devices().rules(caller.sign(GetRequest { id: id.to_owned() })).await)
    }

    /// Waits until the bucket says of a device what `Rules` answers, and that its trackers were replaced then.
    async fn told(&self, caller: &Signed, device: &Device, wanted: &[ReplacedTracker]) -> DeviceBinding {
        eventually("the binding tells it", SOON, async || {
            let binding = self.binding(&device.imei).await?.ok_or_else(|| anyhow::anyhow!("no binding"))?;
            anyhow::ensure!(binding.replaced_trackers == wanted, "{binding:?}");
            anyhow::ensure!(binding == self.rules_of(caller, &device.id).await?, "{binding:?}");
            Ok(binding)
        })
        .await
    }
}

fn of(device: &Device) -> ReplaceTrackerRequest {
    ReplaceTrackerRequest { id: device.id.clone(), reason: "broken".to_owned(), ..ReplaceTrackerRequest::default() }
}

fn ago(hours: i64) -> i64 {
    Timestamp::now().millis() - hours * HOUR
}

fn at(request: ReplaceTrackerRequest, millis: i64) -> ReplaceTrackerRequest {
    ReplaceTrackerRequest { replaced_at: Some(Timestamp::from_millis(millis)), ..request }
}

fn with_imei(request: ReplaceTrackerRequest, imei: &str) -> ReplaceTrackerRequest {
    ReplaceTrackerRequest { imei: Some(imei.to_owned()), ..request }
}

fn naming(device: &Device, imei: &str) -> DeviceInput {
    DeviceInput { id: device.id.clone(), imei: Some(imei.to_owned()), ..DeviceInput::default() }
}

fn bare(at: i64) -> ReplacedTracker {
    ReplacedTracker { at, ..ReplacedTracker::default() }
}

fn refused_for<T: std::fmt::Debug>(answer: Result<T>, field: &str, code: &str) {
    assert_eq!(answer.expect_err("refused"), Error::field(field, code));
}

both_databases! {
    async fn a_replaced_tracker_brings_its_imei_and_its_meters(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        let (imei, came) = (new_imei(), ago(5));
        let request = ReplaceTrackerRequest {
            odometer_before: Some(120_000_000.4),
            odometer_after: Some(12.0),
            engine_seconds_before: Some(36_000.0),
            engine_seconds_after: Some(0.0),
            ..at(with_imei(of(&truck), &format!(" {imei} ")), came)
        };
        let made = fleet.replace_tracker(admin, request).await?;
        assert_eq!((&made.imei_before, &made.imei), (&truck.imei, &imei));
        assert_eq!((made.odometer_before, made.odometer_after), (Some(120_000_000.0), Some(12.0)));
        assert_eq!((made.reason.as_str(), made.created_by_name.as_str(), made.is_by_imei), ("broken", "admin", false));

        // Its IMEI is another one, as after any change of it.
        let changed = fleet.get(admin, &truck.id).await?;
        assert_eq!((&changed.imei, changed.row_version), (&imei, truck.row_version + 1));
        let swap = |before, after| Some(MeterSwap { before, after });
        let first = ReplacedTracker { at: came, odometer: swap(120_000_000, 12), engine: swap(36_000, 0) };
        let binding = fleet.told(admin, &changed, std::slice::from_ref(&first)).await;
        assert_eq!(binding.bound_from, came, "what it said at the factory is not of the truck");
        eventually("the old one is nobody's", SOON, async || {
            anyhow::ensure!(fleet.binding(&truck.imei).await?.is_none());
            Ok(())
        })
        .await;
        let again = fleet.create(admin, DeviceInput { imei: Some(truck.imei.clone()), ..new_device("Again") }).await?;
        assert!(fleet.rules_of(admin, &again.id).await?.bound_from > came, "it ended when the change was made");

        // Another one that calls itself the same, of whose meters nobody read anything.
        let second = fleet.replace_tracker(admin, at(of(&changed), ago(3))).await?;
        assert_eq!((&second.imei_before, &second.imei), (&imei, &imei));
        assert_eq!(fleet.get(admin, &truck.id).await?.row_version, changed.row_version);
        let at_second = second.replaced_at.unwrap().millis();
        let binding = fleet.told(admin, &changed, &[first, bare(at_second)]).await;
        assert_eq!(binding.bound_from, came, "the IMEI stayed");
        let list = fleet.replacements_of(admin, &truck.id).await?;
        assert_eq!(list.items, [second.clone(), made.clone()]);

        // The newest alone is withdrawn; the IMEI stays.
        refused_for(fleet.withdraw(admin, &truck.id, &made.id).await, "replacement_id", "not_the_newest");
        fleet.withdraw(admin, &truck.id, &second.id).await?;
        fleet.told(admin, &changed, std::slice::from_ref(&first)).await;
        fleet.withdraw(admin, &truck.id, &made.id).await?;
        fleet.told(admin, &changed, &[]).await;
        assert_eq!(fleet.get(admin, &truck.id).await?.imei, imei);
        assert_eq!(fleet.withdraw(admin, &truck.id, &made.id).await.unwrap_err(), Error::not_found());
        assert_eq!(fleet.replacements_of(admin, &truck.id).await?.total, 0);

        let acts = ["create", "update", "replace_tracker", "create", "replace_tracker", "withdraw_tracker_replacement", "withdraw_tracker_replacement"];
        let acts: Vec<_> = acts.iter().map(|act| format!("device:{act}")).collect();
        let entries = fleet.wait_for_acts(admin, &acts.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let read = |text: &Option<String>| text.as_deref().map_or(Value::Null, |text| serde_json::from_str(text).unwrap());
        let (before, after) = (read(&entries[2].before), read(&entries[2].after));
        assert_eq!((&before["imei"], &before["odometer"]), (&json!(truck.imei), &json!(120_000_000)));
        assert_eq!((&after["imei"], &after["engine_seconds"], &after["reason"]), (&json!(imei), &json!(0), &json!("broken")));
        assert_eq!(read(&entries[6].before)["odometer_after"], 12);
        fleet.running.stop().await
    }

    async fn what_is_wrong_with_a_replacement_is_said(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        let other = fleet.create(admin, new_device("Other")).await?;
        let wrong = async |request: ReplaceTrackerRequest, field: &str, code: &str| {
            refused_for(fleet.replace_tracker(admin, request).await, field, code);
        };
        wrong(at(of(&truck), ago(-1)), "replaced_at", "in_the_future").await;
        wrong(at(of(&truck), -1), "replaced_at", "too_early").await;
        wrong(ReplaceTrackerRequest { odometer_before: Some(1.0), ..of(&truck) }, "odometer_after", "required").await;
        wrong(ReplaceTrackerRequest { odometer_after: Some(1.0), ..of(&truck) }, "odometer_before", "required").await;
        let one = ReplaceTrackerRequest { engine_seconds_after: Some(1.0), ..of(&truck) };
        wrong(one, "engine_seconds_before", "required").await;
        let negative = ReplaceTrackerRequest { odometer_before: Some(-1.0), odometer_after: Some(0.0), ..of(&truck) };
        wrong(negative, "odometer_before", "too_small").await;
        let endless = ReplaceTrackerRequest { engine_seconds_before: Some(0.0), engine_seconds_after: Some(4e9), ..of(&truck) };
        wrong(endless, "engine_seconds_after", "too_large").await;
        wrong(ReplaceTrackerRequest { reason: "x".repeat(501), ..of(&truck) }, "reason", "too_long").await;
        wrong(with_imei(of(&truck), "12"), "imei", "invalid_imei").await;
        let taken = fleet.replace_tracker(admin, with_imei(of(&truck), &other.imei)).await.unwrap_err();
        assert_eq!((taken.class, taken.fields["imei"].as_str()), (Code::Conflict, "taken_by_own"));
        assert_eq!(fleet.replacements_of(admin, &truck.id).await?.total, 0, "nothing of what was refused stays");
        assert_eq!(fleet.get(admin, &truck.id).await?, truck);
        fleet.replace_tracker(admin, at(of(&truck), ago(2))).await?;
        wrong(at(of(&truck), ago(3)), "replaced_at", "before_newest_replacement").await;
        fleet.running.stop().await
    }

    async fn another_imei_is_another_tracker(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        let began = Timestamp::now().millis();
        let updated = fleet.update(admin, naming(&truck, &new_imei())).await?;
        let entered = fleet.replacements_of(admin, &truck.id).await?.items.remove(0);
        assert_eq!((&entered.imei_before, &entered.imei, entered.is_by_imei), (&truck.imei, &updated.imei, true));
        assert_eq!((entered.odometer_before, entered.created_by_name.as_str()), (None, "admin"));
        let at_update = entered.replaced_at.unwrap().millis();
        assert!((began..=Timestamp::now().millis()).contains(&at_update));
        assert_eq!(fleet.told(admin, &updated, &[bare(at_update)]).await.bound_from, 0);
        fleet.update(admin, DeviceInput { name: Some("Lorry".to_owned()), ..naming(&truck, &updated.imei) }).await?;
        assert_eq!(fleet.replacements_of(admin, &truck.id).await?.total, 1, "the same IMEI is no other tracker");

        // By a job as well.
        let bulk = DeviceInput { imei: Some(new_imei()), ..DeviceInput::default() };
        let (ids, imei) = (vec![truck.id.clone()], bulk.imei.clone().unwrap());
        let job = fleet.bulk(admin, BulkDevicesRequest { ids, update: Some(bulk), ..Default::default() }).await?;
        assert_eq!(fleet.over(admin, &job.id).await.done, 1);
        let listed = fleet.replacements_of(admin, &truck.id).await?.items;
        assert_eq!((listed.len(), &listed[0].imei_before, &listed[0].imei), (2, &updated.imei, &imei));

        // Whoever says more of that says it of the same one, though it was earlier.
        let more = ReplaceTrackerRequest { odometer_before: Some(9e6), odometer_after: Some(0.0), ..with_imei(of(&truck), &imei) };
        refused_for(
            fleet.replace_tracker(admin, at(more.clone(), at_update - 1)).await,
            "replaced_at",
            "before_newest_replacement",
        );
        let said = fleet.replace_tracker(admin, at(more, at_update)).await?;
        assert_eq!((&said.imei_before, &said.imei, said.is_by_imei), (&updated.imei, &imei, false));
        let listed = fleet.replacements_of(admin, &truck.id).await?.items;
        assert_eq!(listed, [said.clone(), entered]);
        let now = fleet.get(admin, &truck.id).await?;
        let readings = Some(MeterSwap { before: 9_000_000, after: 0 });
        fleet.told(admin, &now, &[bare(at_update), ReplacedTracker { odometer: readings, ..bare(at_update) }]).await;
        // The next one is another one.
        fleet.replace_tracker(admin, with_imei(of(&truck), &imei)).await?;
        assert_eq!(fleet.replacements_of(admin, &truck.id).await?.total, 3);
        fleet.running.stop().await
    }

    async fn bindings_tell_the_newest_eight(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        let van = fleet.create(admin, new_device("Van")).await?;
        let began = ago(20);
        for hour in 0..10 {
            fleet.replace_tracker(admin, at(of(&truck), began + hour * HOUR)).await?;
        }
        fleet.replace_tracker(admin, at(of(&van), began)).await?;
        let told: Vec<_> = (2..10).map(|hour| bare(began + hour * HOUR)).collect();
        fleet.told(admin, &truck, &told).await;
        fleet.told(admin, &van, &[bare(began)]).await;
        let page = ListTrackerReplacementsRequest { id: truck.id.clone(), page: 2, page_size: 4, ..Default::default() };
        let page = answer(fleet.replacements().list(admin.sign(page)).await)?;
        let shown: Vec<_> = page.items.iter().map(|item| item.replaced_at.unwrap().millis()).collect();
        assert_eq!((page.total, shown), (10, (2..6).rev().map(|hour| began + hour * HOUR).collect()));

        // They go with their device.
        fleet.delete(admin, &truck.id, None).await?;
        assert_eq!(fleet.replacements_of(admin, &truck.id).await.unwrap_err(), Error::not_found());
        assert_eq!(fleet.rows("SELECT count(*) FROM tracker_replacement").await, 11, "it can be brought back");
        fleet.erase_device(admin, &truck).await?;
        assert_eq!(fleet.rows("SELECT count(*) FROM tracker_replacement").await, 1);
        fleet.running.stop().await
    }

    /// The tracker is claimed, and its fixes come to the device when that is granted: from then on that it came.
    async fn a_claimed_tracker_counts_from_when_it_came(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let stranger = fleet.stranger("Stranger").await;
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        let truck = fleet.create(&stranger.admin, new_device("Truck")).await?;
        let (imei, came) = (new_imei(), ago(5));
        fleet.record_heard_imei(&imei, &["open"], false).await;
        fleet.replace_tracker(&stranger.admin, at(with_imei(of(&truck), &imei), came)).await?;
        let claimed = fleet.get(&stranger.admin, &truck.id).await?;
        assert_eq!((claimed.imei_status(), &claimed.imei), (ImeiStatus::Pending, &imei));
        assert!(fleet.binding(&imei).await?.is_none());
        let claim = fleet.claim_for(&imei).await;
        fleet.approve(&claim).await?;
        assert_eq!(fleet.binding_start(&claimed).await, came);
        fleet.running.stop().await
    }

    async fn who_maintains_a_device_replaces_its_tracker(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, others) = (fleet.company("Acme").await, fleet.company("Other").await);
        let truck = fleet.create(&company.admin, owned_by(&company.budi, new_device("Truck"))).await?;
        let unpermitted = fleet.replace_tracker(&company.budi, of(&truck)).await.unwrap_err();
        assert_eq!(unpermitted.class, Code::Forbidden, "no permission");
        for user in [&company.budi, &company.siti] {
            let id = user.grant.user_id.to_string();
            fleet.allow(&id, &company.id.to_string(), &[DEVICE_LIST, DEVICE_UPDATE]).await;
        }
        // Who is linked to nothing finds nothing, and so does another tenant.
        for stranger in [&company.siti, &others.admin] {
            assert_eq!(fleet.replace_tracker(stranger, of(&truck)).await.unwrap_err(), Error::not_found());
            assert_eq!(fleet.replacements_of(stranger, &truck.id).await.unwrap_err(), Error::not_found());
        }
        let made = fleet.replace_tracker(&company.budi, with_imei(of(&truck), &new_imei())).await?;
        fleet.link(&truck, &company.siti, DeviceMemberRole::Viewer).await;
        assert_eq!(fleet.replacements_of(&company.siti, &truck.id).await?.items[0].id, made.id, "who looks sees it");
        for refused in [fleet.replace_tracker(&company.siti, of(&truck)).await.map(drop), fleet.withdraw(&company.siti, &truck.id, &made.id).await] {
            assert_eq!(refused.unwrap_err().class, Code::Forbidden);
        }
        let van = fleet.create(&company.admin, owned_by(&company.budi, new_device("Van"))).await?;
        fleet.link(&van, &company.siti, DeviceMemberRole::Technician).await;
        let own = fleet.replace_tracker(&company.siti, of(&van)).await?;
        // Whose positions those are decides the owner.
        let taken = fleet.replace_tracker(&company.siti, with_imei(of(&van), &new_imei())).await.unwrap_err();
        assert_eq!(taken.class, Code::Forbidden);
        assert_eq!(fleet.get(&company.admin, &van.id).await?.imei, van.imei);
        fleet.withdraw(&company.siti, &van.id, &own.id).await?;
        fleet.running.stop().await
    }
}
