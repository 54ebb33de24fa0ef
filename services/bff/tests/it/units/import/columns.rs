//! What columns are known by.

use armada_bff::rules::{
    import::{Field, Kind, KnownHeadings as Known, TRADE},
    language::{self, LANGUAGES},
    resources::IMPORTS,
};
use armada_tables::read::{Limits, read};

use crate::import_lists::HEADINGS;

fn fields_of(subject: &str) -> &'static [Field] {
    IMPORTS.iter().find(|(_, known, _)| *known == subject).map(|(.., fields)| *fields).expect(subject)
}

/// What each heading is understood as; with a question mark what somebody has to choose from.
fn understood(subject: &str, headings: &[&str]) -> Vec<String> {
    let headings: Vec<_> = headings.iter().map(|heading| (*heading).to_owned()).collect();
    let columns = Known::new(subject, fields_of(subject)).understood(&headings);
    let said = columns.into_iter().map(|column| match column.meaning {
        Some(meaning) => meaning.name().to_owned(),
        None if column.is_running_number => "#".to_owned(),
        None => column.candidates.into_iter().map(|meaning| format!("{}?", meaning.name())).collect(),
    });
    said.collect()
}

#[test]
fn every_heading_and_choice_has_a_word_in_every_language() {
    for (_, subject, fields) in IMPORTS {
        for language in LANGUAGES {
            for field in *fields {
                let known = |name: &str| {
                    assert!(language::known_word(language, subject, name).is_some(), "{language:?} {name}")
                };
                known(field.column());
                if let Kind::Choice(names) = field.kind {
                    names.iter().for_each(|name| known(&format!("{}.{name}", field.name)));
                }
            }
        }
    }
}

#[test]
fn words_of_the_trade_are_of_fields_in_every_language() {
    for (subject, fields) in &TRADE.fields {
        let known = fields_of(subject);
        for (name, words) in fields {
            assert!(known.iter().any(|field| field.name == name), "{subject} has no {name}");
            assert_eq!(words.keys().collect::<Vec<_>>(), ["en", "id", "jv", "zh"], "{subject} {name}");
            for word in words.values().flatten() {
                let found = understood(subject, &[word]);
                assert!(found[0].contains(name.as_str()), "{subject}: {word} is {found:?}, not {name}");
            }
        }
    }
    for (_, subject, fields) in IMPORTS {
        // What nobody but ourselves calls anything has no words of the trade.
        let known = fields.iter().filter(|field| TRADE.fields[*subject].contains_key(field.name)).count();
        assert!(known * 4 > fields.len() * 3, "{subject} has words for {known} of {}", fields.len());
    }
}

#[test]
fn headings_are_known_in_every_language_however_they_are_written() {
    let drivers = ["Nama *", "PHONE", "fleet", "驾驶证号", "id", "Gol. SIM"];
    assert_eq!(understood("drivers", &drivers), ["name", "phone", "", "license_number", "id", "license_class"]);
    let fields = [
        "#",
        "name",
        "vehicle_code",
        "vehicle_type_id",
        "vehicle_brand_id",
        "vehicle_model_id",
        "chassis_number",
        "engine_number",
        "imei",
        "sim_number",
        "primary_driver_id",
        "fuel_capacity",
        "license_expiry",
        "group_ids",
    ];
    assert_eq!(understood("devices", &HEADINGS), fields);
    for heading in
        ["NO POLISI", "polisi no", "Nomor  Polisi", "NoPolisi", "no.polisi", "Nomer_Polisi", "车牌号", "License Plate"]
    {
        assert_eq!(understood("devices", &[heading]), ["vehicle_code"], "{heading}");
    }
    // Nomor SIM is one thing, the number of a card of the phone network another.
    assert_eq!(understood("drivers", &["Nomor SIM"]), ["license_number"]);
    assert_eq!(understood("devices", &["Nomor kartu SIM"]), ["sim_number"]);
}

#[test]
fn doubts_are_left_to_people() {
    assert_eq!(understood("devices", &["Tipe"]), ["vehicle_model_id?vehicle_type_id?"]);
    assert_eq!(understood("devices", &["Jenis", "Tipe"]), ["vehicle_type_id", "vehicle_model_id"]);
    assert_eq!(understood("drivers", &["name", "Name", "Driver"]), ["name?", "name?", "name?"]);
    // An export has both: the id says more than the name.
    assert_eq!(understood("devices", &["Pemilik", "ID pemilik"]), ["", "user_id"]);
    // A limit in minutes is none in seconds.
    assert_eq!(understood("devices", &["Batas parkir", "Batas parkir (menit)"]), ["max_parking_time", ""]);
}

#[test]
fn headings_are_found_below_titles() {
    let row = |subject: &str, file: &str| {
        let sheet = read(file.as_bytes(), None, &Limits::default()).expect("a table");
        Known::new(subject, fields_of(subject)).heading_row(&sheet)
    };
    assert_eq!(row("devices", "PT Maju Jaya\nDaftar kendaraan,,per 1 Mei\n\nNo.,Nama Unit,IMEI GPS\n1,Truk,4\n"), 4);
    assert_eq!(row("drivers", "name\nname\n"), 1);
    assert_eq!(row("drivers", "Sopir kita\n\nApa,Siapa\nx,y\n"), 3, "a title stands alone");
    assert_eq!(row("users", "x,y\nAktif,z\n"), 1);
    assert_eq!(understood("users", &["Aktif"]), ["is_active"]);
}
