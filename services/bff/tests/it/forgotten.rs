//! What a new resource has to be entered in, found from the contract and the tables, so that nothing is forgotten: each list
//! hides what its tenant takes along, each table is emptied with it, each order of the contract is one that a service knows.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use armada_proto::TenantId;
use armada_testkit::{IdColumn, Kind, Schema, both_databases, eventually, run_body};
use http::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{SERVICES, SOON, Site};

/// Lists that show nothing of a tenant to a platform owner, and why.
const NOT_OF_TENANTS: [(&str, &str); 3] = [
    ("list_alarm_names", "what trackers of anybody call their alarms"),
    ("list_heard_imeis", "trackers that nobody has"),
    ("list_saved_views", "of the tenant's own people, who cannot sign in"),
];

/// Lists that go on to show a deleted tenant, and why.
const STAY: [(&str, &str); 3] = [
    ("list_audit", "the operator's own record"),
    ("list_imei_assignments", "whoever promises the IMEI to another has to know"),
    ("list_jobs", "what was done, as in the audit"),
];

/// Tables that say what is erased.
const LEDGERS: [&str; 6] =
    ["device_erasure", "device_erasure_pending", "erased_device", "erased_tenant", "erasure", "erasure_pending"];

/// Where a tenant's id is found when it is erased, and why.
const KEPT_OF_TENANTS: [(&str, &str); 9] = [
    ("identity.audit_entry.chain", "the chain stays whole, its entries are blank"),
    ("identity.audit_entry.tenant_id", "as above"),
    ("identity.audit_head.chain", "as above"),
    ("identity.audit_head.tenant_id", "as above"),
    ("identity.erasure.tenant_id", "the ledger"),
    ("identity.removed_gateway.former_tenant_id", "streams still hold what it sent, and its name is not given again"),
    ("notification.erased_tenant.tenant_id", "the ledger"),
    ("position-ingest.erased_tenant.tenant_id", "the ledger"),
    ("position-ingest.erasure_pending.tenant_id", "until what was on its way is sealed"),
];

/// The same of a device.
const KEPT_OF_DEVICES: [(&str, &str); 4] = [
    ("fleet.device_erasure.device_id", "the ledger"),
    ("notification.erased_device.device_id", "the ledger"),
    ("position-ingest.device_erasure_pending.device_id", "until what was on its way is sealed"),
    ("position-ingest.erased_device.device_id", "the ledger"),
];

/// What lists something in pages.
struct List {
    address: String,
    sortable: Vec<String>,
    is_of_tenant: bool,
}

/// Where a user's id is found when they are removed, and why.
const KEPT_OF_USERS: [(&str, &str); 11] = [
    ("fleet.command.decided_by", "who did it, as an id that leads to nobody"),
    ("fleet.command.user_id", "as above"),
    ("fleet.file.uploaded_by", "as above"),
    ("fleet.imei_claim.claimed_by", "as above"),
    ("fleet.imei_claim.decided_by", "as above"),
    ("fleet.job.created_by", "as above"),
    ("fleet.meter_correction.created_by", "as above"),
    ("fleet.tracker_replacement.created_by", "as above"),
    ("identity.audit_entry.actor_id", "as above"),
    ("identity.job.created_by", "as above"),
    ("notification.alarm.acknowledged_by", "as above"),
];

/// Ids of something else than what they are called after.
const OF_NO_USER: [&str; 5] = ["chain", "id", "lane", "repeats", "share_of"];

/// Whether an id names a user.
fn names_user(column: &IdColumn) -> bool {
    column.name == "user_id" || column.name.ends_with("_by") || ["actor_id", "shown_to"].contains(&&*column.name)
}

/// The operations that list something in pages, by their names.
fn lists() -> BTreeMap<String, List> {
    let document: Value = serde_json::from_str(armada_openapi::DOCUMENT).expect("JSON");
    let mut lists = BTreeMap::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        let parameters = methods["get"]["parameters"].as_array().into_iter().flatten();
        let named = |wanted: &str| parameters.clone().find(|parameter| parameter["name"] == wanted);
        let name = methods["get"]["operationId"].as_str().unwrap_or_default().to_owned();
        if named("page").is_none() || path.contains('{') || !name.starts_with("list_") {
            continue;
        }
        let sortable = named("sort").map(|sort| sort["schema"]["x-sortable"].clone()).unwrap_or_default();
        let sortable = sortable.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
        // Jobs are those of a service.
        let of = if named("service").is_some() { "service=fleet&" } else { "" };
        let (address, is_of_tenant) = (format!("{path}?{of}"), named("tenant_id").is_some());
        lists.insert(name, List { address, sortable: sortable.collect(), is_of_tenant });
    }
    lists
}

/// The lists in which a platform owner finds one of these, among all or of their tenant alone.
async fn lists_with(site: &Site, tenant: TenantId, ids: &[String]) -> anyhow::Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for (name, list) in lists() {
        let newest = if list.sortable.iter().any(|name| name == "created_at") { "&sort=-created_at" } else { "" };
        let all = format!("{}page_size=500{newest}", list.address);
        let narrowed = list.is_of_tenant.then(|| format!("{all}&tenant_id={tenant}"));
        for address in narrowed.into_iter().chain([all]) {
            let reply = site.owner.api.get(&address).await?;
            anyhow::ensure!(
                [StatusCode::OK, StatusCode::NOT_FOUND].contains(&reply.status),
                "{address}: {}",
                reply.text
            );
            let listed = reply.text;
            if ids.iter().any(|id| listed.contains(id)) {
                found.insert(name.clone());
            }
        }
    }
    Ok(found)
}

fn names(known: &[(&str, &str)]) -> BTreeSet<String> {
    known.iter().map(|(name, _)| (*name).to_owned()).collect()
}

both_databases! {
    async fn what_is_listed_of_a_tenant_is_hidden_with_it(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("gone").await?;
        let mut ids = site.one_of_everything(&tenant).await?.ids;
        ids.push(tenant.id.to_string());
        let all: BTreeSet<_> = lists().into_keys().collect();
        let known = names(&NOT_OF_TENANTS);
        eventually("the lists have something of it", SOON, async || {
            let listed = lists_with(&site, tenant.id, &ids).await?;
            let empty: BTreeSet<_> = all.difference(&listed).cloned().collect();
            let missing: Vec<_> = empty.symmetric_difference(&known).collect();
            anyhow::ensure!(missing.is_empty(), "{missing:?}: make one in `support/everything.rs`");
            Ok(())
        })
        .await;
        let path = format!("/api/v1/tenants/{}?name=gone", tenant.id);
        site.owner.api.delete(&path).await?.expect(StatusCode::OK);
        eventually("the lists hide it", SOON, async || {
            let (left, stay) = (lists_with(&site, tenant.id, &ids).await?, names(&STAY));
            anyhow::ensure!(left == stay, "they still list it: {:?}; hide it in `erasures.rs` of their service", left.difference(&stay));
            Ok(())
        })
        .await;
        site.running.stop().await
    }

    async fn lists_are_sorted_by_all_that_the_contract_offers(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        for List { address, sortable, .. } in lists().into_values() {
            for name in &sortable {
                for sort in [name.clone(), format!("-{name}")] {
                    let listed = site.owner.api.get(&format!("{address}sort={sort}")).await?;
                    assert_eq!(listed.status, StatusCode::OK, "{address}: `sort` of the contract has {name}, `sortable` of the service has not");
                }
            }
            if !sortable.is_empty() {
                let unknown = site.owner.api.get(&format!("{address}sort=nothing")).await?;
                assert!(unknown.expect(StatusCode::UNPROCESSABLE_ENTITY)["fields"]["sort"].is_string(), "{address}");
            }
        }
        site.running.stop().await
    }
}

/// Each table that names a tenant has a row of this one.
#[test]
fn tables_are_emptied_with_their_tenant() -> anyhow::Result<()> {
    run_body(|| async {
        let site = Site::start(Kind::Sqlite).await?;
        let tenant = site.tenant("gone").await?;
        let device = site.one_of_everything(&tenant).await?.device;
        let path = format!("/api/v1/tenants/{}", tenant.id);
        site.owner.api.delete(&format!("{path}?name=gone")).await?.expect(StatusCode::OK);
        let schema = Schema::of(&site.world, &SERVICES).await?;
        let ids = [("tenant_id", tenant.id.0), ("device_id", device.id.0)];
        fill(&schema, &ids).await?;
        let erasure = site.owner.api.post(&format!("{path}/erasure"), json!({ "name": "gone" })).await?;
        erasure.expect(StatusCode::NO_CONTENT);
        erased(&schema, tenant.id.0, &KEPT_OF_TENANTS).await;
        site.running.stop().await
    })
}

/// Each table that names a device has a row of this one.
#[test]
fn tables_are_emptied_with_their_device() -> anyhow::Result<()> {
    run_body(|| async {
        let site = Site::start(Kind::Sqlite).await?;
        let tenant = site.tenant("one").await?;
        let device = site.one_of_everything(&tenant).await?.device;
        let path = format!("/api/v1/devices/{}", device.id);
        site.owner.api.delete(&path).await?.expect(StatusCode::NO_CONTENT);
        let schema = Schema::of(&site.world, &SERVICES).await?;
        let ids = [("device_id", device.id.0), ("tenant_id", tenant.id.0)];
        fill(&schema, &ids).await?;
        let erasure = site.owner.api.post(&format!("{path}/erasure"), json!({ "name": "Theirs" })).await?;
        erasure.expect(StatusCode::NO_CONTENT);
        erased(&schema, device.id.0, &KEPT_OF_DEVICES).await;
        site.running.stop().await
    })
}

/// Each table that names a user has a row of this one.
#[test]
fn tables_are_emptied_of_removed_users() -> anyhow::Result<()> {
    run_body(|| async {
        let site = Site::start(Kind::Sqlite).await?;
        let tenant = site.tenant("one").await?;
        site.one_of_everything(&tenant).await?;
        let user: Uuid = site.account(tenant.id, "gone", false).await?.parse()?;
        tenant.admin.device(861_230_041_234_567, "Own", Some(&user.to_string())).await?;
        let schema = Schema::of(&site.world, &SERVICES).await?;
        let is_known = |name: &str| name.ends_with("_id") || OF_NO_USER.contains(&name);
        let unknown = schema.columns().filter(|column| !names_user(column) && !is_known(&column.name));
        assert_eq!(unknown.collect::<Vec<_>>(), [], "say in `names_user` or `OF_NO_USER` whether they name users");
        let there = schema.places_of(user).await?;
        let empty: Vec<_> = schema
            .columns()
            .filter(|column| names_user(column) && !there.iter().any(|place| place.table == column.table))
            .collect();
        let tables: BTreeSet<_> = empty.iter().map(|column| (column.service.clone(), column.table.clone())).collect();
        let tables: Vec<_> = tables.into_iter().collect();
        schema
            .fill(&tables, |column| match &*column.name {
                "tenant_id" => Some(tenant.id.0),
                _ => names_user(column).then_some(user),
            })
            .await?;
        site.owner.api.delete(&format!("/api/v1/users/{user}")).await?.expect(StatusCode::NO_CONTENT);
        erased(&schema, user, &KEPT_OF_USERS).await;
        site.running.stop().await
    })
}

/// Puts a row into each table that has a column of the first name and no row with its id yet. Ledgers say what was erased
/// already, so nothing is put there.
async fn fill(schema: &Schema, ids: &[(&str, Uuid)]) -> anyhow::Result<()> {
    let (first, id) = ids[0];
    let table = |column: &IdColumn| (column.service.clone(), column.table.clone());
    let there: Vec<_> = schema.places_of(id).await?.iter().map(table).collect();
    let named = schema.columns().filter(|column| column.name == first);
    let named = named.filter(|column| !LEDGERS.contains(&&*column.table));
    let empty: Vec<_> = named.map(|column| table(&column)).filter(|table| !there.contains(table)).collect();
    let of = |column: &IdColumn| ids.iter().find(|(name, _)| column.name == *name).map(|(_, id)| *id);
    schema.fill(&empty, of).await
}

/// Waits until an id is found nowhere but where it is kept.
async fn erased(schema: &Schema, id: Uuid, kept: &[(&str, &str)]) {
    let kept = names(kept);
    eventually("nothing is left", SOON, async || {
        let left = schema.places_of(id).await?.iter().map(IdColumn::to_string).collect::<BTreeSet<_>>();
        let (more, fewer): (Vec<_>, Vec<_>) = (left.difference(&kept).collect(), kept.difference(&left).collect());
        anyhow::ensure!(
            more.is_empty() && fewer.is_empty(),
            "erase these in `erasures.rs` of their service: {more:?}; these are not kept: {fewer:?}"
        );
        Ok(())
    })
    .await;
}

/// What people cannot repeat, or what the service itself finds out before it writes.
const REPEATED_BY_NOBODY: [(&str, &str); 13] = [
    ("fleet: command_request / command.device_id, command.user_id, command.request_id", "the same request once more"),
    (
        "fleet: device_member_device_user / device_member.device_id, device_member.user_id",
        "links that are there are left out",
    ),
    ("fleet: driver_assignment_now / driver_assignment.device_id", "follows the device's row, which is locked"),
    ("fleet: job_running / job.lane", "of two instances one begins it"),
    ("fleet: meter_correction_number / meter_correction.device_id, meter_correction.number", "counted"),
    ("fleet: share_link_token / share_link.token_hash", "by chance"),
    ("fleet: tracker_replacement_number / tracker_replacement.device_id, tracker_replacement.number", "counted"),
    ("identity: audit_entry_chain / audit_entry.chain, audit_entry.seq", "counted"),
    ("identity: job_running / job.lane", "of two instances one begins it"),
    ("identity: link_hash_key / link.hash", "by chance"),
    ("identity: signing_key_generation_key / signing_key.generation", "counted"),
    ("notification: alarm_name_name_key / alarm_name.name", "counted up where it is known"),
    ("notification: alarm_open / alarm.device_id, alarm.kind", "further events are of the alarm that is open"),
];

/// A name that is taken is an error of its field, on both databases.
#[test]
fn unique_indexes_are_errors_of_fields() -> anyhow::Result<()> {
    run_body(|| async {
        let site = Site::start(Kind::Sqlite).await?;
        let schema = Schema::of(&site.world, &SERVICES).await?;
        let mut missing = BTreeSet::new();
        for index in schema.unique_indexes().await? {
            let known = parts_of_unique(&index.service);
            let has = |name: &str| known.iter().any(|part| name.contains(part));
            if !has(&index.postgres) || !has(&index.sqlite) {
                missing.insert(format!("{}: {} / {}", index.service, index.postgres, index.sqlite));
            }
        }
        assert_eq!(missing, names(&REPEATED_BY_NOBODY), "name both in `on_unique` of their resource");
        site.running.stop().await
    })
}

/// The parts of constraints' names that the calls of `on_unique` in a service look for.
fn parts_of_unique(service: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(service).join("src");
    let sources = files_below(&folder).into_iter().map(|file| fs::read_to_string(file).expect("a source"));
    let calls = sources.flat_map(|source| source.split("on_unique(").skip(1).map(str::to_owned).collect::<Vec<_>>());
    let lists = calls.filter_map(|call| call.split(']').next().map(str::to_owned));
    lists
        .flat_map(|list| {
            list.split("(\"").skip(1).filter_map(|pair| pair.split('"').next().map(str::to_owned)).collect::<Vec<_>>()
        })
        .collect()
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}
