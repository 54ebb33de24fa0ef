//! The groups that devices are in.

use std::{
    collections::{HashMap, HashSet, hash_map::Entry},
    str::FromStr,
};

use armada_proto::{
    DeviceId, MasterDataId, TenantId,
    v1::{Device, DeviceGroup, MasterDataKind},
};
use armada_runtime::{Database, Error, Result, Scope, text};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
    sea_query::{CommonTableExpression, Expr, ExprTrait, Query, SelectStatement, UnionType},
};

use crate::entity::{
    device,
    device_group_member::{ActiveModel, Column, Entity, Model},
    master_data,
};

/// Groups of one device.
const MAX: usize = 50;

/// Puts devices into the groups of their tenants that a text names for each with commas between, by their ids or by what
/// they are called, and takes them out of all others.
pub async fn set(tx: &DatabaseTransaction, devices: Vec<(&device::Model, &str)>) -> Result<()> {
    if devices.is_empty() {
        return Ok(());
    }
    remove_all(tx, devices.iter().map(|(device, _)| device.id)).await?;
    put(tx, devices).await
}

/// Puts devices, which are in no group yet, into the groups that a text names for each.
pub async fn put(tx: &DatabaseTransaction, devices: Vec<(&device::Model, &str)>) -> Result<()> {
    let mut groups: HashMap<(TenantId, &str), HashSet<MasterDataId>> = HashMap::new();
    let mut members = Vec::new();
    for (device, named) in devices {
        let groups = match groups.entry((device.tenant_id, named)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(find(tx, device, named).await?),
        };
        members.extend(groups.iter().map(|group| ActiveModel {
            device_id: Set(device.id),
            group_id: Set(*group),
            tenant_id: Set(device.tenant_id),
        }));
    }
    if !members.is_empty() {
        Entity::insert_many(members).exec_without_returning(tx).await?;
    }
    Ok(())
}

async fn find(tx: &DatabaseTransaction, device: &device::Model, named: &str) -> Result<HashSet<MasterDataId>> {
    let words: HashSet<_> = named.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
    if words.len() > MAX {
        return Err(Error::field("group_ids", "too_many"));
    }
    let ids = words.iter().filter_map(|word| MasterDataId::from_str(word).ok());
    let names = words.iter().map(|word| text::sort_key(word));
    let known = master_data::Entity::owned_by(Scope::Tenant(device.tenant_id))
        .filter(master_data::Column::Kind.eq(MasterDataKind::DeviceGroup))
        .filter(master_data::Column::Id.is_in(ids).or(master_data::Column::NameFolded.is_in(names)))
        .all(tx)
        .await?;
    let of = |word: &str| {
        let (id, name) = (text::fold(word), text::sort_key(word));
        let is_it = |group: &&master_data::Model| group.id.to_string() == id || group.name_folded == name;
        let mut found = known.iter().filter(is_it);
        match (found.next(), found.next()) {
            (Some(group), None) => Ok(group.id),
            (None, _) => Err(Error::field("group_ids", "unknown")),
            // Groups that lie in different ones may be called the same.
            (Some(_), Some(_)) => Err(Error::field("group_ids", "ambiguous")),
        }
    };
    words.into_iter().map(of).collect()
}

/// Takes devices out of their groups.
pub async fn remove_all(tx: &DatabaseTransaction, devices: impl Iterator<Item = DeviceId>) -> Result<()> {
    Entity::delete_many().filter(Column::DeviceId.is_in(devices)).exec(tx).await?;
    Ok(())
}

/// Which groups devices are in.
pub async fn members(tx: &DatabaseTransaction, rows: &[device::Model]) -> Result<Vec<Model>> {
    let members = Entity::find().filter(Column::DeviceId.is_in(rows.iter().map(|row| row.id)));
    Ok(members.order_by_asc(Column::GroupId).all(tx).await?)
}

/// The groups of a scope that any of these devices is in, with those devices, and the groups that these lie in; by name.
pub async fn of_devices(
    tx: &DatabaseTransaction,
    scope: Scope,
    devices: Select<device::Entity>,
) -> Result<Vec<DeviceGroup>> {
    let devices = devices.select_only().column(device::Column::Id).into_query();
    let members = Entity::find().filter(Column::DeviceId.in_subquery(devices)).all(tx).await?;
    let mut inside: HashMap<MasterDataId, Vec<String>> = HashMap::new();
    for member in members {
        inside.entry(member.group_id).or_default().push(member.device_id.to_string());
    }
    let groups = master_data::Entity::owned_by(scope)
        .filter(master_data::Column::Kind.eq(MasterDataKind::DeviceGroup))
        .order_by_asc(master_data::Column::NameFolded)
        .order_by_asc(master_data::Column::Id)
        .all(tx)
        .await?;
    let parents: HashMap<_, _> = groups.iter().map(|group| (group.id, group.parent_id)).collect();
    let mut shown = HashSet::new();
    for group in inside.keys() {
        let mut above = Some(*group);
        while let Some(group) = above.filter(|group| shown.insert(*group)) {
            above = parents.get(&group).copied().flatten();
        }
    }
    let group = |group: master_data::Model| DeviceGroup {
        device_ids: inside.remove(&group.id).unwrap_or_default(),
        id: group.id.to_string(),
        name: group.name,
        parent_id: group.parent_id.map(|parent| parent.to_string()),
    };
    Ok(groups.into_iter().filter(|group| shown.contains(&group.id)).map(group).collect())
}

/// Writes into messages which groups they are in, and what those are called.
pub fn show(labels: &HashMap<MasterDataId, String>, members: Vec<Model>, devices: &mut [Device]) {
    let mut groups: HashMap<String, Vec<(String, &str)>> = HashMap::new();
    for member in members {
        let label = labels.get(&member.group_id).map_or("", String::as_str);
        groups.entry(member.device_id.to_string()).or_default().push((member.group_id.to_string(), label));
    }
    for device in devices {
        let (ids, names): (Vec<_>, Vec<_>) = groups.remove(&device.id).unwrap_or_default().into_iter().unzip();
        device.group_ids = ids.join(",");
        device.groups = names.join(", ");
    }
}

/// These groups, and all that lie in them. They are looked up before devices are listed: a database that knows which groups
/// are meant, and how many members those have, finds the first page without going through them all.
pub async fn with_inner(tx: &DatabaseTransaction, groups: &[MasterDataId]) -> Result<Vec<MasterDataId>> {
    let named = Expr::col((master_data::Entity, master_data::Column::Id)).is_in(groups.iter().copied());
    let found = master_data::Entity::find().select_only().column(master_data::Column::Id);
    Ok(found.filter(master_data::Column::Id.in_subquery(inside(named))).into_tuple().all(tx).await?)
}

/// The groups that a request names by their ids, with all that lie in them, as it would name those.
pub async fn expand(db: &Database, scope: &Scope, named: &mut Vec<String>) -> Result<()> {
    if named.is_empty() {
        return Ok(());
    }
    let tx = db.read(scope).await?;
    let asked = parsed(named);
    // Those that there are not stay, or the list would be of all devices.
    let inner = with_inner(&tx, &asked).await?.into_iter().filter(|id| !asked.contains(id));
    named.extend(inner.map(|id| id.to_string()));
    Ok(())
}

/// Ids; what is none names nothing.
pub fn parsed(groups: &[String]) -> Vec<MasterDataId> {
    groups.iter().filter_map(|id| MasterDataId::from_str(id).ok()).collect()
}

/// Whether a device is in one of these groups themselves.
pub fn is_in_any(groups: Vec<MasterDataId>) -> Expr {
    member_where(Expr::col(Column::GroupId).is_in(groups))
}

/// Whether a device is in a group of which this holds, or in one that lies in it.
pub fn is_in(group: Expr) -> Expr {
    member_where(Expr::col(Column::GroupId).in_subquery(inside(group)))
}

fn member_where(group: Expr) -> Expr {
    let members = Query::select().column(Column::DeviceId).from(Entity).and_where(group).take();
    Expr::col((device::Entity, device::Column::Id)).in_subquery(members)
}

/// The ids of groups of which this holds, and of all that lie in them.
fn inside(group: Expr) -> SelectStatement {
    let (table, inside) = (master_data::Entity, "inside");
    let named = Query::select().column((table, master_data::Column::Id)).from(table).and_where(group).take();
    let below = Query::select()
        .column((table, master_data::Column::Id))
        .from(table)
        .inner_join(inside, Expr::col((table, master_data::Column::ParentId)).equals((inside, "id")))
        .take();
    let all = CommonTableExpression::new()
        .table_name(inside)
        .column("id")
        .query(named.clone().union(UnionType::Distinct, below).take())
        .to_owned();
    Query::select().column("id").from(inside).with_cte(Query::with().recursive(true).cte(all).to_owned()).take()
}
