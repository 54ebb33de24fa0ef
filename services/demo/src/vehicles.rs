//! The vehicles of the demonstration: what they are, who drives them, and where to.
//!
//! An itinerary begins at home, goes over junctions of the network and leads home again. What a vehicle does at a
//! junction is said behind its name: `+` it fills up, `~` the driver rests, `#` it unloads. Times of departure are
//! hours and minutes after the midnight that a cycle begins with; those of the next day go on beyond 24:00.
//!
//! Trucks and buses of long distances carry the night, with vans and pickups for the markets of the morning; machines work
//! in shifts. At any hour some twenty vehicles move and a few idle.

use super::path::Class;

/// What moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A taxi, a rented car, or one of a company.
    Car,
    /// A van that delivers in towns.
    Van,
    /// A pickup that delivers in villages.
    Pickup,
    /// A truck between towns.
    Truck,
    /// A bus, of a town or between towns.
    Bus,
    /// A courier's motorcycle.
    Motorcycle,
    /// A machine on a building site.
    HeavyEquipment,
}

impl Kind {
    /// Its speed on a free road, against that of a car.
    pub(super) fn pace(self, class: Class) -> f64 {
        match (self, class) {
            (Self::Truck, Class::Toll) => 0.74,
            (Self::Truck, _) => 0.8,
            (Self::Bus, Class::Toll) => 0.95,
            (Self::Bus, _) => 0.85,
            (Self::Van | Self::Pickup, Class::Toll) => 0.9,
            (Self::Motorcycle, Class::Street) => 1.1,
            _ => 1.0,
        }
    }

    /// km/h that its company allows, which toll roads tempt it to exceed; 0 for a machine.
    pub const fn speed_limit(self) -> u32 {
        match self {
            Self::Car | Self::Van | Self::Pickup | Self::Bus => 80,
            Self::Truck => 62,
            Self::Motorcycle => 50,
            Self::HeavyEquipment => 0,
        }
    }

    /// m/s².
    pub const fn acceleration(self) -> f64 {
        match self {
            Self::Motorcycle => 2.0,
            Self::Car => 1.6,
            Self::Van | Self::Pickup => 1.3,
            Self::Bus => 0.9,
            Self::Truck => 0.6,
            Self::HeavyEquipment => 0.3,
        }
    }

    /// m/s².
    pub const fn braking(self) -> f64 {
        match self {
            Self::Motorcycle | Self::Car => 2.0,
            Self::Van | Self::Pickup => 1.7,
            Self::Bus | Self::Truck => 1.2,
            Self::HeavyEquipment => 0.5,
        }
    }

    /// The pull to the side that is borne in bends, m/s².
    pub(super) const fn sideways(self) -> f64 {
        match self {
            Self::Car | Self::Motorcycle => 2.2,
            Self::Van | Self::Pickup => 1.8,
            Self::Bus | Self::Truck => 1.3,
            Self::HeavyEquipment => 1.0,
        }
    }

    /// Whether it takes tolls: motorcycles must not, and who delivers in the villages has no use for them.
    pub(super) const fn takes_tolls(self) -> bool {
        !matches!(self, Self::Motorcycle | Self::Pickup)
    }

    /// At what part of its stops, but for filling stations, the engine runs on.
    pub(super) const fn waits_with_engine(self) -> f64 {
        match self {
            Self::Bus | Self::HeavyEquipment => 1.0,
            Self::Truck => 0.8,
            Self::Car => 0.5,
            Self::Van | Self::Pickup => 0.3,
            Self::Motorcycle => 0.0,
        }
    }

    /// Seconds of a call: at least and at most.
    pub(super) const fn call_seconds(self) -> (f64, f64) {
        match self {
            Self::Motorcycle => (120.0, 330.0),
            Self::Car => (90.0, 420.0),
            Self::Van => (240.0, 780.0),
            Self::Pickup => (420.0, 1_200.0),
            Self::Bus => (20.0, 50.0),
            Self::Truck => (600.0, 1_500.0),
            Self::HeavyEquipment => (600.0, 1_300.0),
        }
    }

    /// Litres of a full tank.
    pub const fn tank(self) -> f64 {
        match self {
            Self::Motorcycle => 4.6,
            Self::Car => 45.0,
            Self::Van | Self::Pickup => 55.0,
            Self::Bus => 280.0,
            Self::Truck => 380.0,
            Self::HeavyEquipment => 320.0,
        }
    }

    /// Litres of a metre. Machines use theirs while they stand and dig; it is counted by what they move.
    pub(super) const fn litres_per_metre(self) -> f64 {
        match self {
            Self::Motorcycle => 0.000_021,
            Self::Car => 0.000_085,
            Self::Van | Self::Pickup => 0.000_105,
            Self::Bus => 0.000_28,
            Self::Truck => 0.000_31,
            Self::HeavyEquipment => 0.045,
        }
    }

    /// Seconds between fixes with the engine on.
    pub(super) const fn interval(self) -> i64 {
        match self {
            Self::Motorcycle => 5,
            Self::Car | Self::Van | Self::Bus => 10,
            Self::Pickup => 15,
            Self::HeavyEquipment => 20,
            Self::Truck => 30,
        }
    }

    /// Seconds between fixes when parked.
    pub(super) const fn parked_interval(self) -> i64 {
        match self {
            Self::Motorcycle | Self::Car => 60,
            Self::Van | Self::Bus | Self::Pickup => 120,
            Self::HeavyEquipment | Self::Truck => 300,
        }
    }
}

/// The days on which a vehicle drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Days {
    All,
    /// Monday to Saturday.
    Work,
    /// Monday to Friday.
    Office,
}

/// What is odd about a vehicle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VehicleQuirk {
    /// Nothing.
    None,
    /// Its tracker has been silent since the day before the demonstration was made.
    Silent,
    /// Its tracker was never switched on.
    Never,
    /// Its driver presses the emergency button now and then.
    Sos,
    /// Its tracker loses the network every afternoon, and sends what it has gathered when it is back.
    Gap,
    /// Now and then somebody takes fuel out of its tank at night.
    Siphoned,
}

/// A vehicle and what it does.
#[derive(Debug, Clone, Copy)]
pub struct Vehicle {
    /// What its tenant calls it.
    pub name: &'static str,
    /// What stands on its plates.
    pub plate: &'static str,
    /// What it is.
    pub kind: Kind,
    pub(super) model: &'static str,
    pub(super) driver: &'static str,
    /// Days of a cycle, and the hour at which it begins.
    pub(super) cycle: (i64, i64),
    pub(super) days: Days,
    /// Calls on each tour.
    pub(super) calls: usize,
    pub(super) itinerary: &'static str,
    /// Each one drives the itinerary once.
    pub(super) departures: &'static [&'static str],
    /// What is odd about it.
    pub quirk: VehicleQuirk,
}

/// The day on which the present timetable began. Demonstrations that were made earlier go on with it.
pub(super) const TIMETABLE_SINCE: i64 = 328;
/// The tours that each had driven by then, with those of its last cycle: so no odometer of theirs goes back.
pub(super) const TOURS_BEFORE: [i64; 50] = [
    1974, 1645, 1645, 1645, 1974, 1645, 1410, 1645, 987, 846, 987, 846, 987, 987, 846, 987, 984, 987, 846, 987, 987,
    987, 987, 656, 1316, 2296, 2296, 235, 1128, 1645, 1316, 846, 658, 1316, 328, 164, 282, 164, 658, 282, 656, 846,
    656, 3936, 1316, 164, 1974, 658, 564, 658,
];

macro_rules! fleet {
    ($($kind:ident $days:ident $cycle:tt $calls:literal $quirk:ident
       $name:literal $plate:literal $model:literal $driver:literal $itinerary:literal [$($departure:literal)*];)*) => {
        /// All of them. The place in this list is part of the IMEI: add at the end only.
        pub const FLEET: [Vehicle; 50] = [$(Vehicle {
            name: $name, plate: $plate, kind: Kind::$kind, model: $model, driver: $driver, cycle: $cycle,
            days: Days::$days, calls: $calls, itinerary: $itinerary, departures: &[$($departure),*],
            quirk: VehicleQuirk::$quirk,
        }),*];
    };
}

fleet! {
    Motorcycle All (1, 14) 4 None "Kurir Jakarta Pusat" "B 3417 TKR" "Honda Vario 125" "Ahmad Fauzi"
        "Sarinah TanahAbang Harmoni Kota Ancol Senen TuguTani"
        ["14:40" "15:40" "16:40" "17:50" "19:00" "20:00" "21:00" "22:00" "23:00" "24:00" "25:00" "26:00" "27:00" "28:00"
        "29:00" "30:00" "31:00" "32:20" "33:20" "34:20" "35:20"];
    Motorcycle All (1, 8) 4 None "Kurir Jakarta Selatan" "B 6208 SHC" "Yamaha NMAX 155" "Muhammad Rizky Siregar"
        "BlokM Kemang Ampera Fatmawati BundaranSenayan"
        ["09:00" "10:00" "11:00" "12:00" "13:00" "14:10" "15:10" "16:10" "17:20" "18:40" "19:50" "20:50" "21:50" "22:50"
        "23:50" "24:50" "25:50" "26:50"];
    Motorcycle All (1, 6) 4 Sos "Kurir Jakarta Timur" "B 4591 UDN" "Honda BeAT" "Slamet Riyanto"
        "Rawamangun Pulogadung KelapaGading CempakaPutih Senen Matraman"
        ["06:30" "07:40" "09:00" "10:10" "11:20" "12:30" "13:40" "14:50" "15:50" "17:00" "18:30" "19:40" "20:50"
        "21:50"];
    Motorcycle All (1, 8) 4 None "Kurir Bandung" "D 5126 ZKA" "Honda Scoopy" "Asep Sunandar"
        "Gasibu Cihampelas SimpangDago AlunAlunBandung Kiaracondong Cicaheum"
        ["09:00" "10:10" "11:20" "12:30" "13:40" "14:50" "16:00" "17:20" "18:50" "20:00" "21:00" "22:10" "23:10"
        "24:20"];
    Motorcycle All (1, 8) 4 None "Kurir Surabaya" "L 3380 NW" "Yamaha Aerox 155" "Moch. Choirul Anam"
        "Tunjungan Keputran MERR ITS MERR Rungkut Wonokromo"
        ["09:00" "10:10" "11:20" "12:40" "14:00" "15:20" "16:40" "18:20" "19:50" "21:00" "22:20" "23:30" "24:40" "25:50"
        "27:00"];
    Motorcycle All (1, 6) 4 None "Kurir Yogyakarta" "AB 2745 QF" "Honda Vario 160" "Bagus Prasetyo Nugroho"
        "TuguJogja TitikNol BlokO Janti CondongCatur Kentungan"
        ["07:00" "08:20" "09:30" "10:30" "11:30" "12:30" "13:30" "14:30" "15:30" "16:40" "18:00" "19:20" "20:20"];
    Motorcycle All (1, 6) 4 None "Kurir Semarang" "H 4913 BLG" "Suzuki Address" "Dwi Hartanto"
        "SimpangLima TuguMuda KotaLama Majapahit"
        ["07:00" "08:10" "09:10" "10:10" "11:00" "12:00" "13:00" "14:00" "15:00" "16:00" "17:00" "18:10" "19:20" "20:20"
        "21:10"];
    Motorcycle All (1, 10) 4 None "Kurir Denpasar" "DK 6472 ACE" "Honda PCX 160" "I Wayan Sudarma"
        "Denpasar Sanur Tohpati Ubung"
        ["10:30" "12:00" "13:30" "15:00" "16:30" "18:30" "20:00" "21:20" "22:40" "24:00" "25:20" "26:40" "28:00"
        "29:20"];
    Van All (1, 20) 2 None "Boks Jakarta Barat" "B 9124 KCD" "Daihatsu Gran Max Blind Van" "Hendra Gunawan"
        "Grogol Slipi Semanggi Kuningan Pancoran Cawang Jatinegara Senen Harmoni TanahAbang"
        ["20:30" "22:00" "23:30" "24:50" "26:20" "27:40" "29:00" "30:20" "32:00" "33:40" "35:10" "36:40"];
    Van All (1, 14) 2 None "Boks Bekasi" "B 9536 FXR" "Suzuki Carry Futura" "Yohanes Lalu Bere"
        "Cikarang Cibitung BekasiTimur BekasiKota BekasiBarat Karawang"
        ["14:30" "16:00" "17:30" "19:10" "20:40" "22:10" "23:30" "25:00" "26:30" "28:00" "29:20" "30:50" "32:20"
        "33:50"];
    Van All (1, 0) 2 None "Boks Bogor" "F 8217 HB" "Mitsubishi Colt L300" "Ujang Hidayat"
        "WarungJambu Cibinong Baranangsiang"
        ["00:40" "01:50" "03:00" "04:10" "05:20" "06:30" "07:50" "09:10" "10:20" "11:30" "12:50" "14:00" "15:10"
        "16:20"];
    Van All (1, 13) 2 None "Boks Tangerang" "B 9871 CVT" "Isuzu Traga" "Markus Wenda"
        "Karawaci TangerangKota Kalideres Grogol Tomang KebonJeruk"
        ["14:00" "15:30" "17:00" "19:00" "20:30" "22:00" "23:30" "25:00" "26:30" "28:00" "29:30" "31:00" "32:50"];
    Van All (1, 8) 2 None "Boks Bandung Timur" "D 8340 EV" "Daihatsu Gran Max Pickup" "Dadang Kosasih"
        "Gedebage Cibiru BuahBatu Leuwipanjang Kopo BuahBatuTol"
        ["09:00" "10:30" "12:00" "13:30" "14:50" "16:20" "18:10" "19:40" "21:00" "22:20" "23:40"];
    Van All (1, 19) 2 None "Boks Surabaya" "L 8752 UH" "Toyota Hiace Commuter" "Abdul Wahid Hasyim"
        "Rungkut MERR Keputran Wonokromo Waru Sidoarjo"
        ["20:00" "21:40" "23:20" "24:50" "26:30" "28:10" "29:50" "31:40" "33:40" "35:20"];
    Van All (1, 1) 2 None "Boks Semarang" "H 8496 RG" "Suzuki APV" "Agus Setiawan"
        "Krapyak Kalibanteng SimpangLima Pedurungan Kaligawe"
        ["01:30" "02:50" "04:10" "05:30" "07:00" "08:50" "10:20" "11:40" "13:10" "14:40" "16:10" "18:00"];
    Van All (1, 14) 2 None "Boks Medan" "BK 8165 LO" "Isuzu Traga" "Togar Simanjuntak"
        "Amplas LapanganMerdeka Petisah Sunggal Binjai"
        ["14:40" "16:50" "19:40" "21:40" "23:40" "25:40" "27:40" "29:40" "31:50"];
    Van All (1, 0) 7 Silent "Boks Makassar" "DD 8709 KT" "Daihatsu Gran Max Pickup" "Andi Baso Rahman"
        "Daya Mandai Maros" ["07:30" "10:20" "13:20"];
    Pickup All (1, 19) 1 None "Pikap Cirebon" "E 8093 KM" "Suzuki Carry Pickup" "Carsim"
        "CirebonKota Ciperna CirebonKota Palimanan"
        ["19:50" "21:10" "22:30" "23:50" "25:10" "26:30" "27:50" "29:10" "30:30" "32:20" "33:50" "35:10"];
    Pickup All (1, 15) 1 None "Pikap Solo" "AD 8624 DU" "Mitsubishi Colt L300" "Joko Susilo"
        "Purwosari Gladag Jebres Kartasura Klaten" ["15:30" "18:30" "20:50" "23:00" "25:10" "27:10" "29:20" "31:40"];
    Pickup All (1, 0) 1 None "Pikap Malang" "N 8351 CB" "Daihatsu Gran Max Pickup" "Imam Syafi'i"
        "AlunAlunMalang Arjosari Singosari"
        ["01:00" "01:50" "02:40" "03:30" "04:30" "05:20" "06:10" "07:10" "08:30" "09:30" "10:30" "11:30" "12:30" "13:30"
        "14:30" "15:30" "16:30"];
    Pickup All (1, 19) 1 None "Pikap Deli Serdang" "BK 9043 MX" "Isuzu Traga" "Parlindungan Nasution"
        "TanjungMorawa LubukPakam Perbaungan"
        ["19:20" "20:50" "22:20" "23:50" "25:20" "26:50" "28:20" "29:50" "31:30" "33:30" "35:10"];
    Pickup All (1, 3) 1 None "Pikap Gowa" "DD 8218 QA" "Toyota Hilux" "Daeng Rewa"
        "Sungguminasa Alauddin Boulevard Karebosi"
        ["03:30" "04:30" "05:30" "06:30" "07:40" "09:00" "10:00" "11:00" "12:00" "13:00" "14:00" "15:00" "16:00"
        "17:10"];
    Pickup All (1, 0) 1 None "Pikap Tabanan" "DK 9307 GH" "Suzuki Carry Pickup" "I Made Suartana"
        "Tabanan Mengwi Ubung"
        ["00:30" "01:30" "02:30" "03:30" "04:30" "05:30" "06:30" "07:50" "09:10" "10:20" "11:30" "12:40" "13:50"
        "15:00"];
    Pickup All (1, 0) 5 Never "Pikap Bantul" "AB 8472 KJ" "Daihatsu Gran Max Pickup" "Sukirman"
        "Dongkelan Giwangan Prambanan Klaten" ["07:30" "13:00"];
    Car All (1, 2) 8 None "Taksi Jakarta 1" "B 1275 UTX" "Toyota Transmover" "Rudi Hermawan"
        "Menteng Kuningan Semanggi BlokM BundaranSenayan Harmoni Grogol SoekarnoHatta"
        ["02:40" "05:10" "07:40" "10:30" "13:10" "15:50" "18:50" "21:20"];
    Car All (1, 14) 6 None "Taksi Jakarta 2" "B 1348 UTX" "Toyota Transmover" "Samuel Tuhumury"
        "Senen Sarinah BlokM Kemang Pancoran Kuningan Semanggi"
        ["14:20" "16:10" "18:20" "20:10" "21:50" "23:30" "25:20" "27:10" "28:50" "30:30" "32:40" "34:30"];
    Car All (1, 15) 6 None "Taksi Jakarta 3" "B 1409 UTX" "Toyota Limo" "Fransiskus Xaverius Manek"
        "Kota Harmoni Tomang SoekarnoHatta"
        ["15:10" "17:00" "19:10" "21:00" "22:40" "24:20" "26:10" "28:00" "29:40" "31:30" "33:30" "35:20"];
    Car Office (1, 0) 2 None "Operasional Bandung" "D 1862 AJG" "Toyota Innova Zenix" "Neneng Komariah"
        "SimpangDago Gasibu PasteurTol Cawang Semanggi~ Cawang PasteurTol" ["06:10"];
    Car All (1, 6) 4 None "Operasional Surabaya" "L 1094 AAK" "Honda HR-V" "Lie Wei Ming"
        "HRMuhammad Citraland Satelit Keputran TuguPahlawan TanjungPerak"
        ["06:50" "08:40" "10:10" "11:30" "13:00" "14:30" "15:50"];
    Car All (1, 7) 4 None "Rental Kuta" "DK 1537 FCB" "Toyota Avanza" "Ni Luh Putu Ayu Lestari"
        "Seminyak SimpangSiur NgurahRai NusaDua Jimbaran"
        ["08:00" "09:50" "11:30" "13:10" "14:50" "16:20" "18:20" "20:00" "21:30" "23:00" "24:30" "26:00" "27:30"];
    Car All (1, 6) 4 None "Rental Ubud" "DK 1780 KBV" "Suzuki Ertiga" "I Gusti Ngurah Oka"
        "Sanur Tohpati Sukawati Ubud" ["07:00" "09:10" "10:50" "12:40" "14:30" "16:20" "18:40" "20:30"];
    Car All (1, 7) 4 None "Operasional Medan" "BK 1659 ADV" "Mitsubishi Xpander" "Ucok Hasibuan"
        "Petisah LapanganMerdeka Amplas LubukPakam" ["07:50" "09:30" "11:00" "12:40" "14:20" "15:50"];
    Car All (1, 4) 3 None "Rental Yogyakarta" "AB 1923 YE" "Toyota Avanza" "Raden Wisnu Kusumo"
        "Adisucipto Galeria TitikNol TuguJogja Jombor Magelang" ["05:00" "08:10" "11:20" "14:40" "18:20"];
    Car All (1, 6) 4 None "Operasional Makassar" "DD 1486 XS" "Daihatsu Xenia" "Nurhayati Daeng Kanang"
        "Mandai Daya Unhas BundaranPettarani Karebosi" ["07:00" "09:00" "10:30" "12:10" "13:50" "15:30" "17:10" "19:20"];
    Truck All (1, 14) 0 None "Truk Priok-Semarang" "B 9027 TEU" "Hino Ranger FM 260 JD" "Supriyadi"
        "TanjungPriok Palimanan+ Krapyak# Brebes~" ["14:30"];
    Truck All (3, 12) 0 None "Truk Cikarang-Surabaya" "B 9483 FEV" "Mitsubishi Fuso Fighter FN 62 F" "Teuku Iskandar"
        "Cikarang Kertajati~ Pekalongan+ Sragen~ Waru# Boyolali~ Pemalang+ Kertajati~" ["16:30" "49:00"];
    Truck All (1, 17) 0 None "Truk Perak-Semarang" "L 9158 UZ" "Isuzu Giga FVZ 34" "Achmad Suhaimi"
        "TanjungPerak Dupak Madiun~ Banyumanik# Sragen+" ["17:30"];
    Truck All (3, 12) 0 Gap "Truk Surabaya-Cikarang" "L 9702 UK" "Hino Ranger FL 235" "Zainal Arifin"
        "Waru Madiun~ Salatiga+ Pekalongan~ Cikarang# Pejagan~ Weleri+ Ngawi~" ["13:30" "46:00"];
    Truck All (1, 10) 0 None "Truk Cakung-Merak" "B 9316 UXT" "UD Trucks Quester CWE 280" "Gede Arya Putra"
        "Cakung Cikunir Tomang Balaraja+ Merak# SerangTimur~" ["10:20" "17:20" "24:10"];
    Truck All (1, 16) 0 None "Truk Bandung-Priok" "D 9261 AE" "Mitsubishi Fuso Canter FE 74" "Cecep Supriatna"
        "Gedebage Cileunyi Padalarang+ Karawang~ TanjungPriok# Karawang~" ["16:30" "25:00"];
    Truck All (1, 10) 0 None "Truk Belawan-Tebing Tinggi" "BK 9574 CN" "Hino Dutro 130 HD" "Marolop Sitorus"
        "Belawan Amplas LubukPakam+ TebingTinggi#" ["11:00" "15:50" "21:00" "25:40"];
    Truck Work (1, 0) 0 Siphoned "Truk Semarang-Salatiga" "H 9805 OG" "Isuzu Elf NMR 71" "Budi Santoso"
        "Kaligawe Majapahit SimpangLima Jatingaleh Ungaran+ Salatiga#" ["01:00" "07:30" "13:30"];
    Truck All (1, 12) 0 None "Truk Malang-Perak" "N 9440 UR" "Mitsubishi Fuso Canter FE 74" "Mat Hosen"
        "Singosari Gempol+ Waru Dupak TanjungPerak# Sidoarjo~" ["13:00" "17:50" "22:50" "27:30"];
    Bus All (1, 3) 22 None "Bus Kota-Blok M" "B 7062 TGD" "Mercedes-Benz OH 1626" "La Ode Hamzah"
        "Kota Harmoni PatungKuda BundaranHI Semanggi BlokM Semanggi BundaranHI Harmoni"
        ["04:10" "05:30" "06:50" "08:40" "10:00" "11:20" "12:50" "14:20" "15:40" "17:10" "19:00" "20:30" "21:50" "23:10"
        "24:30"];
    Bus All (1, 10) 4 None "Bus Bandung-Jakarta" "D 7593 AF" "Hino RK8 R260" "Engkos Koswara"
        "Leuwipanjang Pasirkoja Karawang Cawang~ Karawang Pasirkoja" ["11:00" "15:40" "20:30" "24:50"];
    Bus All (1, 14) 2 None "Bus Malam Yogyakarta-Jakarta" "AB 7318 AS" "Scania K 360 IB" "Suparman"
        "Giwangan Janti Kartasura Boyolali Pekalongan~ Kertajati+ PasarRebo# Kertajati~ Pekalongan+ Boyolali Janti"
        ["14:20"];
    Bus All (1, 8) 6 None "Bus Surabaya-Malang" "L 7845 UA" "Hino RK8 R260" "Sugeng Prayitno"
        "Waru Gempol Singosari Arjosari~ Singosari+ Gempol" ["08:30" "11:40" "14:40" "17:40" "20:50" "23:40" "26:40"];
    Bus All (1, 11) 8 None "Bus Semarang-Yogyakarta" "H 7126 DC" "Mercedes-Benz OF 1623" "Yakobus Mote"
        "Banyumanik Bawen Magelang Jombor~ Magelang+ Bawen" ["12:00" "18:10" "24:10"];
    HeavyEquipment All (1, 4) 14 None "Ekskavator Cikarang" "ALB-EX 07" "Komatsu PC200-8" "Kristoforus Djami"
        "Cikarang" ["05:00" "09:00" "13:00" "17:00" "21:00"];
    HeavyEquipment All (1, 8) 14 None "Buldoser Citraland" "ALB-DZ 03" "Caterpillar D6R" "Hasanuddin"
        "Citraland" ["09:00" "13:10" "17:00" "20:50" "24:40"];
}
