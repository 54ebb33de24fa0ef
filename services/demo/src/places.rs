//! Where the vehicles belong: the groups of the demonstration's tenant, its depots, and which of them a vehicle has.

use super::vehicles::Vehicle;

/// Where vehicles load and rest.
pub(super) struct Depot {
    pub(super) name: &'static str,
    pub(super) address: &'static str,
    /// Degrees.
    pub(super) lat: f64,
    /// Degrees.
    pub(super) lng: f64,
}

/// A part of the country: its group, and the depot of its vehicles.
pub(super) struct Region {
    pub(super) group: &'static str,
    pub(super) depot: Depot,
    /// What the plates of its vehicles begin with.
    plates: &'static [&'static str],
}

macro_rules! regions {
    ($($group:literal $depot:literal $address:literal ($lat:literal, $lng:literal) [$($plate:literal)*];)*) => {
        /// All of them; a vehicle is of the first one that its plate fits.
        pub(super) const REGIONS: [Region; 6] = [$(Region {
            group: $group, plates: &[$($plate),*],
            depot: Depot { name: $depot, address: $address, lat: $lat, lng: $lng },
        }),*];
    };
}

regions! {
    "Jabodetabek" "Depo Cakung" "Kawasan pergudangan Cakung, Jakarta Timur" (-6.1836, 106.9312) ["B " "F " "ALB-EX"];
    "Jawa Barat" "Depo Gedebage" "Kawasan pergudangan Gedebage, Bandung" (-6.9483, 107.6985) ["D " "E "];
    "Jawa Tengah dan DIY" "Depo Kaligawe" "Kawasan industri Kaligawe, Semarang" (-6.9571, 110.4583) ["H " "AB " "AD "];
    "Jawa Timur" "Depo Rungkut" "Kawasan industri Rungkut, Surabaya" (-7.3312, 112.7660) ["L " "N " "ALB-DZ"];
    "Bali" "Depo Ubung" "Kawasan pergudangan Ubung, Denpasar" (-8.6290, 115.2012) ["DK "];
    "Sumatra dan Sulawesi" "Depo Amplas" "Kawasan industri Medan Amplas, Medan" (3.5362, 98.7145) ["BK " "DD "];
}

/// Where a vehicle belongs.
pub(super) fn region_of(vehicle: &Vehicle) -> &'static Region {
    let fits = |region: &&Region| region.plates.iter().any(|begin| vehicle.plate.starts_with(begin));
    REGIONS.iter().find(fits).unwrap_or(&REGIONS[0])
}
