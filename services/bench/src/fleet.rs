//! `armada-bench fleet`: a tenant with many devices is set up from files, looked through as people do, regrouped and emptied.

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use armada_proto::Timestamp;
use clap::Args;
use serde_json::{Value, json};

use crate::{
    imports::{self, FILE},
    report::{add_rows, machine},
    site::{Site, Target},
};

/// How the head of its table in the history begins.
const TABLE: &str = "| date | machine | database | devices | import of 10,000";
/// Devices of one page.
const PAGE: usize = 500;

/// What is measured.
#[derive(Args)]
pub struct FleetArgs {
    /// Devices of the tenant.
    #[arg(long, default_value_t = 100_000)]
    devices: usize,
    /// How often each list is asked for.
    #[arg(long, default_value_t = 30)]
    requests: usize,
}

/// Measures, prints and remembers.
pub async fn run(args: &FleetArgs, target: &Target) -> Result<()> {
    ensure!(args.devices > 0 && args.requests > 0, "nothing to measure");
    let mut site = Site::start(target).await?;
    let measured = measure(args, &site).await;
    let database = if site.is_postgres() { "PostgreSQL" } else { "SQLite" };
    site.stop().await?;
    let Measured { imports, lists, previewed, linked, regrouped, deleted } = measured?;
    let of_10_000 = |times: &[Duration]| median(times).as_secs_f64();
    print(&lists);
    let worst = |of: fn(&Times) -> Duration| lists.iter().map(|(_, times)| of(times)).max().unwrap_or_default();
    let line = format!(
        "| {} | {} | {database} | {} | {:.1} s | {:.1} s, {:.1} s | {:.1} s, {:.1} s | {} ms, {} ms |",
        &Timestamp::now().to_rfc3339()[..10],
        machine(),
        args.devices,
        of_10_000(&imports),
        previewed.as_secs_f64(),
        linked.as_secs_f64(),
        regrouped.as_secs_f64(),
        deleted.as_secs_f64(),
        worst(|times| times.median).as_millis(),
        worst(|times| times.p95).as_millis(),
    );
    add_rows(TABLE, vec![line])
}

struct Measured {
    /// Each of one file.
    imports: Vec<Duration>,
    lists: Vec<(String, Times)>,
    /// Of as many devices as one file has.
    previewed: Duration,
    linked: Duration,
    regrouped: Duration,
    deleted: Duration,
}

struct Times {
    median: Duration,
    p95: Duration,
}

#[allow(clippy::print_stdout, reason = "the table is what the command is for")]
fn print(lists: &[(String, Times)]) {
    println!("{:>10} {:>10}  list of devices", "median ms", "p95 ms");
    for (query, Times { median, p95 }) in lists {
        println!("{:>10.1} {:>10.1}  {query}", median.as_secs_f64() * 1e3, p95.as_secs_f64() * 1e3);
    }
}

#[allow(clippy::print_stdout, reason = "it takes long")]
async fn measure(args: &FleetArgs, site: &Site) -> Result<Measured> {
    let owner = site.token().await?;
    let tenant = site.post("/api/v1/tenants", Some(&owner), json!({ "name": "Benchmark" }).to_string()).await?;
    let tenant = tenant["id"].as_str().context("an id")?.to_owned();
    let groups = groups(site, &tenant).await?;
    let mut imports = Vec::new();
    for from in (0..args.devices).step_by(FILE) {
        let started = Instant::now();
        let file = file(from..args.devices.min(from + FILE))?;
        imports::devices(site, &tenant, file).await?;
        imports.push(started.elapsed());
        println!("devices {from} and up: {:.1} s", started.elapsed().as_secs_f64());
    }
    let lists = lists(args, site, &tenant, &groups).await?;
    let devices = ids(site, &groups[0], args.devices.min(FILE)).await?;
    let user = user(site, &tenant).await?;
    let previewed = link(site, &user, &devices, true).await?;
    let linked = link(site, &user, &devices, false).await?;
    println!("links previewed in {:.1} s, made in {:.1} s", previewed.as_secs_f64(), linked.as_secs_f64());
    let some = format!("group_id={}", groups[0].id);
    let act = json!({ "filter": { "group_id": [groups[0].id] }, "update": { "group_ids": groups[1].id } });
    let regrouped = bulk(site, &some, act).await?;
    let moved = format!("group_id={}", groups[1].id);
    let act = json!({ "filter": { "group_id": [groups[1].id] }, "delete": {} });
    let deleted = bulk(site, &moved, act).await?;
    println!("regrouped in {:.1} s, deleted in {:.1} s", regrouped.as_secs_f64(), deleted.as_secs_f64());
    Ok(Measured { imports, lists, previewed, linked, regrouped, deleted })
}

struct Group {
    id: String,
    name: &'static str,
}

/// A group for the first file, one that it is moved to, and one for all others.
async fn groups(site: &Site, tenant: &str) -> Result<Vec<Group>> {
    let mut groups = Vec::new();
    let token = site.token().await?;
    for name in ["Jakarta", "Bandung", "Surabaya"] {
        let group = json!({ "tenant_id": tenant, "kind": "device_group", "name": name }).to_string();
        let made = site.post("/api/v1/master-data", Some(&token), group).await?;
        groups.push(Group { id: made["id"].as_str().context("an id")?.to_owned(), name });
    }
    Ok(groups)
}

/// Devices as a spreadsheet has them: names in the places of ids.
fn file(devices: std::ops::Range<usize>) -> Result<String> {
    let mut text = "imei,name,vehicle_code,sim_number,vehicle_model,gps_model,vehicle_status,group_ids\n".to_owned();
    let (vehicles, trackers) =
        (["Toyota Avanza", "Isuzu Traga", "Toyota Hilux"], ["Teltonika FMB920", "Teltonika FMB120"]);
    for n in devices {
        let group = if n < FILE { "Jakarta" } else { "Surabaya" };
        writeln!(
            text,
            "{},Truk {n},B {} KXT,0812{n:08},{},{},{},{group}",
            350_000_000_000_000_u64 + n as u64,
            1_000 + n % 9_000,
            vehicles[n % vehicles.len()],
            trackers[n % trackers.len()],
            if n % 10 == 0 { "Dalam perawatan" } else { "Operasional" },
        )?;
    }
    Ok(text)
}

/// The devices of a group.
async fn ids(site: &Site, group: &Group, count: usize) -> Result<Vec<String>> {
    let (mut ids, mut next) = (Vec::with_capacity(count), Some(String::new()));
    while let Some(after) = next {
        let path = format!("/api/v1/devices?after={after}&page_size={PAGE}&group_id={}", group.id);
        let list = site.get(&path).await?;
        let items = list["items"].as_array().context("a list")?;
        ids.extend(items.iter().filter_map(|item| item["id"].as_str().map(str::to_owned)));
        next = list["next"].as_str().map(str::to_owned);
    }
    ensure!(ids.len() == count, "{} devices instead of {count}", ids.len());
    Ok(ids)
}

/// Somebody who is linked to nothing yet.
async fn user(site: &Site, tenant: &str) -> Result<String> {
    let token = site.token().await?;
    let user = json!({
        "tenant_id": tenant, "name": "Viewer", "email": "viewer@example.com", "password": "correct horse battery",
    });
    let made = site.post("/api/v1/users", Some(&token), user.to_string()).await?;
    Ok(made["id"].as_str().context("an id")?.to_owned())
}

/// Links a user to all of these devices in one request, or asks what would become of each; how long that took.
async fn link(site: &Site, user: &str, devices: &[String], dry_run: bool) -> Result<Duration> {
    let token = site.token().await?;
    let request = json!({ "user_id": user, "role": "viewer", "device_ids": devices, "dry_run": dry_run }).to_string();
    let started = Instant::now();
    let report = site.post("/api/v1/device-members/link", Some(&token), request).await?;
    ensure!(report["succeeded"] == devices.len(), "{} of {}", report["succeeded"], devices.len());
    Ok(started.elapsed())
}

/// Does one act to what a list shows; how long it took.
async fn bulk(site: &Site, query: &str, act: Value) -> Result<Duration> {
    let list = site.get(&format!("/api/v1/devices?page_size=1&{query}")).await?;
    let token = site.token().await?;
    let started = Instant::now();
    let job = site.post("/api/v1/devices/bulk", Some(&token), act.to_string()).await?;
    let is_all = job["total"] == list["total"] || list["more_than_total"] == true;
    ensure!(is_all, "{job}");
    imports::completed(site, &job).await?;
    Ok(started.elapsed())
}

/// The first page with each filter, search and order, as the tenant's own people ask for it: its devices alone.
async fn lists(args: &FleetArgs, site: &Site, tenant: &str, groups: &[Group]) -> Result<Vec<(String, Times)>> {
    let id = async |kind: &str, name: &str| {
        let found = site.get(&format!("/api/v1/master-data?kind={kind}&q={}", name.replace(' ', "%20"))).await?;
        let found = found["items"][0]["id"].as_str().map(str::to_owned);
        found.with_context(|| format!("there is no {kind} {name}"))
    };
    let mut queries = vec![
        String::new(),
        "page=1000".to_owned(),
        "q=truk%20777".to_owned(),
        "q=35".to_owned(),
        "status=active".to_owned(),
        "icon_type=truck".to_owned(),
        format!("gps_brand_id={}", id("gps_brand", "Teltonika").await?),
        format!("gps_model_id={}", id("gps_model", "Teltonika FMB920").await?),
        format!("vehicle_brand_id={}", id("vehicle_brand", "Toyota").await?),
        format!("vehicle_model_id={}", id("vehicle_model", "Toyota Hilux").await?),
        format!("vehicle_status_id={}", id("vehicle_status", "Dalam perawatan").await?),
    ];
    queries.extend(groups.iter().map(|group| format!("group_id={}#{}", group.id, group.name)));
    queries
        .extend(["-name", "vehicle_code", "imei", "primary_driver", "-updated_at"].map(|sort| format!("sort={sort}")));
    let mut lists = Vec::new();
    for query in queries {
        let asked = query.split('#').next().unwrap_or_default();
        let times = times(args.requests, site, &format!("/api/v1/devices?tenant_id={tenant}&{asked}")).await?;
        lists.push((query, times));
    }
    Ok(lists)
}

async fn times(requests: usize, site: &Site, path: &str) -> Result<Times> {
    let token = site.token().await?;
    let mut times = Vec::with_capacity(requests);
    for _ in 0..requests {
        let started = Instant::now();
        site.get_with(path, &token).await?;
        times.push(started.elapsed());
    }
    times.sort();
    Ok(Times { median: median(&times), p95: times[times.len() * 95 / 100] })
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
