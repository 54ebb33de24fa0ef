//! Lists as people have them: with titles, several sheets, the words of their trade, and what Excel did to the numbers.

use anyhow::Context as _;
use armada_runtime::Scope;
use armada_testkit::{Api, both_databases};
use armada_track::Imei;
use http::{Method, StatusCode};
use rust_xlsxwriter::{Format, Workbook};
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};

use crate::{
    imports::{CSV, imported, undone},
    support::{Site, text},
};

const DEVICES: &str = "/api/v1/devices";
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/// The headings of a transport company's list.
pub const HEADINGS: [&str; 14] = [
    "No.",
    "Nama Unit",
    "No. Polisi",
    "Jenis Kendaraan",
    "Merk",
    "Tipe",
    "No. Rangka",
    "No. Mesin",
    "IMEI GPS",
    "No. Kartu GSM",
    "Driver",
    "Tangki (L)",
    "STNK s/d",
    "Grup",
];
const ROWS: u32 = 30;

fn imei(number: u32) -> anyhow::Result<u64> {
    Ok(Imei::with_check_digit(35_693_803_000_000 + u64::from(number))?.number())
}

/// The list of a transport company, on the second sheet, below two titles and an empty row.
fn list() -> anyhow::Result<Vec<u8>> {
    let mut book = Workbook::new();
    book.add_worksheet().set_name("Catatan")?.write_string(0, 0, "Diperbarui bagian operasional")?;
    let page = book.add_worksheet().set_name("Armada")?;
    page.write_string(0, 0, "PT MAJU JAYA LOGISTIK")?.write_string(1, 0, "Daftar kendaraan per 1 Mei 2026")?;
    for (column, heading) in (0..).zip(HEADINGS) {
        page.write_string(3, column, heading)?;
    }
    let day = Format::new().set_num_format("dd/mm/yyyy");
    for number in 0..ROWS {
        let row = 4 + number;
        let (brand, model) =
            [("Karya Jaya", "Boks 1"), ("KARYA JAYA", "Boks 2"), ("hino", "Dutro Khusus")][number as usize % 3];
        let texts = [
            (1, format!("Truk {}", number + 1)),
            (2, format!("B {} KXT", 9000 + number)),
            (3, "Truk Boks".to_owned()),
            (4, brand.to_owned()),
            (5, model.to_owned()),
            (6, format!("MJEC1JG4{number:05}")),
            (7, format!("W04D{number:05}")),
            (9, format!("'0812{number:07}")),
            (10, format!("Sopir {}", number % 7)),
            (13, ["Jabodetabek", "Cikarang, Jabodetabek"][number as usize % 2].to_owned()),
        ];
        page.write_number(row, 0, number + 1)?
            .write_number(row, 8, imei(number)? as f64)?
            .write_number(row, 11, 100)?;
        for (column, text) in texts {
            page.write_string(row, column, text)?;
        }
        match number % 3 {
            0 => page.write_number_with_format(row, 12, 46_387, &day)?,
            1 => page.write_number(row, 12, 46_387)?,
            _ => page.write_string(row, 12, "31/12/2026")?,
        };
    }
    Ok(book.save_to_buffer()?)
}

async fn from_list(api: &Api, query: &str) -> anyhow::Result<(Value, Value)> {
    imported(api, &format!("{DEVICES}/import?sheet=Armada&{query}"), XLSX, list()?).await
}

/// What the report says of a field in each row, and what stands there.
fn said(report: &Value, field: &str) -> Vec<(String, String)> {
    let errors = report["errors"].as_array().map(Vec::as_slice).unwrap_or_default();
    errors.iter().map(|error| (text(&error["fields"][field]), text(&error["values"][field]))).collect()
}

both_databases! {
    async fn list_of_a_transport_company_comes_in(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        let preview = async |query: &str| {
            let preview = api.upload(&format!("{DEVICES}/import/preview{query}"), XLSX, list()?).await?;
            anyhow::Ok(preview.expect(StatusCode::OK))
        };
        let first = preview("").await?;
        assert_eq!((&first["sheets"], &first["sheet"]), (&json!(["Catatan", "Armada"]), &json!("Catatan")));
        let seen = preview("?sheet=Armada").await?;
        assert_eq!((&seen["heading_row"], &seen["rows"]), (&json!(4), &json!(ROWS)));
        assert_eq!(seen["top_rows"][1], json!({ "row": 2, "cells": ["Daftar kendaraan per 1 Mei 2026"] }));
        let columns = seen["columns"].as_array().context("columns")?;
        assert_eq!((&columns[0]["field"], &columns[0]["is_running_number"]), (&json!(""), &json!(true)));
        assert!(columns[1..].iter().all(|column| column["field"] != ""), "{columns:?}");

        // What is not there is told of every cell at once, with what stands there.
        let (job, report) = from_list(api, "").await?;
        assert_eq!((&report["creates"], &report["failed"]), (&json!(0), &json!(ROWS)));
        let first = &report["errors"][0];
        let wrong: Vec<_> = first["fields"].as_object().context("fields")?.keys().map(String::as_str).collect();
        let named = ["group_ids", "primary_driver_id", "vehicle_brand_id", "vehicle_model_id", "vehicle_type_id"];
        assert_eq!(wrong, named);
        assert_eq!((&first["row"], &first["name"], &first["values"]["group_ids"]), (&json!(5), &json!("Truk 1"), &json!("Jabodetabek")));
        let missing = |job: &Value| job["missing"].as_array().cloned().unwrap_or_default();
        let told: Vec<_> = missing(&job).iter().map(|missing| (text(&missing["field"]), missing["count"].clone())).collect();
        let counts = [2, 7, 1, 3, 1].map(Value::from);
        assert_eq!(told, named.map(str::to_owned).into_iter().zip(counts).collect::<Vec<_>>());
        assert_eq!(missing(&job)[3]["names"], json!(["hino Dutro Khusus", "Karya Jaya Boks 1", "KARYA JAYA Boks 2"]));

        let (job, report) = from_list(api, "create_missing=true").await?;
        assert_eq!((&report["creates"], &report["failed"], missing(&job).len()), (&json!(ROWS), &json!(0), 5), "{report}");
        let groups = async || anyhow::Ok(api.get("/api/v1/master-data?kind=device_group").await?.expect(StatusCode::OK)["total"].clone());
        assert_eq!(groups().await?, 0, "it was only tried out");
        let (job, report) = from_list(api, "create_missing=true&mode=all").await?;
        assert_eq!((&job["done"], &job["failed"]), (&json!(ROWS), &json!(0)), "{report}");
        let devices = api.get(&format!("{DEVICES}?q=B 9001 KXT")).await?.expect(StatusCode::OK);
        let truck = &devices["items"][0];
        for (name, wanted) in [
            ("name", "Truk 2"), ("vehicle_type", "Truk Boks"), ("vehicle_model", "Karya Jaya Boks 2"), ("primary_driver", "Sopir 1"),
            ("sim_number", "08120000001"), ("license_expiry", "2026-12-31"), ("chassis_number", "MJEC1JG400001"),
            ("groups", "Cikarang, Jabodetabek"), ("imei", &imei(1)?.to_string()),
        ] {
            assert_eq!(truck[name], wanted, "{name}");
        }
        assert_eq!(truck["fuel_capacity"], 100);

        // What was made for them stays, and is found the next time.
        assert_eq!(undone(api, &job).await?["done"], json!(ROWS));
        assert_eq!((api.get(DEVICES).await?.expect(StatusCode::OK)["total"].clone(), groups().await?), (json!(0), json!(2)));
        let (job, report) = from_list(api, "").await?;
        assert_eq!((&report["failed"], missing(&job).len()), (&json!(0), 0), "{report}");
        site.running.stop().await
    }

    async fn what_is_missing_is_made_by_who_may(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let may = ["device:list", "device:create", "master_data:list"];
        let sari = site.account(tenant.id, "sari", false).await?;
        site.allow(tenant.id, &sari, &may).await?;
        let sari = site.sign_in("sari", &may).await?;
        let file = "IMEI,Nama,Grup\n490154203237518,Truk,Cikarang\n";
        let (job, report) = imported(&sari.api, &format!("{DEVICES}/import?create_missing=true&mode=valid"), CSV, file.into()).await?;
        assert_eq!((&job["missing"][0]["may_create"], &job["failed"]), (&json!(false), &json!(1)));
        let forbidden = said(&report, "group_ids");
        assert_eq!(forbidden[0].1, "Cikarang");
        let (_, report) = imported(&tenant.admin.api, &format!("{DEVICES}/import"), CSV, file.into()).await?;
        assert_ne!(said(&report, "group_ids"), forbidden, "an admin may make it");
        // A platform owner says whose it shall be.
        let file = "IMEI,Nama,Merk GPS\n490154203237518,Truk,Buatan Sendiri\n";
        let path = format!("{DEVICES}/import?create_missing=true&mode=valid&tenant_id={}", tenant.id);
        let (job, _) = imported(&site.owner.api, &path, CSV, file.into()).await?;
        assert_eq!(job["done"], 1, "{job}");
        let brands = tenant.admin.api.get("/api/v1/master-data?kind=gps_brand&name=Buatan Sendiri").await?.expect(StatusCode::OK);
        assert_eq!(brands["items"][0]["tenant_id"], json!(tenant.id));
        site.running.stop().await
    }

    async fn every_wrong_cell_of_a_row_is_told_with_what_would_do(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        api.post(DEVICES, json!({ "imei": "490154203237518", "name": "Ada" })).await?.expect(StatusCode::CREATED);
        let file = format!(
            "IMEI;Nama;Ikon;STNK s/d;Gudang;Tangki (L)\n\
             3,56307E+14;{};kapal;akhir tahun;Cakung;banyak\n490154203237518;Bis;bus;45678;;\n1234567890128;Van;van;;;\n",
            "x".repeat(201)
        );
        let (_, report) = imported(api, &format!("{DEVICES}/import"), CSV, file.clone().into()).await?;
        let errors = report["errors"].as_array().context("errors")?;
        let fields = |row: usize| errors[row]["fields"].as_object().map(|fields| fields.keys().map(String::as_str).collect::<Vec<_>>());
        // The last is for the service to see, and told with what stood in the file before.
        assert_eq!(fields(0), Some(vec!["fuel_capacity", "icon_type", "imei", "license_expiry", "name", "warehouse_id"]));
        let values = &errors[0]["values"];
        assert_eq!((&values["imei"], &values["license_expiry"], &values["icon_type"]), (&json!("3,56307E+14"), &json!("akhir tahun"), &json!("kapal")));
        assert_eq!(text(&values["name"]).len(), 100);
        assert_eq!((fields(1), &errors[1]["values"]["imei"]), (Some(vec!["imei"]), &json!("490154203237518")), "another has it");
        assert_eq!(errors[2]["proposals"], json!({ "imei": "001234567890128" }));
        let (job, _) = imported(api, &format!("{DEVICES}/import"), CSV, file.clone().into()).await?;
        let path = format!("/api/v1/jobs/fleet/{}/import-report", text(&job["id"]));
        let report = api.request(Method::GET, &path, &[], None).await?.text;
        let told = &report[report.find("\"fields\":").context("fields")?..];
        let places: Vec<_> = fields(0).unwrap_or_default().iter().map(|name| told.find(&format!("\"{name}\":"))).collect();
        assert!(places.is_sorted() && places[0].is_some(), "each time in the same order: {report}");
        let columns = "column=imei&column=name&column=icon_type&column=-&column=-&column=-";
        let (job, report) = imported(api, &format!("{DEVICES}/import?mode=valid&proposals=take&{columns}"), CSV, file.into()).await?;
        assert_eq!((&job["done"], &report["failed"]), (&json!(1), &json!(2)), "{report}");
        let vans = api.get(&format!("{DEVICES}?q=001234567890128")).await?.expect(StatusCode::OK);
        assert_eq!(vans["items"][0]["name"], "Van");
        site.running.stop().await
    }

    /// A number of a workbook is what it is; what a text says that may be thousands or a fraction, its file tells, or a person.
    async fn numbers_are_not_multiplied(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        let mut book = Workbook::new();
        let page = book.add_worksheet();
        for (column, heading) in (0..).zip(["imei", "name", "fuel_capacity", "max_parking_time", "capacity_weight", "capacity_volume"]) {
            page.write_string(0, column, heading)?;
        }
        for (row, numbers) in [(1, [75.708, 90.125, 1.234, 12.125]), (2, [75.0, 90.0, 1234.0, 1.5])] {
            page.write_string(row, 0, imei(row)?.to_string())?.write_string(row, 1, format!("Truk {row}"))?;
            for (column, number) in (2..).zip(numbers) {
                page.write_number(row, column, number)?;
            }
        }
        let (job, report) = imported(api, &format!("{DEVICES}/import?mode=valid"), XLSX, book.save_to_buffer()?).await?;
        assert_eq!((&job["done"], &job["failed"]), (&json!(1), &json!(1)), "{report}");
        let error = &report["errors"][0];
        let wrong: Vec<_> = error["fields"].as_object().context("fields")?.keys().map(String::as_str).collect();
        assert_eq!(wrong, ["capacity_weight", "fuel_capacity", "max_parking_time"]);
        assert_eq!(error["values"], json!({ "fuel_capacity": "75.708", "max_parking_time": "90.125", "capacity_weight": "1.234" }));
        let whole = error["fields"]["fuel_capacity"].clone();

        let ambiguous = format!("imei;name;fuel_capacity;capacity_volume\n{};A;75.708;\n{};B;75,708;\n", imei(3)?, imei(4)?);
        let (_, report) = imported(api, &format!("{DEVICES}/import?mode=valid"), CSV, ambiguous.into()).await?;
        let said = said(&report, "fuel_capacity");
        assert_eq!(said.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>(), ["75.708", "75,708"]);
        assert!(said.iter().all(|(message, _)| message.contains("1500") && *message != whole), "{said:?}");
        let told = format!("imei;name;fuel_capacity;capacity_volume\n{};C;75.708;12,5\n{};D;1.500;1.500\n", imei(5)?, imei(6)?);
        let (job, report) = imported(api, &format!("{DEVICES}/import?mode=valid"), CSV, told.into()).await?;
        assert_eq!(job["done"], 2, "{report}");
        let devices = api.get(&format!("{DEVICES}?sort=name")).await?.expect(StatusCode::OK);
        let stored: Vec<_> = devices["items"].as_array().context("items")?.iter()
            .map(|device| json!([device["name"], device["fuel_capacity"], device["capacity_volume"]])).collect();
        assert_eq!(stored, [json!(["C", 75_708, 12.5]), json!(["D", 1500, 1500.0]), json!(["Truk 2", 75, 1.5])]);
        site.running.stop().await
    }

    async fn what_cannot_be_looked_up_is_not_made(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        api.post("/api/v1/drivers", json!({ "name": "Budi" })).await?.expect(StatusCode::CREATED);
        let may = ["device:list", "device:create", "driver:create"];
        let sari = site.account(tenant.id, "sari", false).await?;
        site.allow(tenant.id, &sari, &may).await?;
        let sari = site.sign_in("sari", &may).await?;
        let file = "IMEI,Nama,Driver\n490154203237518,Truk,Budi\n";
        let path = format!("{DEVICES}/import?create_missing=true&mode=valid");
        let (job, report) = imported(&sari.api, &path, CSV, file.into()).await?;
        let missing = job["missing"].as_array().map_or(0, Vec::len);
        assert_eq!((missing, said(&report, "primary_driver_id").len()), (0, 1), "{job} {report}");
        let budis = async || anyhow::Ok(api.get("/api/v1/drivers?name=Budi").await?.expect(StatusCode::OK)["total"].clone());
        assert_eq!(budis().await?, 1);

        // Of two files at once that miss the same driver one makes him.
        let files = ["490154203237518", "356938035643809"].map(|imei| format!("IMEI,Nama,Driver\n{imei},Truk,Wati\n"));
        let both = files.into_iter().map(|file| imported(api, &path, CSV, file.into()));
        for (job, report) in futures::future::try_join_all(both).await? {
            assert_eq!(job["done"], 1, "{report}");
        }
        assert_eq!(api.get("/api/v1/drivers?name=Wati").await?.expect(StatusCode::OK)["total"], 1);
        site.running.stop().await
    }

    async fn a_trial_tells_what_would_not_be_made(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        let long = "x".repeat(121);
        let file = format!("IMEI,Nama,Grup,Driver\n490154203237518,A,{long},Budi\n356938035643809,B,Cikarang,{}\n", "y".repeat(201));
        for mode in ["dry_run", "valid"] {
            let (job, report) = imported(api, &format!("{DEVICES}/import?create_missing=true&mode={mode}"), CSV, file.clone().into()).await?;
            assert_eq!(said(&report, "group_ids")[0].1, long[..100], "{mode}: {job} {report}");
            assert_eq!(said(&report, "primary_driver_id")[1].1, "y".repeat(100), "{mode}: {job} {report}");
            assert_eq!((&report["failed"], &job["missing"][0]["count"]), (&json!(2), &json!(1)), "{mode}");
        }
        let groups = |count: usize| {
            let rows = (0..count).map(|number| format!(",,G{number}\n")).collect::<String>();
            format!("IMEI,Nama,Grup\n{rows}")
        };
        let path = format!("{DEVICES}/import?create_missing=true");
        api.upload(&path, CSV, groups(500).into()).await?.expect(StatusCode::ACCEPTED);
        let refused = api.upload(&path, CSV, groups(501).into()).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused["error"], "import_too_many_missing");
        site.running.stop().await
    }

    async fn names_that_look_alike_are_one(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        let brand = json!({ "kind": "vehicle_brand", "name": "Buatán" });
        api.post("/api/v1/master-data", brand).await?.expect(StatusCode::CREATED);
        let own = async |kind: &str| {
            let list = api.get(&format!("/api/v1/master-data?kind={kind}&is_own=true&sort=name")).await?.expect(StatusCode::OK);
            anyhow::Ok(list["items"].as_array().context("items")?.iter().map(|entry| text(&entry["label"])).collect::<Vec<_>>())
        };
        let path = format!("{DEVICES}/import?create_missing=true&mode=all");
        let rows = |first: u32| -> anyhow::Result<String> {
            Ok(format!(
                "IMEI,Nama,Grup,vehicle_brand_id,vehicle_model_id\n{},A,Grup Á; grup a,BUATAN,Boks\n{},B,GRUP  A,Buatan,bóks\n{},C,gr\u{200b}up a,ｂuatan,Buatan Boks\n",
                imei(first)?, imei(first + 1)?, imei(first + 2)?
            ))
        };
        let (job, report) = imported(api, &path, CSV, rows(1)?.into()).await?;
        assert_eq!(job["done"], 3, "{report}");
        for (field, count) in [(0, 1), (1, 1)] {
            assert_eq!(job["missing"][field]["count"], count, "{job}");
        }
        let all = async || anyhow::Ok((own("device_group").await?, own("vehicle_brand").await?, own("vehicle_model").await?));
        let wanted = (vec!["Grup Á".to_owned()], vec!["Buatán".to_owned()], vec!["Buatán Boks".to_owned()]);
        assert_eq!(all().await?, wanted);
        let (job, report) = imported(api, &path, CSV, rows(4)?.into()).await?;
        assert_eq!((&job["done"], job["missing"].as_array().map_or(0, Vec::len)), (&json!(3), 0), "{report}");
        assert_eq!(all().await?, wanted);
        site.running.stop().await
    }

    async fn a_model_with_its_brand_before_it_is_the_one_without(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        let rows = [(1, "Buatan", "buatan 500"), (2, "BUATAN", "500"), (3, "Buatan", "Buatan 500"), (4, "Buatan", "Buatan500")];
        let rows: String =
            rows.into_iter().map(|(number, brand, model)| Ok(format!("{},X,{brand},{model}\n", imei(number)?))).collect::<anyhow::Result<_>>()?;
        let file = format!("IMEI,Nama,vehicle_brand_id,vehicle_model_id\n{rows}");
        let (job, report) = imported(api, &format!("{DEVICES}/import?create_missing=true&mode=all"), CSV, file.clone().into()).await?;
        assert_eq!(job["done"], 4, "{report}");
        let models = api.get("/api/v1/master-data?kind=vehicle_model&is_own=true&sort=name").await?.expect(StatusCode::OK);
        let labels: Vec<_> = models["items"].as_array().context("items")?.iter().map(|model| text(&model["label"])).collect();
        assert_eq!(labels, ["Buatan 500", "Buatan Buatan500"]);
        site.running.stop().await
    }

    async fn nothing_is_made_for_rows_that_are_not_taken_in(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        let gone = api.post(DEVICES, json!({ "imei": "490154203237518", "name": "Ada" })).await?.expect(StatusCode::CREATED);
        let file = format!(
            "id,action,IMEI,Nama,STNK s/d,Driver\n{},delete,,,,Budi\n,,{},A,akhir tahun,Wati\n,,{},B,,Siti\n",
            text(&gone["id"]), imei(1)?, imei(2)?
        );
        let drivers = async || {
            let list = api.get("/api/v1/drivers?sort=name").await?.expect(StatusCode::OK);
            anyhow::Ok(list["items"].as_array().context("items")?.iter().map(|driver| text(&driver["name"])).collect::<Vec<_>>().join(" "))
        };
        let (job, report) = imported(api, &format!("{DEVICES}/import?create_missing=true&mode=all"), CSV, file.clone().into()).await?;
        assert_eq!((&job["error"], drivers().await?), (&json!("import_refused"), String::new()), "{report}");
        let (job, report) = imported(api, &format!("{DEVICES}/import?create_missing=true&mode=valid"), CSV, file.into()).await?;
        assert_eq!((&job["done"], drivers().await?.as_str()), (&json!(2), "Siti"), "{report}");
        site.running.stop().await
    }

    async fn a_group_may_be_called_as_a_whole_cell(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        for name in ["Sales", "East"] {
            api.post("/api/v1/master-data", json!({ "kind": "device_group", "name": name })).await?.expect(StatusCode::CREATED);
        }
        // As there may be from before it was forbidden.
        let db = site.world.database(armada_fleet::NAME).await;
        let tx = db.write(&Scope::Platform).await?;
        tx.execute_unprepared(
            "UPDATE master_data SET name = 'Sales, West', name_folded = 'sales, west', label = 'Sales, West', label_folded = 'sales, west' WHERE name = 'East'",
        )
        .await?;
        tx.commit().await?;
        db.close().await?;
        let file = format!("IMEI,Nama,Grup\n{},A,\"sales, west\"\n{},B,\"Sales, East\"\n", imei(1)?, imei(2)?);
        let (job, report) = imported(api, &format!("{DEVICES}/import?mode=valid"), CSV, file.into()).await?;
        assert_eq!((&job["done"], said(&report, "group_ids")[0].1.as_str()), (&json!(1), "East"), "{report}");
        assert_eq!(api.get(DEVICES).await?.expect(StatusCode::OK)["items"][0]["groups"], "Sales, West");
        site.running.stop().await
    }

    async fn a_row_that_is_wrong_takes_nothing_from_those_behind_it(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let (api, number) = (&tenant.admin.api, imei(1)?);
        let file = format!("IMEI,Nama,STNK s/d\n{number},A,akhir tahun\n{number},B,\n{number},C,\n");
        let (_, report) = imported(api, &format!("{DEVICES}/import"), CSV, file.clone().into()).await?;
        let errors = report["errors"].as_array().context("errors")?;
        let wrong: Vec<_> = errors.iter().map(|error| (error["row"].clone(), error["fields"]["imei"].is_string())).collect();
        assert_eq!(wrong, [(json!(2), false), (json!(4), true)], "{report}");
        assert_eq!(report["creates"], 1);
        let (job, _) = imported(api, &format!("{DEVICES}/import?mode=valid"), CSV, file.into()).await?;
        assert_eq!(job["done"], 1, "{job}");
        site.running.stop().await
    }

    async fn a_cell_names_no_more_groups_than_a_device_has(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let groups = |count: u32| (1..=count).map(|number| format!("G{number}")).collect::<Vec<_>>().join(";");
        let file = format!(
            "IMEI,Nama,Grup\n490154203237518,A,{}\n356938035643809,B,{}\n{},C,{}\n",
            groups(50), groups(51), imei(1)?, "a;".repeat(16_000)
        );
        let (job, report) = imported(&tenant.admin.api, &format!("{DEVICES}/import"), CSV, file.into()).await?;
        let (few, many) = (&report["errors"][0], &report["errors"][1]);
        assert_ne!(few["fields"]["group_ids"], many["fields"]["group_ids"], "{report}");
        assert_eq!(many["fields"]["group_ids"], report["errors"][2]["fields"]["group_ids"]);
        assert_eq!(text(&report["errors"][2]["values"]["group_ids"]), "a;".repeat(50));
        assert_eq!(job["missing"][0]["count"], 50, "nothing is made of a cell that is not read");
        site.running.stop().await
    }

    async fn people_choose_where_a_file_leaves_doubts(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        let refused = async |query: &str, file: &[u8]| {
            let refused = api.upload(&format!("{DEVICES}/import?{query}"), CSV, file.to_vec()).await?;
            anyhow::Ok(refused.expect(StatusCode::UNPROCESSABLE_ENTITY))
        };
        let file = b"IMEI,Nama,Tipe\n490154203237518,Truk,Boks\n";
        assert!(refused("", file).await?["fields"]["column"].is_string());
        let preview = api.upload(&format!("{DEVICES}/import/preview"), CSV, file.to_vec()).await?.expect(StatusCode::OK);
        let doubtful = &preview["columns"][2];
        assert_eq!((&doubtful["field"], &doubtful["candidates"]), (&json!(""), &json!(["vehicle_model_id", "vehicle_type_id"])));
        // Where no heading is known, it is said which row has them.
        let file = "Apa\nKode,Apa\nx,y\n490154203237518,Truk\n";
        let preview = api.upload(&format!("{DEVICES}/import/preview?heading_row=3"), CSV, file.into()).await?.expect(StatusCode::OK);
        assert_eq!((&preview["columns"][0]["heading"], &preview["rows"]), (&json!("x"), &json!(1)));
        let (job, _) = imported(api, &format!("{DEVICES}/import?heading_row=3&column=imei&column=name&mode=all"), CSV, file.into()).await?;
        assert_eq!(job["done"], 1, "{job}");
        for (query, field) in [("heading_row=9", "heading_row"), ("heading_row=x", "heading_row"), ("sheet=Lain", "sheet"), ("proposals=x", "proposals"), ("create_missing=x", "create_missing")] {
            let refused = if field == "sheet" {
                api.upload(&format!("{DEVICES}/import?{query}"), XLSX, list()?).await?.expect(StatusCode::UNPROCESSABLE_ENTITY)
            } else {
                refused(query, file.as_bytes()).await?
            };
            assert!(refused["fields"][field].is_string(), "{query}: {refused}");
        }
        for (file, code) in [
            (b"%PDF-1.7\n".as_slice(), "import_is_pdf"),
            (b"\x89PNG\r\n\x1a\n", "import_is_picture"),
            (b"<html><table>", "import_is_web_page"),
            (b"Rar!\x1a\x07", "import_is_archive"),
        ] {
            assert_eq!(refused("", file).await?["error"], code);
        }
        site.running.stop().await
    }
}
