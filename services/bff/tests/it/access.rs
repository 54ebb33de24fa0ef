//! Who may do what: every operation of the document, asked by everybody there is. An operation without a row fails, and
//! so does one that tells a stranger more of a foreign thing than of one that does not exist.

mod fields;
mod people;
mod stage;
mod vehicles;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use armada_testkit::both_databases;
use serde_json::Value;

use self::stage::Stage;

const ABSENT: &str = "01900000-0000-7000-8000-000000000000";

/// Everybody there is. The stranger is the admin of another tenant than that of the things that are asked for; those from
/// `Unlinked` to `Owner` hold every permission, and differ in what they are to the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Anonymous,
    Stranger,
    Rightless,
    Unlinked,
    Viewer,
    Technician,
    Owner,
    Admin,
    Platform,
}

use Who::*;

const ALL_ROLES: [Who; 9] = [Anonymous, Stranger, Rightless, Unlinked, Viewer, Technician, Owner, Admin, Platform];

/// The status that each of them gets.
type Statuses = [u16; 9];

/// For anybody.
const fn open(status: u16) -> Statuses {
    [status; 9]
}

/// For who is signed in.
const fn signed_in(status: u16) -> Statuses {
    [401, status, status, status, status, status, status, status, status]
}

/// For who holds the permission.
const fn permitted(status: u16) -> Statuses {
    [401, status, 403, status, status, status, status, status, status]
}

/// For platform owners.
const fn platform(status: u16) -> Statuses {
    [401, 403, 403, 403, 403, 403, 403, 403, status]
}

/// The same but for one of them.
const fn except(mut statuses: Statuses, who: Who, status: u16) -> Statuses {
    statuses[who as usize] = status;
    statuses
}

/// For who holds the permission, of a thing of one tenant: for a stranger it does not exist.
const fn within(status: u16) -> Statuses {
    except(permitted(status), Stranger, 404)
}

/// A device is there for who is linked to it.
const fn linked(status: u16) -> Statuses {
    except(within(status), Unlinked, 404)
}

/// What is asked of an operation. In the body `{tenant}`, `{role}`, `{user}`, `{device}` and `{maintenance}` are those of one tenant; `{n}`, `{letters}` and
/// `{imei}` are others each time.
struct Row {
    operation: &'static str,
    query: &'static str,
    body: Option<Value>,
    statuses: Statuses,
}

fn get(operation: &'static str, query: &'static str, statuses: Statuses) -> Row {
    Row { operation, query, body: None, statuses }
}

fn send(operation: &'static str, body: Value, statuses: Statuses) -> Row {
    Row { operation, query: "", body: Some(body), statuses }
}

/// All operations.
fn rows() -> Vec<Row> {
    let rows = [
        people::sign_in(),
        people::account(),
        people::tenants(),
        people::users(),
        people::roles(),
        people::audit(),
        vehicles::alarms(),
        vehicles::commands(),
        vehicles::devices(),
        vehicles::device_members(),
        vehicles::documents(),
        vehicles::drivers(),
        vehicles::events(),
        vehicles::master_data(),
        vehicles::maps(),
        people::gateways(),
        vehicles::imeis(),
        vehicles::maintenance(),
        vehicles::maintenance_logs(),
        people::saved_views(),
        vehicles::share_links(),
        people::jobs(),
        vehicles::imports(),
        vehicles::thresholds(),
    ];
    rows.into_iter().flatten().collect()
}

/// The fields of a body that decide who owns a thing, who sees it, or who pays.
fn deciding(document: &Value, operation: &Value) -> BTreeSet<String> {
    let body = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
    let name = body.as_str().and_then(|name| name.rsplit('/').next()).unwrap_or_default();
    let fields = document["components"]["schemas"][name]["properties"].as_object().into_iter().flatten();
    fields.filter(|(_, field)| field["x-decides"].is_string()).map(|(name, _)| name.clone()).collect()
}

/// The field that a row sends alone.
fn field(row: &Row) -> String {
    let body = row.body.as_ref().and_then(Value::as_object);
    body.and_then(|body| body.keys().next()).cloned().unwrap_or_default()
}

both_databases! {
    async fn fields_that_decide_ask_for_the_right_of_that(kind: Kind) -> anyhow::Result<()> {
        let stage = Stage::set_up(kind).await?;
        let document = serde_json::from_str::<Value>(armada_openapi::DOCUMENT)?;
        let mut rows = fields::rows();
        let documented = include_str!("../../../../docs/SECURITY.md");
        let mut wrong = Vec::new();
        for (path, methods) in document["paths"].as_object().context("paths")? {
            let Some(operation) = methods.get("put") else { continue };
            let name = operation["operationId"].as_str().context("an id")?;
            let mut missing = deciding(&document, operation);
            for row in rows.extract_if(.., |row| row.operation == name) {
                missing.remove(&field(&row));
                wrong.extend(stage.check_of_new(path, &http::Method::PUT, &row).await?);
            }
            wrong.extend(missing.iter().map(|field| format!("{name} has no row for {field}: say in `access/fields.rs` who may change it")));
            let undocumented = deciding(&document, operation).into_iter().filter(|field| !documented.contains(&format!("`{field}`")));
            wrong.extend(undocumented.map(|field| format!("{field} is not in the table of docs/SECURITY.md")));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(rows.is_empty(), "no such operations: {:?}", rows.iter().map(|row| row.operation).collect::<Vec<_>>());
        stage.site.running.stop().await
    }

    async fn access_matrix_holds_for_every_role(kind: Kind) -> anyhow::Result<()> {
        let stage = Stage::set_up(kind).await?;
        let document = serde_json::from_str::<Value>(armada_openapi::DOCUMENT)?;
        let mut rows: BTreeMap<_, _> = rows().into_iter().map(|row| (row.operation, row)).collect();
        let mut wrong = Vec::new();
        for (path, methods) in document["paths"].as_object().context("paths")? {
            for (method, operation) in methods.as_object().context("methods")? {
                let name = operation["operationId"].as_str().context("an id")?;
                let row = rows.remove(name).with_context(|| format!("{name} has no row: say in `access/` who may do it"))?;
                wrong.extend(stage.check(path, &method.to_uppercase().parse()?, &row).await?);
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(rows.is_empty(), "no such operations: {:?}", rows.keys());
        stage.site.running.stop().await
    }
}
