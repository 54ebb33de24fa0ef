//! The track of a device.

use armada_proto::v1::TrackColumns;
use armada_testkit::{Kind, eventually};
use http::{Method, StatusCode};
use prost::Message;
use serde_json::{Value, json};

use crate::support::{SOON, Site, gpx};

#[tokio::test(flavor = "multi_thread")]
async fn a_track_is_half_open_and_complete() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    site.drive(&truck, 1_700_000_000, -6.2).await?;
    let fixes: Vec<_> = (1..1_200)
        .map(|second| {
            let at = armada_proto::Timestamp::from_millis((1_700_000_000 + second) * 1000);
            json!({ "recorded_at": at.to_rfc3339(), "lat": -6.2, "lng": 106.8, "attrs": { "n": second } })
        })
        .collect();
    site.gateway.report(&truck.imei, &Value::from(fixes)).await?;
    site.drive(&truck, 1_700_001_200, -6.2).await?;

    let api = &tenant.admin.api;
    let path = format!("/api/v1/devices/{}/track", truck.id);
    let track = async |query: &str| {
        let reply = api.get(&format!("{path}?{query}")).await?;
        assert_eq!(reply.headers["content-type"], "application/json");
        anyhow::Ok(reply.expect(StatusCode::OK)["items"].as_array().expect("items").clone())
    };
    let all = track("from=2023-11-14T22:13:20Z&to=2023-11-14T22:33:21Z").await?;
    assert_eq!(all.len(), 1_201);
    assert!(all.windows(2).all(|pair| pair[0]["recorded_at"].as_str() < pair[1]["recorded_at"].as_str()));
    assert_eq!(all[7]["attrs"], json!({ "n": 7 }));
    assert!(all[0].get("device_id").is_none());
    let some = track("from=2023-11-14T22:13:20Z&to=2023-11-15T05:13:22%2B07:00").await?;
    assert_eq!(some.len(), 2, "from is in it, to is not");
    assert_eq!(track("").await?, Vec::<Value>::new(), "the last day");
    assert_eq!(track("from=2023-11-14T22:13:20Z&to=2023-11-14T22:13:20Z").await?, Vec::<Value>::new());
    for (query, field) in [
        ("from=2023-11-15T00:00:00Z&to=2023-11-14T00:00:00Z", "from"),
        ("from=yesterday", "from"),
        ("to=2023-13-01T00:00:00Z", "to"),
    ] {
        let body = api.get(&format!("{path}?{query}")).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert!(body["fields"][field].is_string(), "{query}: {body}");
    }
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn track_is_available_as_file_and_columns() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck <1> & more", None).await?;
    site.drive(&truck, 1_700_000_000, -6.2).await?;
    let at = |second: i64| armada_proto::Timestamp::from_millis((1_700_000_000 + second) * 1000).to_rfc3339();
    let fixes = json!([
        { "recorded_at": at(10), "lat": -6.201, "lng": 106.8, "speed": 36, "course": 180.5, "alt": 12.5, "sat": 9,
          "ignition": true, "fuel_liter": 40.5, "fuel_percent": 81, "alarm": "=sos" },
        { "recorded_at": at(20), "lat": -6.202, "lng": 106.8, "valid": false },
        { "recorded_at": at(30), "lat": -7.2, "lng": 106.8, "speed": 36 },
        { "recorded_at": at(8_000), "lat": -6.3, "lng": 106.8, "speed": 20.0, "batt_percent": 55 },
    ]);
    site.gateway.report(&truck.imei, &fixes).await?;
    site.drive(&truck, 1_700_008_010, -6.301).await?;

    let api = &tenant.admin.api;
    let path = format!("/api/v1/devices/{}/track?from=2023-11-14T22:13:20Z&to=2023-11-15T22:13:20Z", truck.id);
    let file = async |format: &str| {
        let reply = api.get(&format!("{path}&format={format}")).await?;
        let head = |name: &str| reply.headers.get(name).map_or("", |value| value.to_str().expect("ASCII")).to_owned();
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
        anyhow::Ok((head("content-type"), head("content-disposition"), reply.text.clone()))
    };
    let (kind, disposition, gpx) = file("gpx").await?;
    gpx::check(&gpx);
    assert!(gpx.contains("<bounds minlat=\"-6.301\" minlon=\"106.8\" maxlat=\"-6.2\" maxlon=\"106.8\"/>"), "{gpx}");
    assert_eq!(kind, "application/gpx+xml");
    assert_eq!(
        disposition,
        "attachment; filename=\"track-2023-11-14_2023-11-15.gpx\"; \
         filename*=UTF-8''Truck%20%3C1%3E%20%26%20more-2023-11-14_2023-11-15.gpx"
    );
    assert!(gpx.contains("<name>Truck &lt;1&gt; &amp; more</name>"), "{gpx}");
    assert_eq!((gpx.matches("<trkseg>").count(), gpx.matches("<trkpt ").count()), (2, 4), "{gpx}");
    let point = format!(
        "<trkpt lat=\"-6.201\" lon=\"106.8\"><ele>12.5</ele><time>{}</time><sat>9</sat><extensions>\
         <gpxtpx:TrackPointExtension><gpxtpx:speed>10.000</gpxtpx:speed><gpxtpx:course>180.5</gpxtpx:course>\
         </gpxtpx:TrackPointExtension></extensions></trkpt>",
        at(10)
    );
    assert!(gpx.contains(&point), "{gpx}");

    let (kind, _, kml) = file("kml").await?;
    assert_eq!(kind, "application/vnd.google-earth.kml+xml");
    assert_eq!((kml.matches("<gx:Track>").count(), kml.matches("<when>").count()), (2, 4), "{kml}");
    assert!(kml.contains("<gx:coord>106.8 -6.201 12.5</gx:coord>") && kml.ends_with("</kml>\n"), "{kml}");

    let (kind, _, csv) = file("csv").await?;
    assert_eq!(kind, "text/csv; charset=utf-8");
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines.len(), 7, "{csv}");
    assert!(lines[0].ends_with("recorded_at,lat,lng,speed,course,alt,sat,valid,motion,motion_since,ignition,odometer,engine_seconds,fuel_liter,fuel_percent,batt_percent,charge,gsm_signal,alarm,mark"), "{csv}");
    assert!(lines[2].starts_with(&format!("{},-6.201,106.8,36,180.5,12.5,9,true,moving,", at(10))), "{csv}");
    assert!(lines[2].ends_with(",40.5,81,,,,'=sos,"), "no formula: {csv}");
    assert!(lines[4].starts_with(&format!("{},-7.2,106.8,", at(30))) && lines[4].ends_with(",jump"), "{csv}");

    let (kind, _, geojson) = file("geojson").await?;
    assert_eq!(kind, "application/geo+json");
    let geojson: Value = serde_json::from_str(&geojson)?;
    let features = geojson["features"].as_array().expect("features");
    assert_eq!((geojson["type"].as_str(), features.len()), (Some("FeatureCollection"), 6));
    assert_eq!(features[1]["geometry"], json!({ "type": "Point", "coordinates": [106.8, -6.201, 12.5] }));
    assert_eq!(features[1]["properties"]["alarm"], "=sos");
    assert_eq!((&features[3]["properties"]["mark"], features[1]["properties"].get("mark")), (&json!("jump"), None));

    let (headers, columns) = api.file(&format!("{path}&format=columns"), &[]).await?;
    assert_eq!(headers["content-type"], "application/x-protobuf");
    let columns = TrackColumns::decode(columns.as_slice())?;
    let times = columns.recorded_at.iter().scan(0, |time, step| {
        *time += step;
        Some(*time - 1_700_000_000_000)
    });
    assert_eq!(times.collect::<Vec<_>>(), [0, 10_000, 20_000, 30_000, 8_000_000, 8_010_000]);
    assert_eq!((columns.present[3] >> 14, &columns.alarm, columns.complete), (1, &vec!["=sos".to_owned()], true));
    let none = api.get(&format!("/api/v1/devices/{}/track?format=gpx", truck.id)).await?;
    assert!(none.text.ends_with("</trk>\n</gpx>\n") && !none.text.contains("trkseg"), "{}", none.text);
    gpx::check(&none.text);
    assert!(!none.text.contains("bounds"), "of nothing: {}", none.text);
    let jakarta = "from=2023-11-14T17:00:00Z&to=2023-11-15T17:00:00Z&tz=Asia/Jakarta";
    let day = api.get(&format!("/api/v1/devices/{}/track?{jakarta}&format=csv", truck.id)).await?;
    assert!(day.headers["content-disposition"].to_str()?.contains("\"track-2023-11-15.csv\""), "{:?}", day.headers);
    for (wrong, field) in [("format=shp", "format"), ("format=csv&tz=Asia/Nowhere", "tz")] {
        let body = api.get(&format!("{path}&{wrong}")).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert!(body["fields"][field].is_string(), "{body}");
    }

    // Other thresholds hold for what is there: in the columns, and in the gaps of a line.
    let slow = |motion: &str| format!("{},-6.3,106.8,20,,,,true,{motion},", at(8_000));
    assert!(lines[5].starts_with(&slow("moving")), "{csv}");
    let thresholds = json!({ "moving_speed": 25, "gap_seconds": 10_800 });
    api.put("/api/v1/thresholds", thresholds).await?.expect(StatusCode::OK);
    eventually("it stood with the engine on", SOON, async || {
        let (_, _, csv) = file("csv").await?;
        anyhow::ensure!(csv.lines().any(|line| line.starts_with(&slow("idle"))), "{csv}");
        Ok(())
    })
    .await;
    let (_, _, gpx) = file("gpx").await?;
    assert_eq!((gpx.matches("<trkseg>").count(), gpx.matches("<trkpt ").count()), (1, 4), "{gpx}");
    let (_, _, kml) = file("kml").await?;
    let parts = (kml.matches("<gx:Track>").count(), kml.matches("<when>").count());
    assert_eq!(parts, (2, 5), "a part of each day, the second from where the first ended: {kml}");
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_trips_and_stops() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    site.drive(&truck, 1_700_000_000, -6.2).await?;
    let fixes: Vec<_> = (1..=120)
        .map(|n| {
            let at = armada_proto::Timestamp::from_millis((1_700_000_000 + n * 10) * 1000);
            // Ten minutes on the road, and ten beside it.
            let (lat, speed) = (-6.2 - 0.0009 * n.min(60) as f64, if n <= 60 { 36 } else { 0 });
            json!({ "recorded_at": at.to_rfc3339(), "lat": lat, "lng": 106.8, "speed": speed, "ignition": n <= 60 })
        })
        .collect();
    site.gateway.report(&truck.imei, &Value::from(fixes)).await?;
    let api = &tenant.admin.api;
    let path = format!("/api/v1/devices/{}/track/segments", truck.id);
    let day = "from=2023-11-14T22:13:20Z&to=2023-11-15T22:13:20Z";
    let items = eventually("all fixes are there", SOON, async || {
        let body = api.get(&format!("{path}?{day}")).await?.expect(StatusCode::OK);
        let items = body["items"].as_array().expect("items").clone();
        anyhow::ensure!(items.last().is_some_and(|last| last["to"] == "2023-11-14T22:33:20Z"), "{body}");
        Ok(items)
    })
    .await;
    let [trip, stop] = &items[..] else { panic!("{items:?}") };
    assert_eq!((&trip["kind"], &stop["kind"]), (&json!("trip"), &json!("stop")));
    assert_eq!((&trip["to"], &stop["from"]), (&stop["from"], &json!("2023-11-14T22:23:30Z")));
    assert_eq!((&trip["ongoing"], &stop["ongoing"]), (&json!(false), &json!(true)));
    assert_eq!((&trip["max_speed"], &trip["moving_seconds"]), (&json!(36.0), &json!(610.0)));
    let distance = trip["distance"].as_f64().expect("metres");
    assert!((5_900.0..6_100.0).contains(&distance), "{trip}");
    let empty = api.get(&path).await?.expect(StatusCode::OK);
    assert_eq!(empty["items"], json!([]), "the last day");

    // For readers that know no gx:Track, a line of the trip alone, and a point of the stop.
    let file = format!("/api/v1/devices/{}/track?{day}&format=kml&tz=Asia/Jakarta", truck.id);
    let kml = api.request(Method::GET, &file, &[("accept-language", "id")], None).await?.text;
    let (_, line) = kml.split_once("<LineString><tessellate>1</tessellate><coordinates>\n").expect("a line");
    let (line, _) = line.split_once("</coordinates>").expect("its end");
    let places: Vec<_> = line.lines().collect();
    assert_eq!((places.len(), places[0], places[61]), (62, "106.8,-6.2", "106.8,-6.254"), "{kml}");
    assert_eq!((kml.matches("<LineString>").count(), kml.matches("<Point>").count()), (1, 1), "{kml}");
    let trip = "<name>Perjalanan 1</name><description>2023-11-15 05:13:20 – 05:23:30 (Asia/Jakarta)</description>";
    let stop = "<name>Berhenti 1</name><description>2023-11-15 05:23:30 – 05:33:20 (Asia/Jakarta)</description>\
                <styleUrl>#stop</styleUrl>\n<Point><coordinates>106.8,-6.254</coordinates></Point>";
    assert!(kml.contains(trip) && kml.contains(stop), "{kml}");
    let places = (kml.matches("<gx:coord>").count(), kml.matches("<Placemark>").count());
    assert_eq!(places, (121, kml.matches("</Placemark>").count()), "{kml}");
    let body = api.get(&format!("{path}?from=2023-11-15T00:00:00Z&to=2023-11-14T00:00:00Z")).await?;
    assert!(body.expect(StatusCode::UNPROCESSABLE_ENTITY)["fields"]["from"].is_string());
    site.running.stop().await
}
