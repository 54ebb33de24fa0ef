use armada_position_ingest as ingest;
use armada_proto::{DeviceId, TenantId, binding, v1::DeviceBinding};
use armada_testkit::{Gateway, Kind, World};
use armada_track::{FrameBuilder, Imei, Report};
use prost::Message;
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread")]
async fn scratch() {
    let kind = if std::env::var_os("PG").is_some() { Kind::Postgres } else { Kind::Sqlite };
    let world = World::start(kind).await;
    let context = world.context(&["fleet", ingest::NAME]).await;
    let db = context.database(ingest::NAME).unwrap();
    let mut config = ingest::Config::default();
    if let Ok(s) = std::env::var("SEAL") { config.seal_positions = s.parse().unwrap(); }
    context.bus.ensure_bucket(async_nats::jetstream::kv::Config { bucket: binding::BUCKET.into(), history: 1, ..Default::default() }).await.unwrap();
    ingest::migrate(&context.bus, &db, &config).await.unwrap();
    let mut process = world.process(&context);
    context.peers.register("fleet", tonic::service::Routes::default());
    process.add(ingest::build(&context, config).await.unwrap());
    let n: u64 = std::env::var("N").ok().and_then(|v| v.parse().ok()).unwrap_or(1000);
    let rows: u64 = std::env::var("ROWS").ok().and_then(|v| v.parse().ok()).unwrap_or(100);
    let per: usize = std::env::var("FRAME").ok().and_then(|v| v.parse().ok()).unwrap_or(1000);
    let bucket = context.bus.bucket(binding::BUCKET).await.unwrap();
    let tenant = TenantId::new();
    let imeis: Vec<Imei> = (0..n).map(|i| Imei::with_check_digit(35_693_803_000_000 + i).unwrap()).collect();
    for imei in &imeis {
        let b = DeviceBinding { device_id: DeviceId::new().to_string(), tenant_id: tenant.to_string(), ..Default::default() };
        bucket.put(binding::key(&imei.to_string()), binding::encode(&b).into()).await.unwrap();
    }
    let running = world.run(process).await;
    let gw = Gateway::connect_trusted(&world.nats, "t").await;
    while !context.health.is_ready() { tokio::time::sleep(Duration::from_millis(20)).await; }
    // build frames
    let mut frames = Vec::new();
    for p in 0..8u32 {
        let mine: Vec<(usize, &Imei)> = imeis.iter().enumerate().filter(|(_, i)| i.partition(8) == p).collect();
        let mut f = FrameBuilder::default();
        for s in 0..rows {
            for (i, imei) in &mine {
                let t = 1_767_571_200_000 + s as i64 * 5000 + *i as i64 % 1000;
                let speed = 300 + ((s * 7 + *i as u64 * 13) % 200) as u32;
                let mut r = Report::new(t, -61_000_000 + (*i as i32 % 1000) * 1000 + (s as i32) * (60 + *i as i32 % 17), 1_068_000_000 + (s as i32) * 83);
                r.speed = Some(speed); r.course = Some(((s * 3) % 3600) as u32); r.sat = Some(9 + (s % 4) as u32); r.ignition = Some(true);
                f.push(**imei, &r);
                if f.len() >= per { frames.push((p, f.take().encode_to_vec())); }
            }
        }
        if !f.is_empty() { frames.push((p, f.take().encode_to_vec())); }
    }
    // interleave partitions
    frames.sort_by_key(|(p, f)| (f.as_ptr() as usize % 977, *p));
    let total = n * rows;
    let bytes: usize = frames.iter().map(|f| f.1.len()).sum();
    eprintln!("{} frames {} positions, {} B/pos in", frames.len(), total, bytes as f64 / total as f64);
    let t0 = Instant::now();
    let cpu0 = cpu();
    let js = context.bus.jetstream.clone();
    let pubber = tokio::spawn(async move {
        let mut acks = std::collections::VecDeque::new();
        for (p, f) in frames {
            let a = js.publish(format!("gps.t.frame.{p}"), f.into()).await.unwrap();
            acks.push_back(a);
            if acks.len() > 16 { acks.pop_front().unwrap().await.unwrap(); }
        }
        for a in acks { a.await.unwrap(); }
    });
    let tx = db.read(&armada_runtime::Scope::Platform).await.unwrap();
    drop(tx);
    loop {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let text = reqwest_metrics(&context).await;
        let stored: u64 = text.lines().find(|l| l.starts_with("armada_ingest_positions_stored_total")).and_then(|l| l.split(' ').nth(1)).unwrap_or("0").parse().unwrap();
        if stored >= total || t0.elapsed() > Duration::from_secs(60) {
            eprintln!("stored {stored} of {total} in {:?}: {:.0}/s; own cpu {:.2} us/pos", t0.elapsed(), stored as f64 / t0.elapsed().as_secs_f64(), (cpu() - cpu0) * 1e6 / total as f64);
            eprintln!("{}", text.lines().filter(|l| !l.starts_with('#')).collect::<Vec<_>>().join("\n"));
            break;
        }
    }
    pubber.await.unwrap();
    let t1 = Instant::now();
    for p in 0..8 { eprint!("seal {p}: {:?} ", ingest::seal_now(&context.bus, p).await); }
    eprintln!("sealed in {:?}", t1.elapsed());
    if kind == Kind::Sqlite {
        if let armada_runtime::db::Location::Sqlite(d) = &world.location { eprintln!("{}", String::from_utf8_lossy(&std::process::Command::new("ls").arg("-la").arg(d).output().unwrap().stdout)); }
    }
    running.stop().await.unwrap();
}
async fn reqwest_metrics(c: &armada_runtime::Context) -> String {
    use http_body_util::BodyExt;
    let r = c.health.router();
    let res = tower::ServiceExt::oneshot(r, http::Request::get("/metrics").body(axum::body::Body::empty()).unwrap()).await.unwrap();
    String::from_utf8(res.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = s.rsplit(')').next().unwrap().split_whitespace().collect();
    (f[11].parse::<f64>().unwrap() + f[12].parse::<f64>().unwrap()) / 100.0
}
