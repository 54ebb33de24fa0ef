//! Devices: what may stand in them, who sees them, who may change them.

use armada_proto::{
    DeviceId, TenantId, UserId,
    access::permission::{DEVICE_CREATE, DEVICE_DELETE, DEVICE_LIST, DEVICE_MEMBER_CREATE, DEVICE_UPDATE},
    v1::{
        DeviceIconType, DeviceInput, DeviceStatus, ImeiStatus, ListDevicesRequest, VisibleDevices,
        VisibleDevicesRequest,
    },
};
use armada_runtime::{Caller, Code, Error, Result, Scope};
use armada_testkit::{Kind, Signed, both_databases};
use futures::future::join_all;
use sea_orm::{ConnectionTrait, Statement};

use crate::drivers::new_driver;
use crate::support::{Fleet, answer, new_device, new_imei, owned_by};

impl Fleet {
    /// Names of the page, and how many devices there are.
    pub async fn list(&self, caller: &Signed, request: ListDevicesRequest) -> Result<(Vec<String>, u32)> {
        let list = answer(self.devices().list(caller.sign(request)).await)?;
        Ok((list.items.into_iter().map(|device| device.name).collect(), list.total))
    }

    async fn visible(&self, caller: &Caller, request: VisibleDevicesRequest) -> Result<VisibleDevices> {
        let mut visible = answer(self.devices().visible(caller.sign(request)).await)?;
        visible.device_ids.sort_unstable();
        Ok(visible)
    }
}

pub fn renamed(id: &str) -> DeviceInput {
    DeviceInput { id: id.to_owned(), name: Some("New".to_owned()), ..DeviceInput::default() }
}

fn all() -> ListDevicesRequest {
    ListDevicesRequest { sort: "created_at".to_owned(), ..ListDevicesRequest::default() }
}

both_databases! {
    async fn admins_make_and_change_devices(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let input = DeviceInput {
            sim_number: Some("0812 3456".to_owned()),
            max_parking_time: Some(3600),
            ..owned_by(&company.budi, new_device(" B 1234 XY "))
        };
        let made = fleet.create(&company.admin, input.clone()).await?;
        assert_eq!((made.name.as_str(), &made.imei, made.status()), ("B 1234 XY", &input.imei.unwrap(), DeviceStatus::Active));
        assert_eq!((made.tenant_id.clone(), &made.user_id), (company.id.to_string(), &input.user_id));
        assert!(made.warnings.is_empty() && made.row_version == 1 && made.max_parking_time == 3600);
        assert_eq!(fleet.get(&company.admin, &made.id).await?, made);

        let change = DeviceInput {
            status: Some(DeviceStatus::Inactive.into()),
            row_version: Some(1),
            ..renamed(&made.id)
        };
        let changed = fleet.update(&company.admin, change.clone()).await?;
        assert_eq!((changed.name.as_str(), changed.status(), changed.row_version), ("New", DeviceStatus::Inactive, 2));
        assert_eq!((changed.user_id, changed.sim_number.as_str()), (made.user_id, "0812 3456"));
        assert_eq!(fleet.update(&company.admin, change).await.unwrap_err(), Error::version_mismatch());
        let stale = fleet.delete(&company.admin, &made.id, Some(1)).await.unwrap_err();
        assert_eq!(stale, Error::version_mismatch());
        fleet.delete(&company.admin, &made.id, Some(2)).await?;
        assert_eq!(fleet.get(&company.admin, &made.id).await.unwrap_err(), Error::not_found());
        assert_eq!(fleet.list(&company.budi, all()).await?, (vec![], 0));
        fleet.running.stop().await
    }

    async fn wrong_devices_are_refused(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let error = fleet.create(&company.admin, DeviceInput::default()).await.unwrap_err();
        assert_eq!((error.class, error.code.as_str()), (Code::Invalid, "device_imei_and_name_required"));
        assert_eq!(error.message, "IMEI and device name are required.");
        assert_eq!((error.fields["imei"].as_str(), error.fields["name"].as_str()), ("required", "required"));

        let with_imei = |imei: &str| DeviceInput { imei: Some(imei.to_owned()), ..new_device("x") };
        for imei in ["123", "A.B 1", "frame", "a23456789012345678901234567890123", "４９０１５４２０３２３７５１８"] {
            let error = fleet.create(&company.admin, with_imei(imei)).await.unwrap_err();
            assert_eq!(error, Error::field("imei", "invalid_imei"), "{imei}");
        }
        let odd = fleet.create(&company.admin, with_imei("490154203237519")).await?;
        assert_eq!(odd.warnings, ["imei_check_digit"]);
        assert_eq!(fleet.get(&company.admin, &odd.id).await?.warnings, ["imei_check_digit"], "the mark stays");
        let odd = DeviceInput { id: odd.id, ..with_imei("4901542032375180") };
        let odd = fleet.update(&company.admin, odd).await?;
        assert_eq!(odd.warnings, ["imei_length"]);
        let odd = DeviceInput { id: odd.id, ..with_imei("490154203237518") };
        assert!(fleet.update(&company.admin, odd).await?.warnings.is_empty());

        for stranger in [other.budi.grant.user_id.to_string(), UserId::new().to_string(), "x".to_owned()] {
            for caller in [&company.admin, &fleet.owner] {
                let tenant_id = Some(company.id.to_string());
                let input = DeviceInput { user_id: Some(stranger.clone()), tenant_id, ..new_device("x") };
                let error = fleet.create(caller, input).await.unwrap_err();
                assert_eq!(error, Error::field("user_id", "unknown"), "{stranger}");
            }
        }
        for tenant in [other.id.to_string(), TenantId::new().to_string(), "x".to_owned()] {
            let input = DeviceInput { tenant_id: Some(tenant), ..new_device("x") };
            let error = fleet.create(&company.admin, input).await.unwrap_err();
            assert_eq!(error, Error::field("tenant_id", "unknown"));
        }
        let error = fleet.create(&fleet.owner, new_device("x")).await.unwrap_err();
        assert_eq!(error, Error::field("tenant_id", "required"));
        let absent = DeviceInput { tenant_id: Some(TenantId::new().to_string()), ..new_device("x") };
        let error = fleet.create(&fleet.owner, absent).await.unwrap_err();
        assert_eq!(error, Error::field("tenant_id", "unknown"));
        fleet.running.stop().await
    }

    async fn an_imei_has_one_device(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (one, two) = (fleet.company("One").await, fleet.company("Two").await);
        let input = new_device("Same");
        let callers = (0..12).map(|i| if i % 2 == 0 { &one.admin } else { &two.admin });
        let answers = join_all(callers.map(|caller| fleet.create(caller, input.clone()))).await;
        // One of them has it, one claims it, and within a company it is named once.
        let mut made: Vec<_> = answers.iter().flatten().map(|device| device.imei_status()).collect();
        made.sort_unstable();
        assert_eq!(made, [ImeiStatus::Bound, ImeiStatus::Pending]);
        for error in answers.into_iter().filter_map(Result::err) {
            assert_eq!(error.fields["imei"], "taken_by_own");
            assert_eq!(error.conflicting.unwrap().name, "Same");
        }
        // Nor can an update take it.
        for company in [&one, &two] {
            let other = fleet.create(&company.admin, new_device("Other")).await?;
            let change = DeviceInput { id: other.id, imei: input.imei.clone(), ..DeviceInput::default() };
            let error = fleet.update(&company.admin, change).await.unwrap_err();
            assert_eq!(error.fields["imei"], "taken_by_own");
        }
        fleet.running.stop().await
    }

    async fn devices_of_others_do_not_exist(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (own, foreign) = (fleet.company("Own").await, fleet.company("Foreign").await);
        let mine = fleet.create(&own.admin, owned_by(&own.budi, new_device("Mine"))).await?;
        let theirs = fleet.create(&foreign.admin, owned_by(&foreign.budi, new_device("Theirs"))).await?;
        let unlinked = fleet.create(&own.admin, new_device("Unlinked")).await?;
        let manages = [DEVICE_LIST, DEVICE_UPDATE, DEVICE_DELETE];
        fleet.allow(&own.budi.grant.user_id.to_string(), &own.id.to_string(), &manages).await;

        let absent = [DeviceId::new().to_string(), "x".to_owned(), String::new()];
        for id in absent.iter().chain([&theirs.id]) {
            for caller in [&own.admin, &own.budi] {
                let wrong = DeviceInput { id: id.clone(), imei: Some("1".to_owned()), ..DeviceInput::default() };
                let answers = [
                    fleet.get(caller, id).await.unwrap_err(),
                    fleet.update(caller, renamed(id)).await.unwrap_err(),
                    fleet.update(caller, wrong).await.unwrap_err(),
                    fleet.delete(caller, id, Some(7)).await.unwrap_err(),
                ];
                assert!(answers.iter().all(|error| *error == Error::not_found()), "{id}: {answers:?}");
            }
        }
        // The same for a device of one's own tenant that one is not linked to.
        assert_eq!(fleet.get(&own.budi, &unlinked.id).await.unwrap_err(), Error::not_found());
        assert_eq!(fleet.update(&own.budi, renamed(&unlinked.id)).await.unwrap_err(), Error::not_found());

        let by = |q: &str| ListDevicesRequest { q: q.to_owned(), ..all() };
        assert_eq!(fleet.list(&own.admin, all()).await?, (vec!["Mine".to_owned(), "Unlinked".to_owned()], 2));
        for q in [theirs.name.as_str(), &theirs.imei] {
            assert_eq!(fleet.list(&own.admin, by(q)).await?, (vec![], 0));
        }
        for users in [vec![foreign.budi.grant.user_id.to_string()], vec!["x".to_owned()]] {
            let request = ListDevicesRequest { user_ids: users, ..all() };
            assert_eq!(fleet.list(&own.admin, request).await?, (vec![], 0));
        }
        for tenant in [foreign.id.to_string(), TenantId::new().to_string(), "x".to_owned()] {
            let request = ListDevicesRequest { tenant_id: Some(tenant.clone()), ..all() };
            assert_eq!(fleet.list(&own.admin, request).await.unwrap_err(), Error::not_found());
            let request = VisibleDevicesRequest { tenant_id: Some(tenant), ..VisibleDevicesRequest::default() };
            assert_eq!(fleet.visible(&own.admin, request).await.unwrap_err(), Error::not_found());
        }
        let request = VisibleDevicesRequest { device_ids: vec![theirs.id.clone(), mine.id.clone()], ..Default::default() };
        assert_eq!(fleet.visible(&own.admin, request).await?.device_ids, [mine.id]);
        assert_eq!(fleet.get(&fleet.owner, &theirs.id).await?, theirs);
        fleet.running.stop().await
    }

    async fn members_see_and_do_not_change(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let device = fleet.create(&company.admin, owned_by(&company.budi, new_device("Truck"))).await?;
        fleet.create(&company.admin, new_device("Bus")).await?;
        assert_eq!(fleet.get(&company.budi, &device.id).await?, device);
        let refused = [
            fleet.create(&company.budi, new_device("Own")).await.unwrap_err(),
            fleet.update(&company.budi, renamed(&device.id)).await.unwrap_err(),
            fleet.delete(&company.budi, &device.id, None).await.unwrap_err(),
        ];
        assert!(refused.iter().all(|error| *error == Error::forbidden()), "{refused:?}");
        assert_eq!(fleet.list(&company.budi, all()).await?, (vec!["Truck".to_owned()], 1));
        assert_eq!(fleet.list(&company.siti, all()).await?, (vec![], 0));

        // A new owner; the old one no longer sees it.
        let input = owned_by(&company.siti, DeviceInput { id: device.id.clone(), ..DeviceInput::default() });
        fleet.update(&company.admin, input).await?;
        assert_eq!(fleet.get(&company.budi, &device.id).await.unwrap_err(), Error::not_found());
        assert_eq!(fleet.list(&company.siti, all()).await?, (vec!["Truck".to_owned()], 1));
        let nobody = DeviceInput { id: device.id.clone(), user_id: Some(String::new()), ..DeviceInput::default() };
        assert_eq!(fleet.update(&company.admin, nobody).await?.user_id, None);
        assert_eq!(fleet.list(&company.siti, all()).await?, (vec![], 0));
        assert_eq!(
            answer(fleet.devices().list(ListDevicesRequest::default()).await).unwrap_err(),
            Error::unauthenticated()
        );
        fleet.running.stop().await
    }

    /// What somebody adds who sees only what is theirs is theirs, and they may do with it what their roles allow.
    async fn roles_let_others_manage_what_they_see(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let budi = company.budi.grant.user_id.to_string();
        fleet.allow(&budi, &company.id.to_string(), &[DEVICE_LIST, DEVICE_CREATE, DEVICE_UPDATE]).await;
        let made = fleet.create(&company.budi, new_device("Own")).await?;
        assert_eq!(made.user_id, Some(budi.clone()));
        assert_eq!(fleet.update(&company.budi, renamed(&made.id)).await?.name, "New");
        assert_eq!(fleet.delete(&company.budi, &made.id, None).await.unwrap_err(), Error::forbidden());
        // To name another owner is to link them. It takes no right to see users.
        let given = owned_by(&company.siti, DeviceInput { id: made.id.clone(), ..renamed(&made.id) });
        assert_eq!(fleet.update(&company.budi, given.clone()).await.unwrap_err(), Error::forbidden());
        let rights = [DEVICE_LIST, DEVICE_CREATE, DEVICE_UPDATE, DEVICE_DELETE, DEVICE_MEMBER_CREATE];
        fleet.allow(&budi, &company.id.to_string(), &rights).await;
        fleet.update(&company.budi, given).await?;
        assert_eq!(fleet.get(&company.budi, &made.id).await.unwrap_err(), Error::not_found());
        fleet.running.stop().await
    }

    async fn other_services_learn_who_sees_what(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (own, foreign) = (fleet.company("Own").await, fleet.company("Foreign").await);
        let of_budi = fleet.create(&own.admin, owned_by(&own.budi, new_device("Budi"))).await?.id;
        let of_siti = fleet.create(&own.admin, owned_by(&own.siti, new_device("Siti"))).await?.id;
        let theirs = fleet.create(&foreign.admin, owned_by(&foreign.budi, new_device("Theirs"))).await?.id;
        let tenant = Some(own.id.to_string());
        let by = |user: Option<&Signed>| VisibleDevicesRequest {
            user_id: user.map(|user| user.grant.user_id.to_string()),
            ..VisibleDevicesRequest::default()
        };
        let some = |ids: &[&String]| VisibleDevices {
            all: false,
            device_ids: ids.iter().map(|&id| id.clone()).collect(),
            tenant_id: tenant.clone(),
            ..VisibleDevices::default()
        };
        let everything = VisibleDevices { all: true, tenant_id: tenant.clone(), ..VisibleDevices::default() };

        assert_eq!(fleet.visible(&own.admin, by(None)).await?, everything);
        assert_eq!(fleet.visible(&own.admin, by(Some(&own.admin))).await?, everything);
        assert_eq!(fleet.visible(&own.admin, by(Some(&own.budi))).await?, some(&[&of_budi]));
        assert_eq!(fleet.visible(&own.admin, by(Some(&foreign.budi))).await?, some(&[]));
        assert_eq!(fleet.visible(&own.budi, by(None)).await?, some(&[&of_budi]));
        assert_eq!(fleet.visible(&own.budi, by(Some(&own.budi))).await?, some(&[&of_budi]));
        // What is deleted is told to who asks for it and would see it.
        let gone = fleet.create(&own.admin, new_device("Gone")).await?;
        fleet.delete(&own.admin, &gone.id, None).await?;
        let with_hidden = VisibleDevicesRequest { with_hidden: true, ..by(None) };
        let hidden = VisibleDevices { hidden_ids: vec![gone.id], ..everything.clone() };
        assert_eq!(fleet.visible(&own.admin, with_hidden.clone()).await?, hidden);
        assert_eq!(fleet.visible(&own.budi, with_hidden).await?, some(&[&of_budi]));
        // Narrows, never widens.
        assert_eq!(fleet.visible(&own.budi, by(Some(&own.siti))).await?, some(&[]));
        assert_eq!(fleet.visible(&own.budi, by(Some(&own.admin))).await?, some(&[&of_budi]));
        assert_eq!(fleet.visible(&own.budi, by(Some(&foreign.admin))).await?, some(&[]));
        let asked = |ids: &[&String]| VisibleDevicesRequest {
            device_ids: ids.iter().map(|&id| id.clone()).collect(),
            ..VisibleDevicesRequest::default()
        };
        let ids = [&of_budi, &of_siti, &theirs, &"x".to_owned()];
        let named = VisibleDevicesRequest { with_names: true, ..asked(&ids) };
        let named = fleet.visible(&own.budi, named).await?;
        assert_eq!((named.device_ids.as_slice(), named.names.len()), ([of_budi.clone()].as_slice(), 1));
        assert_eq!(fleet.visible(&own.admin, asked(&ids)).await?, some(&[&of_budi, &of_siti]));
        assert_eq!(fleet.visible(&own.siti, asked(&ids)).await?, some(&[&of_siti]));
        assert_eq!(fleet.visible(&own.siti, asked(&[&theirs])).await?, some(&[]));

        let platform = VisibleDevices { all: true, ..VisibleDevices::default() };
        assert_eq!(fleet.visible(&fleet.owner, by(None)).await?, platform);
        assert_eq!(fleet.visible(&fleet.owner, by(Some(&own.admin))).await?, everything);
        assert_eq!(fleet.visible(&fleet.owner, by(Some(&own.siti))).await?, some(&[&of_siti]));
        let narrowed = VisibleDevicesRequest { tenant_id: tenant.clone(), ..VisibleDevicesRequest::default() };
        assert_eq!(fleet.visible(&fleet.owner, narrowed).await?, everything);

        // A service sees what the user sees for whom it works, and all when it works for none.
        let key = &fleet.running.context.service_key;
        let for_budi = key.caller(Scope::Platform, Some(own.budi.grant.clone()))?;
        assert_eq!(fleet.visible(&for_budi, by(None)).await?, some(&[&of_budi]));
        let for_admin = key.caller(Scope::Platform, Some(own.admin.grant.clone()))?;
        assert_eq!(fleet.visible(&for_admin, by(None)).await?, everything);
        let on_its_own = key.caller(Scope::Tenant(own.id), None)?;
        assert_eq!(fleet.visible(&on_its_own, by(None)).await?, everything);
        fleet.running.stop().await
    }

    async fn vehicles_are_described_and_found(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let plain = fleet.create(&company.admin, new_device("Plain")).await?;
        assert_eq!((plain.icon_type(), plain.vehicle_code.as_str()), (DeviceIconType::Car, ""));
        let siti = answer(fleet.drivers().create(company.admin.sign(new_driver("Siti Rahayu"))).await)?;
        let input = DeviceInput {
            icon_type: Some(DeviceIconType::HeavyEquipment.into()),
            vehicle_code: Some(" B 9120 KXT ".to_owned()),
            maintenance_status: Some("In the workshop".to_owned()),
            primary_driver_id: Some(siti.id),
            ..new_device("Excavator")
        };
        let made = fleet.create(&company.admin, input).await?;
        assert_eq!((made.icon_type(), made.vehicle_code.as_str()), (DeviceIconType::HeavyEquipment, "B 9120 KXT"));
        assert_eq!((made.maintenance_status.as_str(), made.primary_driver.as_str()), ("In the workshop", "Siti Rahayu"));
        assert_eq!(fleet.get(&company.admin, &made.id).await?, made);
        let kept = fleet.update(&company.admin, renamed(&made.id)).await?;
        assert_eq!((kept.icon_type, kept.primary_driver), (made.icon_type, made.primary_driver));

        for q in ["9120 kxt", "rahayu", &made.imei] {
            let found = fleet.list(&company.admin, ListDevicesRequest { q: q.to_owned(), ..all() }).await?;
            assert_eq!(found, (vec!["New".to_owned()], 1), "{q}");
        }
        let of = |icons: &[DeviceIconType]| ListDevicesRequest {
            icon_types: icons.iter().map(|&icon| icon.into()).collect(),
            ..all()
        };
        assert_eq!(fleet.list(&company.admin, of(&[DeviceIconType::HeavyEquipment])).await?.0, ["New"]);
        assert_eq!(fleet.list(&company.admin, of(&[DeviceIconType::Bus])).await?.1, 0);
        let both = [DeviceIconType::Car, DeviceIconType::HeavyEquipment];
        assert_eq!(fleet.list(&company.admin, of(&both)).await?.0, ["Plain", "New"]);
        for (sort, first) in [("-vehicle_code", "New"), ("primary_driver", "Plain"), ("icon_type", "Plain")] {
            let sorted = ListDevicesRequest { sort: sort.to_owned(), ..ListDevicesRequest::default() };
            assert_eq!(fleet.list(&company.admin, sorted).await?.0[0], first, "{sort}");
        }

        let wrong = DeviceInput {
            icon_type: Some(99),
            vehicle_code: Some("x".repeat(33)),
            engine_number: Some("x".repeat(65)),
            ..new_device("x")
        };
        let fields = fleet.create(&company.admin, wrong).await.unwrap_err().fields;
        let codes = ["icon_type", "vehicle_code", "engine_number"].map(|name| fields[name].as_str());
        assert_eq!(codes, ["invalid", "too_long", "too_long"]);
        let unknown = ListDevicesRequest { icon_types: vec![99], ..all() };
        assert_eq!(fleet.list(&company.admin, unknown).await.unwrap_err(), Error::field("icon_type", "invalid"));
        fleet.running.stop().await
    }

    async fn a_platform_owner_makes_devices_for_tenants(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let input = DeviceInput { tenant_id: Some(company.id.to_string()), ..new_device("Truck") };
        let made = fleet.create(&fleet.owner, owned_by(&company.budi, input)).await?;
        assert_eq!(fleet.get(&company.budi, &made.id).await?, made);
        let moved = DeviceInput { tenant_id: Some(TenantId::new().to_string()), ..renamed(&made.id) };
        let error = fleet.update(&fleet.owner, moved).await.unwrap_err();
        assert_eq!(error, Error::field("tenant_id", "not_changeable"));
        let imei = DeviceInput { imei: Some(new_imei()), ..renamed(&made.id) };
        assert_eq!(fleet.update(&fleet.owner, imei).await?.row_version, 2);
        fleet.delete(&fleet.owner, &made.id, None).await?;
        fleet.running.stop().await
    }
}

/// What a forgotten filter would meet. SQLite has no such rules.
#[tokio::test(flavor = "multi_thread")]
async fn postgres_itself_keeps_tenants_apart() -> anyhow::Result<()> {
    let fleet = Fleet::start(Kind::Postgres).await;
    let (own, foreign) = (fleet.company("Own").await, fleet.company("Foreign").await);
    fleet.create(&own.admin, owned_by(&own.budi, new_device("Mine"))).await?;
    fleet.create(&foreign.admin, owned_by(&foreign.budi, new_device("Theirs"))).await?;
    let db = fleet.world.database("fleet").await;
    for table in ["device", "device_member"] {
        for (scope, rows) in [(Scope::Platform, 2), (Scope::Tenant(own.id), 1), (Scope::Tenant(TenantId::new()), 0)] {
            let tx = db.read(&scope).await?;
            let sql = format!("SELECT count(*) AS n FROM {table}");
            let row = tx.query_one_raw(Statement::from_string(db.backend(), sql)).await?.unwrap();
            assert_eq!(row.try_get::<i64>("", "n")?, rows, "{table} {scope:?}");
        }
    }
    Ok(())
}
