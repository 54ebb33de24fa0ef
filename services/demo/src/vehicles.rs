//! The vehicles of the demonstration: what they are, who drives them, and where to.
//!
//! An itinerary begins at home, goes over junctions of the network and leads home again. What a vehicle does at a
//! junction is said behind its name: `+` it fills up, `~` the driver rests, `#` it unloads. Times of departure are
//! hours and minutes after the midnight that a cycle begins with; those of the next day go on beyond 24:00.

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

    /// Whether the engine runs on at stops.
    pub(super) const fn waits_with_engine(self) -> bool {
        matches!(self, Self::Bus | Self::HeavyEquipment)
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
            Self::HeavyEquipment => (300.0, 1_100.0),
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
    Motorcycle All (1, 0) 12 None "Kurir Jakarta Pusat" "B 3417 TKR" "Honda Vario 125" "Ahmad Fauzi"
        "Sarinah TanahAbang Harmoni Kota Ancol Senen TuguTani" ["07:30" "09:40" "12:40" "15:00" "17:20" "19:40"];
    Motorcycle All (1, 0) 11 None "Kurir Jakarta Selatan" "B 6208 SHC" "Yamaha NMAX 155" "Muhammad Rizky Siregar"
        "BlokM Kemang Ampera Fatmawati BundaranSenayan" ["08:00" "10:10" "13:00" "15:10" "18:10"];
    Motorcycle All (1, 0) 12 Sos "Kurir Jakarta Timur" "B 4591 UDN" "Honda BeAT" "Slamet Riyanto"
        "Rawamangun Pulogadung KelapaGading CempakaPutih Senen Matraman" ["08:20" "10:40" "13:10" "15:20" "17:30"];
    Motorcycle All (1, 0) 11 None "Kurir Bandung" "D 5126 ZKA" "Honda Scoopy" "Asep Sunandar"
        "Gasibu Cihampelas SimpangDago AlunAlunBandung Kiaracondong Cicaheum"
        ["08:10" "10:20" "12:50" "14:50" "16:50"];
    Motorcycle All (1, 0) 11 None "Kurir Surabaya" "L 3380 NW" "Yamaha Aerox 155" "Moch. Choirul Anam"
        "Tunjungan Keputran MERR ITS MERR Rungkut Wonokromo" ["07:50" "10:10" "13:20" "15:30" "17:40" "20:00"];
    Motorcycle All (1, 0) 10 None "Kurir Yogyakarta" "AB 2745 QF" "Honda Vario 160" "Bagus Prasetyo Nugroho"
        "TuguJogja TitikNol BlokO Janti CondongCatur Kentungan" ["08:30" "10:50" "13:00" "15:00" "17:00"];
    Motorcycle Work (1, 0) 10 None "Kurir Semarang" "H 4913 BLG" "Suzuki Address" "Dwi Hartanto"
        "SimpangLima TuguMuda KotaLama Majapahit" ["08:00" "10:10" "12:30" "14:40" "16:40"];
    Motorcycle All (1, 0) 10 None "Kurir Denpasar" "DK 6472 ACE" "Honda PCX 160" "I Wayan Sudarma"
        "Denpasar Sanur Tohpati Ubung" ["07:20" "09:50" "12:10" "14:30" "17:00"];
    Van All (1, 0) 9 None "Boks Jakarta Barat" "B 9124 KCD" "Daihatsu Gran Max Blind Van" "Hendra Gunawan"
        "Grogol Slipi Semanggi Kuningan Pancoran Cawang Jatinegara Senen Harmoni TanahAbang"
        ["08:30" "11:50" "15:10"];
    Van Work (1, 0) 8 None "Boks Bekasi" "B 9536 FXR" "Suzuki Carry Futura" "Yohanes Lalu Bere"
        "Cikarang Cibitung BekasiTimur BekasiKota BekasiBarat Karawang" ["07:40" "10:40" "14:00"];
    Van All (1, 0) 8 None "Boks Bogor" "F 8217 HB" "Mitsubishi Colt L300" "Ujang Hidayat"
        "WarungJambu Cibinong Baranangsiang" ["08:00" "10:40" "13:30"];
    Van Work (1, 0) 8 None "Boks Tangerang" "B 9871 CVT" "Isuzu Traga" "Markus Wenda"
        "Karawaci TangerangKota Kalideres Grogol Tomang KebonJeruk" ["08:10" "11:10" "14:30"];
    Van All (1, 0) 8 None "Boks Bandung Timur" "D 8340 EV" "Daihatsu Gran Max Pickup" "Dadang Kosasih"
        "Gedebage Cibiru BuahBatu Leuwipanjang Kopo BuahBatuTol" ["08:20" "11:10" "14:10"];
    Van All (1, 0) 8 None "Boks Surabaya" "L 8752 UH" "Toyota Hiace Commuter" "Abdul Wahid Hasyim"
        "Rungkut MERR Keputran Wonokromo Waru Sidoarjo" ["08:00" "11:20" "14:40"];
    Van Work (1, 0) 7 None "Boks Semarang" "H 8496 RG" "Suzuki APV" "Agus Setiawan"
        "Krapyak Kalibanteng SimpangLima Pedurungan Kaligawe" ["08:30" "11:20" "14:20"];
    Van All (1, 0) 7 None "Boks Medan" "BK 8165 LO" "Isuzu Traga" "Togar Simanjuntak"
        "Amplas LapanganMerdeka Petisah Sunggal Binjai" ["08:00" "11:50" "15:30"];
    Van All (1, 0) 7 Silent "Boks Makassar" "DD 8709 KT" "Daihatsu Gran Max Pickup" "Andi Baso Rahman"
        "Daya Mandai Maros" ["07:30" "10:20" "13:20"];
    Pickup All (1, 0) 5 None "Pikap Cirebon" "E 8093 KM" "Suzuki Carry Pickup" "Carsim"
        "CirebonKota Ciperna CirebonKota Palimanan" ["07:30" "10:30" "13:40"];
    Pickup Work (1, 0) 5 None "Pikap Solo" "AD 8624 DU" "Mitsubishi Colt L300" "Joko Susilo"
        "Purwosari Gladag Jebres Kartasura Klaten" ["07:40" "11:50" "15:50"];
    Pickup All (1, 0) 5 None "Pikap Malang" "N 8351 CB" "Daihatsu Gran Max Pickup" "Imam Syafi'i"
        "AlunAlunMalang Arjosari Singosari" ["07:00" "10:00" "13:20"];
    Pickup All (1, 0) 5 None "Pikap Deli Serdang" "BK 9043 MX" "Isuzu Traga" "Parlindungan Nasution"
        "TanjungMorawa LubukPakam Perbaungan" ["07:20" "10:40" "14:00"];
    Pickup All (1, 0) 5 None "Pikap Gowa" "DD 8218 QA" "Toyota Hilux" "Daeng Rewa"
        "Sungguminasa Alauddin Boulevard Karebosi" ["06:40" "09:40" "13:00"];
    Pickup All (1, 0) 5 None "Pikap Tabanan" "DK 9307 GH" "Suzuki Carry Pickup" "I Made Suartana"
        "Tabanan Mengwi Ubung" ["06:20" "09:30" "12:40"];
    Pickup All (1, 0) 5 Never "Pikap Bantul" "AB 8472 KJ" "Daihatsu Gran Max Pickup" "Sukirman"
        "Dongkelan Giwangan Prambanan Klaten" ["07:30" "13:00"];
    Car All (1, 0) 10 None "Taksi Jakarta 1" "B 1275 UTX" "Toyota Transmover" "Rudi Hermawan"
        "Menteng Kuningan Semanggi BlokM BundaranSenayan Harmoni Grogol SoekarnoHatta"
        ["05:40" "09:10" "12:30" "15:50"];
    Car All (1, 15) 10 None "Taksi Jakarta 2" "B 1348 UTX" "Toyota Transmover" "Samuel Tuhumury"
        "Senen Sarinah BlokM Kemang Pancoran Kuningan Semanggi" ["15:30" "18:40" "21:10" "23:20" "25:20" "27:20" "29:20"];
    Car All (1, 15) 8 None "Taksi Jakarta 3" "B 1409 UTX" "Toyota Limo" "Fransiskus Xaverius Manek"
        "Kota Harmoni Tomang SoekarnoHatta" ["16:30" "19:10" "21:30" "23:40" "25:50" "28:00" "30:10"];
    Car Office (1, 0) 2 None "Operasional Bandung" "D 1862 AJG" "Toyota Innova Zenix" "Neneng Komariah"
        "SimpangDago Gasibu PasteurTol Cawang Semanggi~ Cawang PasteurTol" ["06:10"];
    Car Work (1, 0) 5 None "Operasional Surabaya" "L 1094 AAK" "Honda HR-V" "Lie Wei Ming"
        "HRMuhammad Citraland Satelit Keputran TuguPahlawan TanjungPerak" ["08:00" "10:30" "13:10" "17:00"];
    Car All (1, 0) 6 None "Rental Kuta" "DK 1537 FCB" "Toyota Avanza" "Ni Luh Putu Ayu Lestari"
        "Seminyak SimpangSiur NgurahRai NusaDua Jimbaran" ["06:50" "09:50" "12:40" "17:00" "20:10"];
    Car All (1, 0) 5 None "Rental Ubud" "DK 1780 KBV" "Suzuki Ertiga" "I Gusti Ngurah Oka"
        "Sanur Tohpati Sukawati Ubud" ["06:30" "09:40" "13:00" "17:20"];
    Car Work (1, 0) 5 None "Operasional Medan" "BK 1659 ADV" "Mitsubishi Xpander" "Ucok Hasibuan"
        "Petisah LapanganMerdeka Amplas LubukPakam" ["08:00" "11:00" "14:20"];
    Car All (1, 0) 5 None "Rental Yogyakarta" "AB 1923 YE" "Toyota Avanza" "Raden Wisnu Kusumo"
        "Adisucipto Galeria TitikNol TuguJogja Jombor Magelang" ["07:10" "14:00"];
    Car All (1, 0) 6 None "Operasional Makassar" "DD 1486 XS" "Daihatsu Xenia" "Nurhayati Daeng Kanang"
        "Mandai Daya Unhas BundaranPettarani Karebosi" ["06:30" "09:30" "13:00" "16:00"];
    Truck All (1, 15) 0 None "Truk Priok-Semarang" "B 9027 TEU" "Hino Ranger FM 260 JD" "Supriyadi"
        "TanjungPriok Palimanan+ Krapyak# Brebes~" ["18:00"];
    Truck All (2, 12) 0 None "Truk Cikarang-Surabaya" "B 9483 FEV" "Mitsubishi Fuso Fighter FN 62 F" "Teuku Iskandar"
        "Cikarang Kertajati~ Pekalongan+ Sragen~ Waru# Boyolali~ Pemalang+ Kertajati~" ["16:30"];
    Truck Work (1, 15) 0 None "Truk Perak-Semarang" "L 9158 UZ" "Isuzu Giga FVZ 34" "Achmad Suhaimi"
        "TanjungPerak Dupak Madiun~ Banyumanik# Sragen+" ["19:00"];
    Truck All (2, 12) 0 Gap "Truk Surabaya-Cikarang" "L 9702 UK" "Hino Ranger FL 235" "Zainal Arifin"
        "Waru Madiun~ Salatiga+ Pekalongan~ Cikarang# Pejagan~ Weleri+ Ngawi~" ["13:30"];
    Truck All (1, 0) 0 None "Truk Cakung-Merak" "B 9316 UXT" "UD Trucks Quester CWE 280" "Gede Arya Putra"
        "Cakung Cikunir Tomang Balaraja+ Merak# SerangTimur~" ["00:40" "12:40"];
    Truck Work (1, 12) 0 None "Truk Bandung-Priok" "D 9261 AE" "Mitsubishi Fuso Canter FE 74" "Cecep Supriatna"
        "Gedebage Cileunyi Padalarang+ Karawang~ TanjungPriok# Karawang~" ["21:30"];
    Truck All (1, 12) 0 None "Truk Belawan-Tebing Tinggi" "BK 9574 CN" "Hino Dutro 130 HD" "Marolop Sitorus"
        "Belawan Amplas LubukPakam+ TebingTinggi#" ["14:00" "24:20"];
    Truck Work (1, 0) 0 Siphoned "Truk Semarang-Salatiga" "H 9805 OG" "Isuzu Elf NMR 71" "Budi Santoso"
        "Kaligawe Majapahit SimpangLima Jatingaleh Ungaran+ Salatiga#" ["01:00" "07:30" "13:30"];
    Truck All (1, 15) 0 None "Truk Malang-Perak" "N 9440 UR" "Mitsubishi Fuso Canter FE 74" "Mat Hosen"
        "Singosari Gempol+ Waru Dupak TanjungPerak# Sidoarjo~" ["20:30" "26:40"];
    Bus All (1, 3) 22 None "Bus Kota-Blok M" "B 7062 TGD" "Mercedes-Benz OH 1626" "La Ode Hamzah"
        "Kota Harmoni PatungKuda BundaranHI Semanggi BlokM Semanggi BundaranHI Harmoni"
        ["05:00" "06:50" "08:40" "10:40" "12:30" "14:10" "16:00" "17:50" "19:50" "21:30" "23:10" "24:40"];
    Bus All (1, 3) 4 None "Bus Bandung-Jakarta" "D 7593 AF" "Hino RK8 R260" "Engkos Koswara"
        "Leuwipanjang Pasirkoja Karawang Cawang~ Karawang Pasirkoja" ["04:30" "10:00" "15:30" "21:00"];
    Bus All (2, 12) 2 None "Bus Malam Yogyakarta-Jakarta" "AB 7318 AS" "Scania K 360 IB" "Suparman"
        "Giwangan Janti Kartasura Boyolali Pekalongan~ Kertajati+ PasarRebo# Kertajati~ Pekalongan+ Boyolali Janti"
        ["17:30"];
    Bus All (1, 3) 6 None "Bus Surabaya-Malang" "L 7845 UA" "Hino RK8 R260" "Sugeng Prayitno"
        "Waru Gempol Singosari Arjosari~ Singosari+ Gempol" ["05:00" "08:40" "12:20" "16:00" "19:50" "23:10"];
    Bus All (1, 0) 8 None "Bus Semarang-Yogyakarta" "H 7126 DC" "Mercedes-Benz OF 1623" "Yakobus Mote"
        "Banyumanik Bawen Magelang Jombor~ Magelang+ Bawen" ["05:30" "14:00"];
    HeavyEquipment Work (1, 0) 14 None "Ekskavator Cikarang" "ALB-EX 07" "Komatsu PC200-8" "Kristoforus Djami"
        "Cikarang" ["07:40" "13:00"];
    HeavyEquipment All (1, 0) 12 None "Buldoser Citraland" "ALB-DZ 03" "Caterpillar D6R" "Hasanuddin"
        "Citraland" ["07:30" "13:00"];
}
