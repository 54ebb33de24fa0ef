//! Files of devices, as a browser fetches them.

use armada_testkit::{Reply, both_databases, eventually};
use http::{Method, StatusCode};
use serde_json::json;

use crate::support::{self, SOON, Site};

const FILE: &str = "/api/v1/devices/export";

async fn fetch(person: &support::Person, query: &str, language: &str) -> anyhow::Result<Reply> {
    let headers = [("accept-language", language)];
    person.api.request(Method::GET, &format!("{FILE}?{query}"), &headers, None).await
}

/// The whole file; an error when its end never came.
async fn fetch_bytes(person: &support::Person, query: &str) -> anyhow::Result<Vec<u8>> {
    Ok(person.api.file(&format!("{FILE}?{query}"), &[]).await?.1)
}

/// A text without its spaces and lines.
fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

fn header<'a>(reply: &'a Reply, name: &str) -> &'a str {
    reply.headers[name].to_str().unwrap()
}

both_databases! {
    async fn a_list_becomes_a_file(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let budi = site.user(tenant.id, "budi", false).await?;
        for (name, code, icon) in [("=1+1", "B 1, \"X\"", "truck"), ("Bus kota", "@sum", "bus")] {
            let imei = format!("49015420323{:04}", name.len());
            let body = json!({ "imei": imei, "name": name, "vehicle_code": code, "icon_type": icon, "user_id": budi.id });
            tenant.admin.api.post("/api/v1/devices", body).await?.expect(StatusCode::CREATED);
        }
        let other = site.tenant("other").await?;
        other.admin.device(350_000_000_000_006, "Theirs", None).await?;

        let columns = "columns=name&columns=vehicle_code&columns=icon_type&columns=max_parking_time&sort=name";
        let reply = fetch(&tenant.admin, columns, "en").await?;
        assert_eq!(reply.status, StatusCode::OK);
        assert_eq!(header(&reply, "content-type"), "text/csv; charset=utf-8");
        assert_eq!(
            reply.text,
            "\u{feff}Name,Plate,Map icon,Parking limit (seconds)\r\n\
             '=1+1,\"B 1, \"\"X\"\"\",Truck,0\r\nBus kota,'@sum,Bus,0\r\n"
        );
        let disposition = header(&reply, "content-disposition");
        assert!(disposition.starts_with("attachment; filename=\"devices-20"), "{disposition}");
        assert!(disposition.contains("filename*=UTF-8''Devices-20") && disposition.ends_with(".csv"), "{disposition}");

        let reply = fetch(&budi, "icon_type=bus&columns=icon_type&columns=status", "zh").await?;
        assert_eq!(reply.text, "\u{feff}地图图标,状态\r\n客车,启用\r\n");
        assert!(header(&reply, "content-disposition").contains("UTF-8''%E8%AE%BE%E5%A4%87-"), "{:?}", reply.headers);
        let reply = fetch(&tenant.admin, "columns=created_at&tz=Asia/Jakarta&q=bus", "id").await?;
        assert!(reply.text.starts_with("\u{feff}Dibuat (Asia/Jakarta)\r\n20"), "{}", reply.text);
        let whole = fetch(&tenant.admin, "", "jv").await?.text;
        assert_eq!(whole.lines().count(), 3);
        assert!(!whole.contains("Theirs") && !whole.contains(&budi.id), "{whole}");
        site.running.stop().await
    }

    async fn a_list_becomes_a_workbook(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        tenant.admin.device(490_154_203_237_518, "=cmd", None).await?;
        let (headers, file) =
            tenant.admin.api.file(&format!("{FILE}?format=xlsx&tz=Asia/Jakarta"), &[("accept-language", "id")]).await?;
        assert!(headers["content-disposition"].to_str()?.ends_with(".xlsx"));
        let mut book: calamine::Xlsx<_> = calamine::open_workbook_from_rs(std::io::Cursor::new(file))?;
        let rows = calamine::Reader::worksheet_range(&mut book, "Perangkat")?;
        let text = |cell: (u32, u32)| rows.get_value(cell).map(ToString::to_string).unwrap();
        assert_eq!((text((0, 0)), text((1, 0)), text((1, 5))), ("Nama".into(), "=cmd".into(), "490154203237518".into()));
        assert!(matches!(rows.get_value((1, 5)), Some(calamine::Data::String(_))), "an IMEI is no number");
        assert!(matches!(rows.get_value((1, 9)), Some(calamine::Data::DateTime(_))));
        site.running.stop().await
    }

    async fn a_list_becomes_a_document(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let budi = site.user(tenant.id, "budi", false).await?;
        tenant.admin.device(490_154_203_237_518, "Truk 运输 Ω", Some(&budi.id)).await?;
        tenant.admin.device(350_000_000_000_006, "Nobody's", None).await?;
        let file = async |person: &support::Person, query: &str, language: &str| {
            let (headers, file) = person.api.file(&format!("{FILE}?format=pdf&{query}"), &[("accept-language", language)]).await?;
            anyhow::ensure!(headers["content-type"] == "application/pdf" && headers["content-language"] == language);
            anyhow::ensure!(headers["content-disposition"].to_str()?.ends_with(".pdf"));
            let document = lopdf::Document::load_mem(&file)?;
            // Each run of a font is a line of its own for this reader.
            anyhow::Ok(without_spaces(&document.extract_text(&[1])?))
        };
        let query = format!("tz=Asia/Jakarta&status=active&q=truk&userIds={}", budi.id);
        for (language, wanted) in [
            ("id", ["Perangkat", "Perusahaan: acme", "Pencarian: truk; Pemilik: budi; Status: Aktif", "(Asia/Jakarta)", "Halaman 1 dari 1"]),
            ("en", ["Devices", "Company: acme", "Search: truk; Owner: budi; Status: Active", "(Asia/Jakarta)", "Page 1 of 1"]),
            ("zh", ["设备", "acme", "搜索: truk; 所有者: budi; 状态: 启用", "(Asia/Jakarta)", "第 1 页，共 1 页"]),
            ("jv", ["Piranti", "Perusahaan: acme", "Padosan: truk; Pamilik: budi; Status: Aktif", "(Asia/Jakarta)", "Kaca 1 saking 1"]),
        ] {
            let text = file(&tenant.admin, &query, language).await?;
            for wanted in wanted.into_iter().chain(["Truk 运输 Ω", "490154203237518"]) {
                assert!(text.contains(&without_spaces(wanted)), "{language} {wanted}: {text}");
            }
            assert!(!text.contains("Nobody"), "{text}");
        }
        let other = site.tenant("other").await?;
        other.admin.device(350_000_000_000_014, "Theirs", None).await?;
        let text = file(&site.owner, &format!("tenant_id={}", other.id), "en").await?;
        assert!(text.contains("Tenant:other") && text.contains("Theirs") && !text.contains("Truk"), "{text}");
        let text = file(&site.owner, "", "en").await?;
        assert!(text.contains("Tenant:Alltenants") && text.contains("Truk") && !text.contains("Filter"), "{text}");
        for path in ["users", "audit", "tenants"] {
            let (_, file) = site.owner.api.file(&format!("/api/v1/{path}/export?format=pdf"), &[]).await?;
            assert!(!lopdf::Document::load_mem(&file)?.get_pages().is_empty(), "{path}");
        }
        site.running.stop().await
    }

    async fn a_file_names_owners_and_tenants(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let (acme, other) = (site.tenant("acme").await?, site.tenant("other").await?);
        let budi = site.user(acme.id, "budi", false).await?;
        acme.admin.device(490_154_203_237_518, "Owned", Some(&budi.id)).await?;
        acme.admin.device(350_000_000_000_006, "Nobody's", None).await?;
        other.admin.device(350_000_000_000_014, "Theirs", None).await?;

        let reply = fetch(&acme.admin, "columns=name&columns=owner&sort=name", "id").await?;
        assert_eq!(reply.text, "\u{feff}Nama,Pemilik\r\nNobody's,\r\nOwned,budi\r\n");
        let reply = fetch(&site.owner, "columns=tenant&columns=name&columns=owner&sort=name", "en").await?;
        assert_eq!(reply.text, "\u{feff}Tenant,Name,Owner\r\nacme,Nobody's,\r\nacme,Owned,budi\r\nother,Theirs,\r\n");
        let reply = fetch(&acme.admin, "columns=user_id&q=owned", "en").await?;
        assert_eq!(reply.text, format!("\u{feff}Owner ID\r\n{}\r\n", budi.id), "programs still get ids");

        for (person, column) in [(&budi, "owner"), (&budi, "tenant"), (&acme.admin, "tenant")] {
            fetch(person, &format!("columns={column}"), "en").await?.expect(StatusCode::FORBIDDEN);
        }
        site.running.stop().await
    }

    // The service that knows the names goes away after the file has begun.
    async fn interrupted_export_is_detectable(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let acme = site.tenant("acme").await?;
        acme.admin.device(490_154_203_237_518, "Owned", Some(&acme.admin.id)).await?;
        let names = site.world.context(&[armada_identity::NAME]).await;
        let mut process = site.world.process(&names);
        process.add(armada_identity::build(&names, armada_identity::Config::default()).await?);
        let names = site.world.run(process).await;
        let peers = [
            (armada_identity::NAME, &names.grpc),
            (armada_fleet::NAME, &site.running.grpc),
            (armada_notification::NAME, &site.running.grpc),
            (armada_position_ingest::NAME, &site.running.grpc),
        ];
        let peers = peers.map(|(name, address)| (name.to_owned(), address.clone())).into();
        let context = site.world.context_with_peers(&[], peers).await;
        let mut process = site.world.process(&context);
        process.add(armada_bff::build(&context, armada_bff::Config::default(), |_| None).await?);
        let edge = site.world.run(process).await;
        let admin = support::Person::sign_in(&edge.api(), "admin-of-acme@example.com").await?;

        let (named, plain) = ("columns=name&columns=owner", "columns=name");
        for format in ["csv", "xlsx", "pdf"] {
            fetch_bytes(&admin, &format!("{named}&format={format}")).await?;
        }
        names.abort().await;
        // Its open connections end a moment later.
        eventually("nobody tells names any more", SOON, async || {
            anyhow::ensure!(fetch_bytes(&admin, named).await.is_err(), "the file is whole");
            Ok(())
        })
        .await;
        for format in ["csv", "xlsx"] {
            let broken = fetch_bytes(&admin, &format!("{named}&format={format}")).await.unwrap_err();
            let broken = broken.downcast::<reqwest::Error>()?;
            assert!(broken.status().is_none() && (broken.is_body() || broken.is_decode()), "{format}: {broken:?}");
            fetch_bytes(&admin, &format!("{plain}&format={format}")).await?;
        }
        // A PDF has not begun by then.
        fetch(&admin, &format!("{named}&format=pdf"), "en").await?.expect(StatusCode::SERVICE_UNAVAILABLE);
        edge.stop().await?;
        site.running.stop().await
    }

    // What no id is finds nobody, and another tenant's people stay unknown.
    async fn user_lists_filter_by_ids(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let (acme, other) = (site.tenant("acme").await?, site.tenant("other").await?);
        let budi = site.user(acme.id, "budi", false).await?;
        let names = async |person: &support::Person, path: &str| {
            let list = person.api.get(path).await?.expect(StatusCode::OK);
            let names: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| support::text(&item["name"])).collect();
            anyhow::Ok(names)
        };
        let users = format!("/api/v1/users?sort=name&ids={}&ids={}&ids=x", budi.id, other.admin.id);
        assert_eq!(names(&acme.admin, &users).await?, ["budi"]);
        assert_eq!(names(&site.owner, &users).await?, ["admin-of-other", "budi"]);
        assert!(names(&site.owner, "/api/v1/users?ids=x").await?.is_empty());
        assert_eq!(names(&site.owner, &format!("/api/v1/tenants?ids={}", other.id)).await?, ["other"]);
        let many = format!("/api/v1/users?{}", vec!["ids=x"; 501].join("&"));
        let body = site.owner.api.get(&many).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert!(body["fields"]["ids"].is_string(), "{body}");
        site.running.stop().await
    }

    async fn invalid_exports_fail_before_the_file_begins(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        for (query, field) in [
            ("columns=password", "columns"),
            ("columns=name&columns=imei&columns=name", "columns"),
            ("format=docx", "format"),
            ("tz=Mars/Olympus", "tz"),
            ("sort=nonsense", "sort"),
            ("status=flying", "status"),
            ("icon_type=car&icon_type=plane", "icon_type"),
        ] {
            let reply = fetch(&tenant.admin, query, "en").await?;
            let body = reply.expect(StatusCode::UNPROCESSABLE_ENTITY);
            assert!(body["fields"][field].is_string() && body["fields"].as_object().unwrap().len() == 1, "{query}: {body}");
        }
        let other = site.tenant("other").await?;
        let reply = fetch(&tenant.admin, &format!("tenant_id={}", other.id), "en").await?;
        reply.expect(StatusCode::NOT_FOUND);
        let anonymous = armada_testkit::Api::new(&site.running.api().url(""));
        anonymous.get(FILE).await?.expect(StatusCode::UNAUTHORIZED);
        site.running.stop().await
    }
}
