//! What the platform has for every tenant from the beginning: what is driven and sold in Indonesia, and the trackers that
//! are built into it. Names stand in Indonesian where they are not those of makers.

use std::collections::HashMap;

use armada_proto::{Choice, MasterDataId, Timestamp, v1::DeviceIconType, v1::MasterDataKind};
use armada_runtime::text::{search_key, sort_key};
use sea_orm::{
    ConnectionTrait, DbErr, Value,
    sea_query::{Expr, Query},
};

/// Columns: protocol, port, description.
const PROTOCOLS: &str = include_str!("seed/protocols.tsv");
/// Columns: brand, model, protocol, port, what it reports.
const TRACKERS: &str = include_str!("seed/trackers.tsv");
/// Columns: brand, model, vehicle type, litres in the tank.
const VEHICLES: &str = include_str!("seed/vehicles.tsv");
/// Rows of one statement: with their columns below what SQLite takes as parameters.
const ROWS_AT_ONCE: usize = 200;

const VEHICLE_TYPES: [(&str, DeviceIconType); 19] = [
    ("Bulldozer", DeviceIconType::HeavyEquipment),
    ("Bus besar", DeviceIconType::Bus),
    ("Bus sedang", DeviceIconType::Bus),
    ("Dump truck", DeviceIconType::Truck),
    ("Ekskavator", DeviceIconType::HeavyEquipment),
    ("Forklift", DeviceIconType::HeavyEquipment),
    ("Hatchback", DeviceIconType::Car),
    ("Kepala traktor", DeviceIconType::Truck),
    ("Mikrobus", DeviceIconType::Van),
    ("MPV", DeviceIconType::Car),
    ("Pikap", DeviceIconType::Pickup),
    ("Sedan", DeviceIconType::Car),
    ("Sepeda motor", DeviceIconType::Motorcycle),
    ("SUV", DeviceIconType::Car),
    ("Truk berat", DeviceIconType::Truck),
    ("Truk ringan", DeviceIconType::Truck),
    ("Truk sedang", DeviceIconType::Truck),
    ("Van", DeviceIconType::Van),
    ("Wheel loader", DeviceIconType::HeavyEquipment),
];
const VEHICLE_STATUSES: [&str; 7] =
    ["Cadangan", "Dalam perawatan", "Dalam perbaikan", "Disewakan", "Operasional", "Terjual", "Tidak beroperasi"];
const DEVICE_CATEGORIES: [&str; 9] = [
    "Alat berat",
    "Ambulans dan darurat",
    "Angkutan penumpang",
    "Antar jemput karyawan",
    "Distribusi",
    "Layanan lapangan",
    "Operasional kantor",
    "Pertambangan",
    "Sewa kendaraan",
];
const CARGO_CATEGORIES: [&str; 16] = [
    "Air minum",
    "Bahan bakar",
    "Bahan bangunan",
    "Bahan berbahaya dan beracun (B3)",
    "Bahan kimia",
    "Barang beku",
    "Barang elektronik",
    "Barang umum",
    "Farmasi",
    "Hasil pertanian",
    "Hasil tambang",
    "Kendaraan",
    "Makanan dan minuman",
    "Paket dan dokumen",
    "Peti kemas",
    "Ternak",
];
/// With their ends in °C.
const TEMPERATURE_RANGES: [(&str, f64, f64); 6] = [
    ("Beku", -25.0, -18.0),
    ("Es krim", -30.0, -20.0),
    ("Daging dan ikan segar", 0.0, 4.0),
    ("Obat dan vaksin", 2.0, 8.0),
    ("Sayur dan buah", 4.0, 12.0),
    ("Suhu ruang terkendali", 15.0, 25.0),
];

/// An entry, before it has a place in the table.
#[derive(Default)]
struct Entry {
    kind: MasterDataKind,
    name: String,
    /// The name of its brand before its own.
    label: Option<String>,
    parent: Option<MasterDataId>,
    protocol: Option<MasterDataId>,
    vehicle_type: Option<MasterDataId>,
    port: i32,
    reports: String,
    icon: DeviceIconType,
    tank: i32,
    range: (f64, f64),
    description: String,
}

/// Entries by their ids, in the order in which they came.
#[derive(Default)]
struct Seed {
    entries: Vec<(MasterDataId, Entry)>,
    by_name: HashMap<(MasterDataKind, String), MasterDataId>,
}

impl Seed {
    fn add(&mut self, entry: Entry) -> MasterDataId {
        let id = MasterDataId::new();
        self.by_name.insert((entry.kind, entry.name.clone()), id);
        self.entries.push((id, entry));
        id
    }

    /// The id of a name, which is added when nothing has it.
    fn named(&mut self, kind: MasterDataKind, name: &str) -> MasterDataId {
        match self.by_name.get(&(kind, name.to_owned())) {
            Some(id) => *id,
            None => self.add(Entry { kind, name: name.to_owned(), ..Entry::default() }),
        }
    }

    fn add_named(&mut self, kind: MasterDataKind, names: &[&str]) {
        for name in names {
            self.named(kind, name);
        }
    }
}

/// Writes what the platform has.
pub async fn insert(connection: &impl ConnectionTrait) -> Result<(), DbErr> {
    let now = Timestamp::now().millis();
    for entries in entries().chunks(ROWS_AT_ONCE) {
        let mut insert = Query::insert();
        insert.into_table("master_data").columns(COLUMNS);
        for (id, entry) in entries {
            insert.values_panic(values(*id, entry, now).map(Expr::val));
        }
        connection.execute(&insert).await?;
    }
    Ok(())
}

const COLUMNS: [&str; 21] = [
    "id",
    "kind",
    "name",
    "name_folded",
    "label",
    "label_folded",
    "parent_id",
    "protocol_id",
    "vehicle_type_id",
    "port",
    "reports",
    "icon_type",
    "fuel_capacity",
    "min_temperature",
    "max_temperature",
    "address",
    "description",
    "search",
    "row_version",
    "created_at",
    "updated_at",
];

fn values(id: MasterDataId, entry: &Entry, now: i64) -> [Value; 21] {
    let label = entry.label.as_ref().unwrap_or(&entry.name);
    [
        id.into(),
        entry.kind.name().into(),
        entry.name.clone().into(),
        sort_key(&entry.name).into(),
        label.clone().into(),
        sort_key(label).into(),
        entry.parent.into(),
        entry.protocol.into(),
        entry.vehicle_type.into(),
        entry.port.into(),
        entry.reports.clone().into(),
        entry.icon.name().into(),
        entry.tank.into(),
        entry.range.0.into(),
        entry.range.1.into(),
        "".into(),
        entry.description.clone().into(),
        search_key(&format!("{label}\n\n{}", entry.description)).into(),
        1.into(),
        now.into(),
        now.into(),
    ]
}

fn entries() -> Vec<(MasterDataId, Entry)> {
    let mut seed = Seed::default();
    seed.add_named(MasterDataKind::VehicleStatus, &VEHICLE_STATUSES);
    seed.add_named(MasterDataKind::DeviceCategory, &DEVICE_CATEGORIES);
    seed.add_named(MasterDataKind::CargoCategory, &CARGO_CATEGORIES);
    for (name, least, most) in TEMPERATURE_RANGES {
        let (kind, name) = (MasterDataKind::TemperatureRange, name.to_owned());
        seed.add(Entry { kind, name, range: (least, most), ..Entry::default() });
    }
    for (name, icon) in VEHICLE_TYPES {
        seed.add(Entry { kind: MasterDataKind::VehicleType, name: name.to_owned(), icon, ..Entry::default() });
    }
    for [name, port, description] in rows(PROTOCOLS) {
        let (kind, name, description) = (MasterDataKind::GpsProtocol, name.to_owned(), description.to_owned());
        seed.add(Entry { kind, name, port: number(port), description, ..Entry::default() });
    }
    for [brand, model, protocol, port, reports] in rows(TRACKERS) {
        let parent = Some(seed.named(MasterDataKind::GpsBrand, brand));
        let protocol = Some(seed.named(MasterDataKind::GpsProtocol, protocol));
        seed.add(Entry {
            kind: MasterDataKind::GpsModel,
            name: model.to_owned(),
            label: Some(format!("{brand} {model}")),
            parent,
            protocol,
            port: number(port),
            reports: reports.replace(',', ", "),
            ..Entry::default()
        });
    }
    for [brand, model, vehicle_type, tank] in rows(VEHICLES) {
        let parent = Some(seed.named(MasterDataKind::VehicleBrand, brand));
        let vehicle_type = Some(seed.named(MasterDataKind::VehicleType, vehicle_type));
        seed.add(Entry {
            kind: MasterDataKind::VehicleModel,
            name: model.to_owned(),
            label: Some(format!("{brand} {model}")),
            parent,
            vehicle_type,
            tank: number(tank),
            ..Entry::default()
        });
    }
    seed.entries
}

/// The lines of a table but for its head.
fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    table.lines().skip(1).filter_map(|line| {
        let cells: Vec<_> = line.split('\t').collect();
        cells.try_into().ok()
    })
}

fn number(cell: &str) -> i32 {
    cell.parse().unwrap_or_default()
}
