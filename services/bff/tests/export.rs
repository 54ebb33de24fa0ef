//! Files of devices, as a browser fetches them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use armada_testkit::{Reply, both_databases};
use http::{Method, StatusCode};
use serde_json::json;
use support::Site;

const FILE: &str = "/api/v1/devices/export";

async fn fetch(person: &support::Person, query: &str, language: &str) -> anyhow::Result<Reply> {
    let headers = [("accept-language", language)];
    person.api.request(Method::GET, &format!("{FILE}?{query}"), &headers, None).await
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
            "\u{feff}Name,Plate / vehicle code,Kind of vehicle,Parking limit (seconds)\r\n\
             '=1+1,\"B 1, \"\"X\"\"\",Truck,0\r\nBus kota,'@sum,Bus,0\r\n"
        );
        let disposition = header(&reply, "content-disposition");
        assert!(disposition.starts_with("attachment; filename=\"devices-20"), "{disposition}");
        assert!(disposition.contains("filename*=UTF-8''Devices-20") && disposition.ends_with(".csv"), "{disposition}");

        let reply = fetch(&budi, "icon_type=bus&columns=icon_type&columns=status", "zh").await?;
        assert_eq!(reply.text, "\u{feff}车辆类别,状态\r\n客车,启用\r\n");
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

    async fn wrong_questions_are_refused_before_a_file_begins(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        for (query, field) in [
            ("columns=password", "columns"),
            ("format=pdf", "format"),
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
