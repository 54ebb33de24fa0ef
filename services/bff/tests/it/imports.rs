//! Files that are taken in, as a browser sends them.

use anyhow::Context as _;
use armada_bff::rules::resources::EXPORTS;
use armada_testkit::{Api, both_databases, eventually};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{SOON, Site, text};

const DRIVERS: &str = "/api/v1/drivers";
pub const CSV: &str = "text/csv";

/// The job of a file of drivers, once it is over, and what came of the rows.
async fn import(api: &Api, query: &str, file: &str) -> anyhow::Result<(Value, Value)> {
    imported(api, &format!("{DRIVERS}/import?{query}"), CSV, file.into()).await
}

/// The same of any list; the job says what was missing when it was started.
pub async fn imported(api: &Api, path: &str, kind: &str, file: Vec<u8>) -> anyhow::Result<(Value, Value)> {
    let begun = api.upload(path, kind, file).await?.expect(StatusCode::ACCEPTED);
    let mut job = over(api, &begun).await;
    job["missing"] = begun["missing"].clone();
    let report = format!("/api/v1/jobs/{}/{}/import-report", text(&job["service"]), text(&job["id"]));
    Ok((job, api.get(&report).await?.expect(StatusCode::OK)))
}

/// The job that takes back what another one did, once it is over.
pub async fn undone(api: &Api, job: &Value) -> anyhow::Result<Value> {
    let back = api.post(&undo(job), json!({})).await?.expect(StatusCode::ACCEPTED);
    Ok(over(api, &back).await)
}

/// Why a job is not taken back.
async fn refused(api: &Api, job: &Value) -> anyhow::Result<String> {
    Ok(text(&api.post(&undo(job), json!({})).await?.expect(StatusCode::CONFLICT)["error"]).to_owned())
}

fn undo(job: &Value) -> String {
    format!("/api/v1/jobs/{}/{}/undo", text(&job["service"]), text(&job["id"]))
}

/// The names of all drivers with one field of each.
async fn drivers(api: &Api, field: &str) -> anyhow::Result<Vec<String>> {
    let list = api.get(&format!("{DRIVERS}?sort=name")).await?.expect(StatusCode::OK);
    let items = list["items"].as_array().context("items")?;
    Ok(items.iter().map(|driver| format!("{} {}", text(&driver["name"]), text(&driver[field]))).collect())
}

/// A job, once it is over.
async fn over(api: &Api, job: &Value) -> Value {
    let address = format!("/api/v1/jobs/{}/{}", text(&job["service"]), text(&job["id"]));
    eventually("the job is over", SOON, async || {
        let job = api.get(&address).await?.expect(StatusCode::OK);
        anyhow::ensure!(job["finished_at"].is_string(), "{job}");
        Ok(job)
    })
    .await
}

both_databases! {
    async fn import_is_previewed_checked_committed_and_undone(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        let kept = api.post(DRIVERS, json!({ "name": "Kept", "phone": "1", "identification": "AA" })).await?.expect(StatusCode::CREATED);
        let kept_id = text(&kept["id"]);
        let file = format!(
            "id,Nama *,Telepon,Status,SIM berlaku sampai,RFID / iButton,Own words\n\
             ,Siti,0812,Bertugas,31/01/2027,BB,x\n{kept_id},,-,,,,y\n"
        );
        let preview = api.upload(&format!("{DRIVERS}/import/preview"), CSV, file.clone().into_bytes()).await?.expect(StatusCode::OK);
        assert_eq!(preview["rows"], 2);
        let seen: Vec<_> = preview["columns"].as_array().context("columns")?.iter().map(|column| text(&column["field"])).collect();
        assert_eq!(seen, ["id", "name", "phone", "status", "license_expiry", "identification", ""]);
        assert_eq!(preview["columns"][1]["samples"], json!(["Siti"]));
        let status = preview["fields"].as_array().context("fields")?.iter().find(|field| field["name"] == "status").context("status")?;
        assert_eq!(status["choices"].as_array().map(Vec::len), Some(4));

        let columns = "column=id&column=name&column=phone&column=status&column=license_expiry&column=identification&column=-";
        let (job, tried) = import(api, columns, &file).await?;
        assert_eq!((&job["is_trial"], &job["status"]), (&json!(true), &json!("completed")));
        assert_eq!(tried, json!({ "creates": 1, "updates": 1, "deletes": 0, "failed": 0, "errors": [] }));
        assert_eq!(drivers(api, "phone").await?, ["Kept 1"], "it was only tried out");
        assert_eq!(refused(api, &job).await?, "nothing_to_undo");
        let (job, _) = import(api, &format!("{columns}&mode=all"), &file).await?;
        assert_eq!((&job["kind"], &job["done"], &job["failed"]), (&json!("import"), &json!(2), &json!(0)));
        assert_eq!(drivers(api, "phone").await?, ["Kept ", "Siti 0812"], "an empty cell keeps, a dash empties");
        assert_eq!(drivers(api, "status").await?, ["Kept available", "Siti on_duty"]);
        assert_eq!(drivers(api, "license_expiry").await?, ["Kept ", "Siti 2027-01-31"]);

        let back = undone(api, &job).await?;
        assert_eq!((&back["kind"], &back["done"], &back["failed"]), (&json!("undo"), &json!(2), &json!(0)));
        assert_eq!(drivers(api, "phone").await?, ["Kept 1"]);
        assert_eq!(drivers(api, "license_expiry").await?, ["Kept "]);
        site.running.stop().await
    }

    /// However long they are: the audit says of them how long.
    async fn long_texts_are_taken_back_whole(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let api = &site.tenant("acme").await?.admin.api;
        let truck = api.post("/api/v1/devices", json!({ "imei": "351756051523999", "name": "Truck" })).await?.expect(StatusCode::CREATED);
        let detail = "油".repeat(3850);
        let plan = json!({ "title": "Oil", "device_id": truck["id"], "interval_days": 90, "detail": detail });
        let plan = api.post("/api/v1/maintenance", plan).await?.expect(StatusCode::CREATED);
        let shorter = json!({ "ids": [plan["id"]], "update": { "detail": "Oil" } });
        let job = api.post("/api/v1/maintenance/bulk", shorter).await?.expect(StatusCode::ACCEPTED);
        let job = over(api, &job).await;
        assert_eq!(job["done"], 1, "{job}");
        assert_eq!(undone(api, &job).await?["done"], 1);
        let back = api.get(&format!("/api/v1/maintenance/{}", text(&plan["id"]))).await?.expect(StatusCode::OK);
        assert_eq!(back["detail"], json!(detail));
        site.running.stop().await
    }

    /// A deleted device comes back as it was, a driver is made anew, and undoing that is undone too.
    async fn deletions_are_taken_back(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let api = &site.tenant("acme").await?.admin.api;
        let truck = json!({ "imei": "351756051523999", "name": "Truck", "vehicle_code": "B 1 KXT" });
        let truck = api.post("/api/v1/devices", truck).await?.expect(StatusCode::CREATED);
        let driver = json!({ "name": "Siti", "phone": "0812", "license_expiry": "2027-01-31" });
        let driver = api.post(DRIVERS, driver).await?.expect(StatusCode::CREATED);
        let delete = async |path: &str, id: &Value| {
            let job = api.post(&format!("{path}/bulk"), json!({ "ids": [id], "delete": {} })).await?.expect(StatusCode::ACCEPTED);
            anyhow::Ok(over(api, &job).await)
        };
        let deleted = delete("/api/v1/devices", &truck["id"]).await?;
        assert_eq!(deleted["can_be_undone"], true);
        let back = undone(api, &deleted).await?;
        assert_eq!((&back["done"], &back["failed"], &back["can_be_undone"]), (&json!(1), &json!(0), &json!(true)), "{back}");
        let device = format!("/api/v1/devices/{}", text(&truck["id"]));
        let restored = api.get(&device).await?.expect(StatusCode::OK);
        assert_eq!((&restored["imei"], &restored["vehicle_code"]), (&truck["imei"], &truck["vehicle_code"]));
        assert_eq!(refused(api, &deleted).await?, "already_undone");
        assert_eq!(undone(api, &back).await?["done"], 1);
        api.get(&device).await?.expect(StatusCode::NOT_FOUND);
        let deleted = api.get(&format!("/api/v1/jobs/fleet/{}", text(&deleted["id"]))).await?.expect(StatusCode::OK);
        assert_eq!(deleted["can_be_undone"], true, "it is deleted again");
        assert_eq!(undone(api, &deleted).await?["done"], 1);

        // What goes with it is no part of what comes back.
        let license = json!({ "driver_id": driver["id"], "kind": "license", "number": "SIM 1", "notes": "x" });
        api.post("/api/v1/documents", license).await?.expect(StatusCode::CREATED);
        let deleted = delete(DRIVERS, &driver["id"]).await?;
        assert_eq!(drivers(api, "phone").await?, [""; 0]);
        assert_eq!(undone(api, &deleted).await?["done"], 1);
        assert_eq!((drivers(api, "phone").await?, drivers(api, "license_expiry").await?), (vec!["Siti 0812".to_owned()], vec!["Siti 2027-01-31".to_owned()]));

        let roles = api.get("/api/v1/roles").await?.expect(StatusCode::OK);
        let role = &roles["items"][0]["id"];
        let user = json!({ "name": "Budi", "email": "budi@example.org", "invite": true, "role_ids": [role] });
        let user = api.post("/api/v1/users", user).await?.expect(StatusCode::CREATED);
        let deleted = delete("/api/v1/users", &user["id"]).await?;
        assert_eq!(undone(api, &deleted).await?["done"], 1);
        let back = api.get("/api/v1/users?q=budi").await?.expect(StatusCode::OK);
        assert_eq!((&back["total"], &back["items"][0]["roles"][0]["id"]), (&json!(1), role));
        site.running.stop().await
    }

    async fn every_wrong_cell_is_named(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        let file = "name,email,status,license_expiry,identification\n\
                    Siti,siti@example.org,available,2027-01-31,CC\n\
                    Agus,agus@,on duty?,yesterday,\n\
                    ,,,,DD\n\
                    Budi,,,,cc\n";
        for (mode, status, good) in [("dry_run", "completed", 1), ("all", "failed", 0)] {
            let (job, report) = import(api, &format!("mode={mode}"), file).await?;
            assert_eq!((&job["status"], &report["creates"], &report["failed"]), (&json!(status), &json!(good), &json!(3)), "{mode}: {report}");
            let errors: Vec<_> = report["errors"].as_array().context("errors")?.iter().collect();
            let rows: Vec<_> = errors.iter().map(|error| &error["row"]).collect();
            assert_eq!(rows, [3, 4, 5]);
            let fields = |index: usize| errors[index]["fields"].as_object().expect("fields").keys().cloned().collect::<Vec<_>>();
            assert_eq!(fields(0), ["email", "license_expiry", "status"], "what the edge reads and what the service checks");
            assert_eq!(fields(1), ["name"]);
            assert_eq!(fields(2), ["identification"], "the file has it twice");
            assert_eq!(errors[2]["name"], "Budi");
        }
        let (job, _) = import(api, "mode=valid", file).await?;
        assert_eq!((&job["done"], &job["failed"]), (&json!(1), &json!(3)), "what is wrong with a row, its item says");
        assert_eq!(drivers(api, "email").await?, ["Siti siti@example.org"]);
        site.running.stop().await
    }

    async fn what_is_named_twice_is_wrong_the_second_time(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let api = &site.tenant("acme").await?.admin.api;
        let kept = api.post(DRIVERS, json!({ "name": "Kept", "phone": "1" })).await?.expect(StatusCode::CREATED);
        let id = text(&kept["id"]);
        let file = format!("id,action,phone\n{id},,2\n{},,3\n{id},delete,\n", id.to_uppercase());
        for mode in ["dry_run", "valid"] {
            let (_, report) = import(api, &format!("mode={mode}"), &file).await?;
            assert_eq!((&report["updates"], &report["deletes"], &report["failed"]), (&json!(1), &json!(0), &json!(2)), "{report}");
            for (error, row) in report["errors"].as_array().context("errors")?.iter().zip([3, 4]) {
                assert_eq!((&error["row"], error["fields"]["id"].is_string()), (&json!(row), true), "{report}");
            }
        }
        assert_eq!(drivers(api, "phone").await?, ["Kept 2"]);
        site.running.stop().await
    }

    async fn rejects_invalid_files(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        let refused = async |query: &str, file: Vec<u8>| {
            let reply = api.upload(&format!("{DRIVERS}/import?{query}"), CSV, file).await?;
            anyhow::Ok((reply.status, text(&reply.json()["error"]).to_owned(), reply.json()["fields"].clone()))
        };
        let invalid = StatusCode::UNPROCESSABLE_ENTITY;
        assert_eq!(refused("", Vec::new()).await?.1, "import_empty");
        assert_eq!(refused("", b"name\n".to_vec()).await?.1, "import_empty");
        assert_eq!(refused("", b"\xd0\xcf\x11\xe0old".to_vec()).await?.1, "import_old_workbook");
        let many = format!("name\n{}", "x\n".repeat(10_001));
        assert_eq!(refused("", many.into_bytes()).await?.1, "import_too_many_rows");
        for (query, field) in [("column=password", "column"), ("column=name&column=name", "column"), ("column=name&column=-", "column"), ("mode=maybe", "mode")] {
            let (status, _, fields) = refused(query, b"name\nx\n".to_vec()).await?;
            assert_eq!((status, fields.as_object().map(|fields| fields.contains_key(field))), (invalid, Some(true)), "{query}");
        }
        // Who may not make drivers does not find out here what would be wrong with them.
        let budi = site.user(tenant.id, "budi", false).await?;
        let reply = budi.api.upload(&format!("{DRIVERS}/import"), CSV, b"name\nx\n".to_vec()).await?;
        assert_eq!(reply.status, StatusCode::FORBIDDEN);
        // Larger than what people type may be.
        let notes = format!("name,notes\n{}", format!("x,{}\n", "y".repeat(1900)).repeat(1000));
        let preview = api.upload(&format!("{DRIVERS}/import/preview"), CSV, notes.into_bytes()).await?;
        assert_eq!(preview.expect(StatusCode::OK)["rows"], 1000);
        site.running.stop().await
    }

    async fn vehicles_name_their_drivers(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let (tenant, other) = (site.tenant("acme").await?, site.tenant("other").await?);
        let api = &tenant.admin.api;
        for name in ["Siti", "Agus", "Agus"] {
            api.post(DRIVERS, json!({ "name": name })).await?.expect(StatusCode::CREATED);
        }
        other.admin.api.post(DRIVERS, json!({ "name": "Theirs" })).await?.expect(StatusCode::CREATED);
        // Names that have a name in them are no hindrance, however many.
        let alike: String = (0..600).map(|n| format!("A Siti {n:03}\n")).collect();
        import(api, "mode=valid", &format!("name\n{alike}")).await?;
        let file = "imei,name,primary_driver\n356938035643809,Truck,siti\n490154203237518,Van,Agus\n868686040000008,Bus,Theirs\n";
        let (_, report) = imported(api, "/api/v1/devices/import?mode=valid", CSV, file.into()).await?;
        let wrong: Vec<_> = report["errors"].as_array().context("errors")?.iter().map(|error| (&error["row"], &error["fields"]["primary_driver_id"])).collect();
        assert_eq!(wrong.iter().map(|(row, _)| *row).collect::<Vec<_>>(), [3, 4]);
        assert_ne!(wrong[0].1, wrong[1].1, "two have this name, and nobody has that one");
        let devices = api.get("/api/v1/devices").await?.expect(StatusCode::OK);
        assert_eq!((&devices["total"], &devices["items"][0]["primary_driver"]), (&json!(1), &json!("Siti")));
        site.running.stop().await
    }

    async fn downloaded_template_can_be_imported(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        for (resource, format) in [("drivers", "csv"), ("devices", "xlsx"), ("users", "csv")] {
            for language in ["id", "en", "zh", "jv"] {
                let path = format!("/api/v1/{resource}/import/template?format={format}");
                let (_, file) = api.file(&path, &[("accept-language", language)]).await?;
                let preview = api.upload(&format!("/api/v1/{resource}/import/preview"), CSV, file).await?.expect(StatusCode::OK);
                let columns = preview["columns"].as_array().context("columns")?;
                assert!(!columns.is_empty() && columns.iter().all(|column| column["field"] != ""), "{resource} {language}: {preview}");
            }
        }
        site.running.stop().await
    }

    /// By `null` in a body and by `-` in a file, of every kind of value that need not be there. What is always there stays.
    async fn what_need_not_be_there_can_be_taken_away(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let api = &site.tenant("acme").await?.admin.api;
        let place = json!({ "kind": "warehouse", "name": "Depot", "lat": -6.2, "lng": 106.8, "address": "Jalan" });
        let depot = api.post("/api/v1/master-data", place).await?.expect(StatusCode::CREATED);
        let path = format!("/api/v1/master-data/{}", text(&depot["id"]));
        let half = api.put(&path, json!({ "lat": null })).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert!(half["fields"]["lat"].is_string(), "{half}");
        let nowhere = api.put(&path, json!({ "lat": null, "lng": null, "address": null })).await?.expect(StatusCode::OK);
        assert_eq!((&nowhere["lat"], &nowhere["lng"], &nowhere["address"]), (&Value::Null, &Value::Null, &json!("")));

        let full = json!({
            "imei": "351756051523999", "name": "Truck", "sim_number": "0812", "license_expiry": "2027-01-31",
            "moving_speed": 7, "max_parking_time": 60, "capacity_volume": 12.5, "has_hazmat_certificate": true,
        });
        let truck = api.post("/api/v1/devices", full.clone()).await?.expect(StatusCode::CREATED);
        // Of what is made it means nothing.
        let plan = json!({ "title": "Oil", "device_id": truck["id"], "interval_days": 90, "lead_days": null, "priority": null });
        let plan = api.post("/api/v1/maintenance", plan).await?.expect(StatusCode::CREATED);
        assert_eq!((&plan["lead_days"], &plan["priority"]), (&json!(7), &json!("medium")));
        let (id, path) = (text(&truck["id"]), format!("/api/v1/devices/{}", text(&truck["id"])));
        let empty = |device: &Value| {
            assert!(device["moving_speed"].is_null(), "its tenant's holds: {device}");
            for (name, nothing) in [("sim_number", json!("")), ("license_expiry", json!("")), ("max_parking_time", json!(0)), ("capacity_volume", json!(0.0))] {
                assert_eq!(device[name], nothing, "{name}");
            }
        };
        let names = ["sim_number", "license_expiry", "moving_speed", "max_parking_time", "capacity_volume"];
        let nulls: Value = names.iter().map(|name| ((*name).to_owned(), Value::Null)).collect::<serde_json::Map<_, _>>().into();
        empty(&api.put(&path, nulls).await?.expect(StatusCode::OK));
        for name in ["status", "has_hazmat_certificate", "name"] {
            let refused = api.put(&path, json!({ name: null })).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
            assert!(refused["fields"][name].is_string(), "{refused}");
        }
        api.put(&path, full).await?.expect(StatusCode::OK);
        let file = format!("id,{}\n{id},-,-,-,-,-\n", names.join(","));
        let columns: String = ["id"].iter().chain(&names).map(|name| format!("column={name}&")).collect();
        let (job, _) = imported(api, &format!("/api/v1/devices/import?{columns}mode=all"), CSV, file.into()).await?;
        assert_eq!(job["failed"], 0, "{job}");
        empty(&api.get(&path).await?.expect(StatusCode::OK));
        site.running.stop().await
    }

    async fn files_are_read_for_who_may_import_and_say_what_is_too_much(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let sari = site.account(tenant.id, "sari", false).await?;
        site.allow(tenant.id, &sari, &["driver:list"]).await?;
        let lists = site.sign_in("sari", &["driver:list"]).await?;
        for address in ["import/preview", "import?mode=dry_run"] {
            let refused = lists.api.upload(&format!("{DRIVERS}/{address}"), CSV, b"Nama\nA\n".to_vec()).await?;
            assert_eq!(refused.expect(StatusCode::FORBIDDEN)["error"], "forbidden", "{address}");
        }
        let admin = &tenant.admin.api;
        let wide = format!("Nama{}\nA\n", ",".repeat(300) + "x");
        let long = format!("Nama\n{}\n", "x".repeat(40_000));
        let empty = format!("Nama,x\n{}", format!("{}\n", ",".repeat(150)).repeat(7_000));
        for (file, code) in
            [(wide, "import_too_many_columns"), (long, "import_cell_too_long"), (empty, "import_too_many_cells")]
        {
            let refused = admin.upload(&format!("{DRIVERS}/import/preview"), CSV, file.into_bytes()).await?;
            assert_eq!(refused.expect(StatusCode::UNPROCESSABLE_ENTITY)["error"], code);
        }
        // As much as a file may have reaches the service.
        let large = format!("Nama\n{}", format!("{}\n", "x".repeat(30_000)).repeat(200));
        let (job, _) = import(admin, "mode=valid", &large).await?;
        assert_eq!(job["failed"], 200, "{job}");
        site.running.stop().await
    }

    /// Whatever they are called, in CSV and in Excel, however often.
    async fn exported_names_come_back_as_they_were(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let api = &site.tenant("acme").await?.admin.api;
        let names = ["'=1", "''A", "'Aisyah Putri", "'s-Hertogenbosch", "-", "1.5E+10", "3,56307E+14", "=1", "x;'=1", "x;=1"];
        for name in names {
            api.post(DRIVERS, json!({ "name": name, "notes": name })).await?.expect(StatusCode::CREATED);
        }
        let all = async || {
            let list = api.get(&format!("{DRIVERS}?sort=name")).await?.expect(StatusCode::OK);
            let of = |driver: &Value| (driver["name"].clone(), driver["notes"].clone());
            anyhow::Ok(list["items"].as_array().context("items")?.iter().map(of).collect::<Vec<_>>())
        };
        let before = all().await?;
        for (format, columns) in [("csv", "columns=notes"), ("csv", "columns=notes"), ("xlsx", "columns=phone")] {
            let path = format!("{DRIVERS}/export?format={format}&columns=id&columns=name&{columns}");
            let (_, file) = api.file(&path, &[]).await?;
            let (job, report) = imported(api, &format!("{DRIVERS}/import?mode=all"), CSV, file).await?;
            assert_eq!((&job["failed"], &report["updates"]), (&json!(0), &json!(names.len())), "{format}: {report}");
            assert_eq!(all().await?, before, "{format}");
        }
        site.running.stop().await
    }

    /// What was exported with all its columns, in words of any language, and is taken in again as it is changes nothing.
    async fn an_exported_file_changes_nothing(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        let made = site.one_of_everything(&tenant).await?;
        let limits = json!({ "icon_type": "truck", "has_hazmat_certificate": true, "speed_limit": 80, "fuel_source": "percent" });
        api.put(&format!("/api/v1/devices/{}", made.device.id), limits).await?.expect(StatusCode::OK);
        for (path, language) in [("devices", "id"), ("drivers", "en")] {
            let list = async || {
                let mut list = api.get(&format!("/api/v1/{path}?page_size=500")).await?.expect(StatusCode::OK);
                for item in list["items"].as_array_mut().context("items")? {
                    item.as_object_mut().context("an object")?.retain(|name, _| !matches!(name.as_str(), "row_version" | "updated_at"));
                }
                anyhow::Ok(list)
            };
            let before = list().await?;
            let (_, _, columns) = EXPORTS.iter().find(|(subject, ..)| *subject == path).context("its columns")?;
            let columns = columns.iter().map(|(name, _)| *name).filter(|name| *name != "tenant");
            let columns: Vec<_> = columns.map(|name| format!("columns={name}")).collect();
            let file = format!("/api/v1/{path}/export?{}", columns.join("&"));
            let file = api.request(Method::GET, &file, &[("accept-language", language)], None).await?.text;
            let (job, report) = imported(api, &format!("/api/v1/{path}/import?mode=all"), CSV, file.clone().into()).await?;
            assert_eq!((&job["failed"], &report["errors"], &report["creates"]), (&json!(0), &json!([]), &json!(0)), "{path}: {file}");
            assert!(report["updates"].as_u64() > Some(0), "{path}: {report}");
            assert_eq!(list().await?, before, "{path}: {file}");
        }
        site.running.stop().await
    }
}
