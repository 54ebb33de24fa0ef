//! The master data, and what devices say by it.

use armada_proto::{
    access::permission::MASTER_DATA_LIST,
    v1::{
        DeleteRequest, Device, DeviceIconType, DeviceInput, DeviceMemberRole, Empty, GetRequest, ListDevicesRequest,
        ListMasterDataRequest, MasterDataEntry, MasterDataEntryInput, MasterDataKind, MasterDataUsage,
        ReplaceMasterDataRequest, master_data_client::MasterDataClient,
    },
};
use armada_runtime::{Error, Result, Transport};
use armada_testkit::{Kind, Signed, both_databases};

use crate::support::{Company, Fleet, answer, new_device};

impl Fleet {
    pub fn master_data(&self) -> MasterDataClient<Transport> {
        MasterDataClient::new(self.running.context.peers.transport("fleet").unwrap())
    }

    pub async fn make_entry(&self, caller: &Signed, input: MasterDataEntryInput) -> Result<MasterDataEntry> {
        answer(self.master_data().create(caller.sign(input)).await)
    }

    async fn change_entry(&self, caller: &Signed, input: MasterDataEntryInput) -> Result<MasterDataEntry> {
        answer(self.master_data().update(caller.sign(input)).await)
    }

    async fn entry(&self, caller: &Signed, id: &str) -> Result<MasterDataEntry> {
        answer(self.master_data().get(caller.sign(GetRequest { id: id.to_owned() })).await)
    }

    pub async fn remove_entry(&self, caller: &Signed, id: &str) -> Result<()> {
        let request = DeleteRequest { id: id.to_owned(), row_version: None };
        answer(self.master_data().delete(caller.sign(request)).await).map(drop)
    }

    /// The groups that a caller sees, each with how many devices are in it itself.
    async fn grouped(&self, caller: &Signed) -> Result<Vec<(String, usize)>> {
        let groups = answer(self.devices().groups(caller.sign(Empty {})).await)?.items;
        let is_there = |id: &String| groups.iter().any(|group| group.id == *id);
        assert!(groups.iter().all(|group| group.parent_id.as_ref().is_none_or(is_there)), "none lies nowhere");
        Ok(groups.into_iter().map(|group| (group.name, group.device_ids.len())).collect())
    }

    async fn usage(&self, caller: &Signed, id: &str) -> Result<MasterDataUsage> {
        answer(self.master_data().usage(caller.sign(GetRequest { id: id.to_owned() })).await)
    }

    async fn replace(&self, caller: &Signed, id: &str, replacement: &str) -> Result<MasterDataUsage> {
        let request = ReplaceMasterDataRequest { id: id.to_owned(), replacement_id: replacement.to_owned() };
        answer(self.master_data().replace(caller.sign(request)).await)
    }

    async fn entries(&self, caller: &Signed, request: ListMasterDataRequest) -> Result<Vec<MasterDataEntry>> {
        let request = ListMasterDataRequest { page_size: 500, ..request };
        Ok(answer(self.master_data().list(caller.sign(request)).await)?.items)
    }

    /// An entry of the platform.
    async fn known(&self, caller: &Signed, kind: MasterDataKind, label: &str) -> Result<MasterDataEntry> {
        let request = ListMasterDataRequest { q: label.to_owned(), ..of_kind(kind) };
        let found = self.entries(caller, request).await?;
        Ok(found.into_iter().find(|entry| entry.label == label).expect("it is known"))
    }

    async fn device_names(&self, caller: &Signed, request: ListDevicesRequest) -> Result<Vec<String>> {
        let list = answer(self.devices().list(caller.sign(request)).await)?;
        Ok(list.items.into_iter().map(|device| device.name).collect())
    }
}

fn of_kind(kind: MasterDataKind) -> ListMasterDataRequest {
    ListMasterDataRequest { kind: Some(kind.into()), ..ListMasterDataRequest::default() }
}

pub fn new_entry(kind: MasterDataKind, name: &str) -> MasterDataEntryInput {
    MasterDataEntryInput { kind: Some(kind.into()), name: Some(name.to_owned()), ..MasterDataEntryInput::default() }
}

fn in_parent(kind: MasterDataKind, name: &str, parent: &MasterDataEntry) -> MasterDataEntryInput {
    MasterDataEntryInput { parent_id: Some(parent.id.clone()), ..new_entry(kind, name) }
}

fn change(device: &Device) -> DeviceInput {
    DeviceInput { id: device.id.clone(), ..DeviceInput::default() }
}

fn fields(error: Error) -> Vec<String> {
    let mut fields: Vec<_> = error.fields.iter().map(|(name, code)| format!("{name} {code}")).collect();
    fields.sort();
    fields
}

async fn two_companies(kind: Kind) -> (Fleet, Company, Company) {
    let fleet = Fleet::start(kind).await;
    let (acme, other) = (fleet.company("Acme").await, fleet.company("Other").await);
    (fleet, acme, other)
}

both_databases! {
    async fn new_tenant_has_default_master_data(kind: Kind) -> anyhow::Result<()> {
        let (fleet, acme, _) = two_companies(kind).await;
        let brands = fleet.entries(&acme.admin, of_kind(MasterDataKind::VehicleBrand)).await?;
        let models = fleet.entries(&acme.admin, of_kind(MasterDataKind::VehicleModel)).await?;
        let trackers = fleet.entries(&acme.admin, of_kind(MasterDataKind::GpsModel)).await?;
        assert!(brands.len() >= 20 && models.len() >= 150 && trackers.len() >= 40);
        assert!(trackers.iter().all(|tracker| tracker.port > 0 && !tracker.protocol.is_empty()));
        assert!(models.iter().all(|model| !model.vehicle_type.is_empty() && model.label == format!("{} {}", model.parent, model.name)));
        let of_toyota = ListMasterDataRequest { q: "toyota avanza".to_owned(), ..of_kind(MasterDataKind::VehicleModel) };
        let avanza = &fleet.entries(&acme.admin, of_toyota).await?[0];
        let of_brand = ListMasterDataRequest { parent_ids: vec![avanza.parent_id.clone().unwrap()], ..of_kind(MasterDataKind::VehicleModel) };
        assert!(fleet.entries(&acme.admin, of_brand).await?.iter().all(|model| model.parent == "Toyota"));
        assert_eq!(fleet.change_entry(&acme.admin, MasterDataEntryInput { id: avanza.id.clone(), name: Some("X".to_owned()), ..Default::default() }).await.unwrap_err(), Error::not_found());
        assert_eq!(fleet.remove_entry(&acme.admin, &avanza.id).await.unwrap_err(), Error::not_found());
        fleet.running.stop().await
    }

    async fn entries_of_a_company_are_its_own(kind: Kind) -> anyhow::Result<()> {
        let (fleet, acme, other) = two_companies(kind).await;
        let warehouse = MasterDataEntryInput { lat: Some(-6.2), lng: Some(106.8), address: Some("Jl. Raya Cakung 1".to_owned()), ..new_entry(MasterDataKind::Warehouse, "Gudang Cakung") };
        let warehouse = fleet.make_entry(&acme.admin, warehouse).await?;
        assert_eq!(warehouse.tenant_id.as_deref(), Some(acme.id.to_string().as_str()));
        assert_eq!((warehouse.lat, warehouse.lng), (Some(-6.2), Some(106.8)));
        assert!(fleet.entries(&other.admin, of_kind(MasterDataKind::Warehouse)).await?.is_empty());
        assert_eq!(fleet.entry(&other.admin, &warehouse.id).await.unwrap_err(), Error::not_found());
        assert_eq!(fleet.usage(&other.admin, &warehouse.id).await.unwrap_err(), Error::not_found());
        assert_eq!(fleet.replace(&other.admin, &warehouse.id, &warehouse.id).await.unwrap_err(), Error::not_found());
        let theirs = DeviceInput { warehouse_id: Some(warehouse.id.clone()), ..new_device("Truck") };
        assert_eq!(fleet.create(&other.admin, theirs).await.unwrap_err(), Error::field("warehouse_id", "unknown"));

        // The same name again, in capitals; and again with another company.
        let doubled = new_entry(MasterDataKind::Warehouse, "GUDANG CAKUNG");
        assert_eq!(fleet.make_entry(&acme.admin, doubled.clone()).await.unwrap_err(), Error::taken("name"));
        fleet.make_entry(&other.admin, doubled).await?;

        // What a platform owner makes without naming a tenant, all have.
        let brand = fleet.make_entry(&fleet.owner, new_entry(MasterDataKind::VehicleBrand, "Esemka Baru")).await?;
        assert_eq!(brand.tenant_id, None);
        assert_eq!(fleet.entry(&other.admin, &brand.id).await?.name, "Esemka Baru");
        assert_eq!(fields(fleet.make_entry(&fleet.owner, new_entry(MasterDataKind::DeviceGroup, "All")).await.unwrap_err()), ["tenant_id required"]);
        let looking = fleet.make_entry(&acme.budi, new_entry(MasterDataKind::CargoCategory, "Kopi")).await;
        assert_eq!(looking.unwrap_err().class, armada_runtime::Code::Forbidden);
        fleet.running.stop().await
    }

    async fn each_kind_has_its_fields(kind: Kind) -> anyhow::Result<()> {
        let (fleet, acme, _) = two_companies(kind).await;
        let wrong = MasterDataEntryInput { port: Some(5000), lat: Some(1.0), ..new_entry(MasterDataKind::CargoCategory, "Kopi") };
        assert_eq!(fields(fleet.make_entry(&acme.admin, wrong).await.unwrap_err()), ["lat not_of_kind", "port not_of_kind"]);
        let cold = MasterDataEntryInput { min_temperature: Some(8.0), max_temperature: Some(2.0), ..new_entry(MasterDataKind::TemperatureRange, "Terbalik") };
        assert_eq!(fields(fleet.make_entry(&acme.admin, cold).await.unwrap_err()), ["max_temperature below_minimum"]);
        assert_eq!(fields(fleet.make_entry(&acme.admin, new_entry(MasterDataKind::GpsModel, "X1")).await.unwrap_err()), ["parent_id required"]);
        assert_eq!(fields(fleet.make_entry(&acme.admin, MasterDataEntryInput { name: Some("Of no kind".to_owned()), ..Default::default() }).await.unwrap_err()), ["kind required"]);
        for name in ["Sales, East", "Sales; East"] {
            let group = new_entry(MasterDataKind::DeviceGroup, name);
            assert_eq!(fields(fleet.make_entry(&acme.admin, group).await.unwrap_err()), ["name separator"]);
            fleet.make_entry(&acme.admin, new_entry(MasterDataKind::Warehouse, name)).await?;
        }
        let far = MasterDataEntryInput { lat: Some(91.0), lng: Some(f64::INFINITY), ..new_entry(MasterDataKind::Warehouse, "Far") };
        assert_eq!(fields(fleet.make_entry(&acme.admin, far).await.unwrap_err()), ["lat too_large", "lng too_large"]);
        let brand = fleet.make_entry(&acme.admin, new_entry(MasterDataKind::VehicleBrand, "Karoseri Kita")).await?;
        let not_a_brand = in_parent(MasterDataKind::GpsModel, "X1", &brand);
        assert_eq!(fields(fleet.make_entry(&acme.admin, not_a_brand).await.unwrap_err()), ["parent_id unknown"]);

        let model = fleet.make_entry(&acme.admin, in_parent(MasterDataKind::VehicleModel, "Boks 6", &brand)).await?;
        assert_eq!((model.label.as_str(), model.parent.as_str()), ("Karoseri Kita Boks 6", "Karoseri Kita"));
        let renamed = MasterDataEntryInput { id: brand.id.clone(), name: Some("Karoseri Anda".to_owned()), ..Default::default() };
        fleet.change_entry(&acme.admin, renamed).await?;
        assert_eq!(fleet.entry(&acme.admin, &model.id).await?.label, "Karoseri Anda Boks 6");
        let other_kind = MasterDataEntryInput { id: brand.id.clone(), kind: Some(MasterDataKind::GpsBrand.into()), ..Default::default() };
        assert_eq!(fields(fleet.change_entry(&acme.admin, other_kind).await.unwrap_err()), ["kind not_changeable"]);
        fleet.running.stop().await
    }

    async fn entries_in_use_must_be_replaced_before_removal(kind: Kind) -> anyhow::Result<()> {
        let (fleet, acme, other) = two_companies(kind).await;
        let old = fleet.make_entry(&acme.admin, new_entry(MasterDataKind::VehicleBrand, "Lama")).await?;
        let new = fleet.make_entry(&acme.admin, new_entry(MasterDataKind::VehicleBrand, "Baru")).await?;
        let model = fleet.make_entry(&acme.admin, in_parent(MasterDataKind::VehicleModel, "Boks", &old)).await?;
        let device = fleet.create(&acme.admin, DeviceInput { vehicle_model_id: Some(model.id.clone()), ..new_device("Truk 1") }).await?;
        assert_eq!((device.vehicle_brand.as_str(), device.vehicle_model.as_str()), ("Lama", "Lama Boks"));

        assert_eq!(fleet.remove_entry(&acme.admin, &old.id).await.unwrap_err().code, "in_use");
        let usage = fleet.usage(&acme.admin, &old.id).await?;
        assert_eq!((usage.devices, usage.entries, usage.names), (1, 1, vec!["Truk 1".to_owned(), "Lama Boks".to_owned()]));
        let budi = acme.budi.grant.user_id.to_string();
        fleet.allow(&budi, &acme.id.to_string(), &[MASTER_DATA_LIST]).await;
        let of_others = fleet.usage(&acme.budi, &old.id).await?;
        assert_eq!((of_others.devices, of_others.names), (1, vec!["Lama Boks".to_owned()]), "names are of what one sees");
        let type_of_vehicle = fleet.known(&acme.admin, MasterDataKind::VehicleType, "Van").await?;
        assert_eq!(fields(fleet.replace(&acme.admin, &old.id, &type_of_vehicle.id).await.unwrap_err()), ["replacement_id unknown"]);
        assert_eq!(fields(fleet.replace(&acme.admin, &old.id, &old.id).await.unwrap_err()), ["replacement_id unknown"]);
        let theirs = fleet.make_entry(&other.admin, new_entry(MasterDataKind::VehicleBrand, "Asing")).await?;
        assert_eq!(fields(fleet.replace(&acme.admin, &old.id, &theirs.id).await.unwrap_err()), ["replacement_id unknown"]);

        let moved = fleet.replace(&acme.admin, &old.id, &new.id).await?;
        assert_eq!((moved.devices, moved.entries), (1, 1));
        let now = fleet.get(&acme.admin, &device.id).await?;
        assert_eq!((now.vehicle_brand.as_str(), now.vehicle_model.as_str()), ("Baru", "Baru Boks"));
        assert_eq!(now.row_version, device.row_version + 1);
        fleet.remove_entry(&acme.admin, &old.id).await?;
        assert_eq!(fleet.entry(&acme.admin, &old.id).await.unwrap_err(), Error::not_found());

        // Two of one name cannot be under one brand.
        let again = fleet.make_entry(&acme.admin, new_entry(MasterDataKind::VehicleBrand, "Lama")).await?;
        fleet.make_entry(&acme.admin, in_parent(MasterDataKind::VehicleModel, "BOKS", &again)).await?;
        assert_eq!(fleet.replace(&acme.admin, &again.id, &new.id).await.unwrap_err(), Error::taken("name"));
        // What all have is replaced by what all have, and by nobody else.
        let platforms = fleet.known(&fleet.owner, MasterDataKind::VehicleBrand, "Toyota").await?;
        assert_eq!(fleet.replace(&acme.admin, &platforms.id, &new.id).await.unwrap_err(), Error::not_found());
        assert_eq!(fields(fleet.replace(&fleet.owner, &platforms.id, &new.id).await.unwrap_err()), ["replacement_id unknown"]);
        fleet.running.stop().await
    }

    async fn a_device_is_of_the_brand_of_its_model_whatever_becomes_of_that(kind: Kind) -> anyhow::Result<()> {
        let (fleet, acme, _) = two_companies(kind).await;
        let admin = &acme.admin;
        for (brand, model, of_device) in [
            (MasterDataKind::VehicleBrand, MasterDataKind::VehicleModel, (|device| (device.vehicle_brand, device.vehicle_model)) as fn(Device) -> _),
            (MasterDataKind::GpsBrand, MasterDataKind::GpsModel, |device| (device.gps_brand, device.gps_model)),
        ] {
            let (old, new) = (fleet.make_entry(admin, new_entry(brand, "Lama")).await?, fleet.make_entry(admin, new_entry(brand, "Baru")).await?);
            let one = fleet.make_entry(admin, in_parent(model, "Boks", &old)).await?;
            let other = fleet.make_entry(admin, in_parent(model, "Bak", &new)).await?;
            let id = Some(one.id.clone());
            let input = match model {
                MasterDataKind::VehicleModel => DeviceInput { vehicle_model_id: id, ..new_device("Truk") },
                _ => DeviceInput { gps_model_id: id, ..new_device("Truk") },
            };
            let device = fleet.create(admin, input).await?;
            fleet.replace(admin, &one.id, &other.id).await?;
            let now = fleet.get(admin, &device.id).await?;
            assert_eq!(now.row_version, device.row_version + 1);
            assert_eq!(of_device(now), ("Baru".to_owned(), "Baru Bak".to_owned()));
            // The model goes to another brand, and its devices with it.
            let input = MasterDataEntryInput { id: other.id.clone(), parent_id: Some(old.id.clone()), ..MasterDataEntryInput::default() };
            fleet.change_entry(admin, input).await?;
            assert_eq!(of_device(fleet.get(admin, &device.id).await?), ("Lama".to_owned(), "Lama Bak".to_owned()));
        }
        fleet.running.stop().await
    }

    async fn model_entry_has_its_details(kind: Kind) -> anyhow::Result<()> {
        let (fleet, acme, _) = two_companies(kind).await;
        let admin = &acme.admin;
        let tracker = fleet.known(admin, MasterDataKind::GpsModel, "Teltonika FMB920").await?;
        let truck = fleet.known(admin, MasterDataKind::VehicleType, "Truk ringan").await?;
        let brand = fleet.known(admin, MasterDataKind::VehicleBrand, "Isuzu").await?;
        let model = MasterDataEntryInput { vehicle_type_id: Some(truck.id.clone()), fuel_capacity: Some(100), ..in_parent(MasterDataKind::VehicleModel, "Uji Coba", &brand) };
        let model = fleet.make_entry(admin, model).await?;
        let input = DeviceInput {
            gps_model_id: Some(tracker.id.clone()),
            vehicle_model_id: Some(model.id.clone()),
            password: Some("123456".to_owned()),
            capacity_volume: Some(12.5),
            capacity_weight: Some(4_000),
            has_hazmat_certificate: Some(true),
            license_expiry: Some("2027-05-01".to_owned()),
            ..new_device("Truk")
        };
        let device = fleet.create(admin, input).await?;
        assert_eq!((device.gps_brand.as_str(), device.gps_model.as_str(), device.gps_protocol.as_str()), ("Teltonika", "Teltonika FMB920", tracker.protocol.as_str()));
        assert_eq!((device.vehicle_brand.as_str(), device.vehicle_type.as_str(), device.fuel_capacity), ("Isuzu", "Truk ringan", 100));
        assert_eq!(device.icon_type(), DeviceIconType::Truck);
        assert_eq!((device.capacity_volume, device.capacity_weight, device.has_hazmat_certificate), (12.5, 4_000, true));
        assert!(device.has_password);

        // What was said by hand stays.
        let by_hand = DeviceInput { icon_type: Some(DeviceIconType::Van.into()), fuel_capacity: Some(80), vehicle_model_id: Some(model.id.clone()), ..new_device("Lain") };
        let by_hand = fleet.create(admin, by_hand).await?;
        assert_eq!((by_hand.icon_type(), by_hand.fuel_capacity), (DeviceIconType::Van, 80));
        assert!(!by_hand.has_password);

        let toyota = fleet.known(admin, MasterDataKind::VehicleBrand, "Toyota").await?;
        let other_brand = DeviceInput { vehicle_brand_id: Some(toyota.id.clone()), ..change(&device) };
        assert_eq!(fields(fleet.update(admin, other_brand.clone()).await.unwrap_err()), ["vehicle_model_id not_of_brand"]);
        let both = DeviceInput { vehicle_model_id: Some(String::new()), ..other_brand };
        let both = fleet.update(admin, both).await?;
        assert_eq!((both.vehicle_brand.as_str(), both.vehicle_model.as_str(), both.vehicle_model_id), ("Toyota", "", None));
        let no_password = fleet.update(admin, DeviceInput { password: Some(String::new()), ..change(&device) }).await?;
        assert!(!no_password.has_password);
        let wrong = DeviceInput { capacity_volume: Some(-1.0), password: Some("x".repeat(65)), license_expiry: Some("2027-02-30".to_owned()), vehicle_type_id: Some(brand.id), ..change(&device) };
        assert_eq!(fields(fleet.update(admin, wrong).await.unwrap_err()), ["capacity_volume too_small", "license_expiry invalid_date", "password too_long"]);
        let of_another_kind = DeviceInput { vehicle_type_id: Some(toyota.id.clone()), ..change(&device) };
        assert_eq!(fields(fleet.update(admin, of_another_kind).await.unwrap_err()), ["vehicle_type_id unknown"]);

        let by_brand = ListDevicesRequest { vehicle_brand_ids: vec![toyota.id], ..Default::default() };
        assert_eq!(fleet.device_names(admin, by_brand).await?, ["Truk"]);
        let by_tracker = ListDevicesRequest { gps_model_ids: vec![tracker.id], ..Default::default() };
        assert_eq!(fleet.device_names(admin, by_tracker).await?, ["Truk"]);
        fleet.running.stop().await
    }

    async fn groups_can_be_nested(kind: Kind) -> anyhow::Result<()> {
        let (fleet, acme, other) = two_companies(kind).await;
        let admin = &acme.admin;
        let java = fleet.make_entry(admin, new_entry(MasterDataKind::DeviceGroup, "Jawa")).await?;
        let west = fleet.make_entry(admin, in_parent(MasterDataKind::DeviceGroup, "Jawa Barat", &java)).await?;
        let bandung = fleet.make_entry(admin, in_parent(MasterDataKind::DeviceGroup, "Bandung", &west)).await?;
        let cold = fleet.make_entry(admin, new_entry(MasterDataKind::DeviceGroup, "Berpendingin")).await?;
        let circle = MasterDataEntryInput { id: java.id.clone(), parent_id: Some(bandung.id.clone()), ..Default::default() };
        assert_eq!(fields(fleet.change_entry(admin, circle).await.unwrap_err()), ["parent_id circular"]);

        let groups = |ids: &[&MasterDataEntry]| Some(ids.iter().map(|group| group.id.as_str()).collect::<Vec<_>>().join(", "));
        let truck = fleet.create(admin, DeviceInput { group_ids: groups(&[&bandung, &cold]), ..new_device("Truk") }).await?;
        assert_eq!((truck.groups.as_str(), truck.group_ids.split(',').count()), ("Bandung, Berpendingin", 2));
        fleet.create(admin, DeviceInput { group_ids: groups(&[&java]), ..new_device("Van") }).await?;
        fleet.create(admin, new_device("Lepas")).await?;
        let inside = |group: &MasterDataEntry| ListDevicesRequest { group_ids: vec![group.id.clone()], ..Default::default() };
        assert_eq!(fleet.device_names(admin, inside(&java)).await?, ["Truk", "Van"]);
        assert_eq!(fleet.device_names(admin, inside(&west)).await?, ["Truk"]);
        assert!(fleet.device_names(&other.admin, inside(&java)).await?.is_empty());
        let by_name = DeviceInput { group_ids: Some("jawa barat, BERPENDINGIN,".to_owned()), ..change(&truck) };
        assert_eq!(fleet.update(admin, by_name).await?.groups, "Jawa Barat, Berpendingin");
        let doubled = fleet.make_entry(admin, in_parent(MasterDataKind::DeviceGroup, "Berpendingin", &java)).await?;
        let ambiguous = DeviceInput { group_ids: Some("Berpendingin".to_owned()), ..change(&truck) };
        assert_eq!(fields(fleet.update(admin, ambiguous).await.unwrap_err()), ["group_ids ambiguous"]);
        fleet.remove_entry(admin, &doubled.id).await?;
        fleet.update(admin, DeviceInput { group_ids: groups(&[&bandung, &cold]), ..change(&truck) }).await?;
        let theirs = DeviceInput { group_ids: groups(&[&java]), ..new_device("Asing") };
        assert_eq!(fields(fleet.create(&other.admin, theirs).await.unwrap_err()), ["group_ids unknown"]);

        assert_eq!(fleet.remove_entry(admin, &bandung.id).await.unwrap_err().code, "in_use");
        fleet.replace(admin, &bandung.id, &cold.id).await?;
        fleet.remove_entry(admin, &bandung.id).await?;
        assert_eq!(fleet.get(admin, &truck.id).await?.groups, "Berpendingin");
        fleet.delete(admin, &truck.id, None).await?;
        fleet.remove_entry(admin, &cold.id).await?;
        fleet.running.stop().await
    }

    async fn the_groups_that_somebody_sees_are_those_of_their_devices(kind: Kind) -> anyhow::Result<()> {
        let (fleet, acme, other) = two_companies(kind).await;
        let admin = &acme.admin;
        let java = fleet.make_entry(admin, new_entry(MasterDataKind::DeviceGroup, "Jawa")).await?;
        let west = fleet.make_entry(admin, in_parent(MasterDataKind::DeviceGroup, "Jawa Barat", &java)).await?;
        let truck = DeviceInput { group_ids: Some(west.id.clone()), ..new_device("Truk") };
        let truck = fleet.create(admin, truck).await?;
        fleet.create(admin, DeviceInput { group_ids: Some(java.id.clone()), ..new_device("Van") }).await?;
        let named = |java: usize, west: usize| vec![("Jawa".to_owned(), java), ("Jawa Barat".to_owned(), west)];
        assert_eq!(fleet.grouped(admin).await?, named(1, 1));
        assert!(fleet.grouped(&other.admin).await?.is_empty());
        assert!(fleet.grouped(&acme.siti).await?.is_empty());
        fleet.link(&truck, &acme.siti, DeviceMemberRole::Viewer).await;
        assert_eq!(fleet.grouped(&acme.siti).await?, named(0, 1));
        fleet.running.stop().await
    }
}
