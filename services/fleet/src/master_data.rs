//! The master data: what the fields of devices choose from. Whoever may list it sees the platform's entries and those of
//! their tenant, and changes those of their tenant; the platform's are changed by platform owners.

mod kinds;
pub mod seed;
mod usage;

use std::{
    collections::{HashMap, HashSet},
    str::FromStr,
};

use armada_proto::{
    MasterDataId, Violations,
    v1::{
        BulkMasterDataRequest, GetRequest, ListMasterDataRequest, MasterDataEntry, MasterDataEntryInput,
        MasterDataKind, MasterDataList, MasterDataUsage, ReplaceMasterDataRequest, master_data_server,
    },
};
use armada_runtime::{
    Caller, Code, Database, Error, Jobs, Result, Scope, ServiceKey, acts,
    list::{List, Searched, Sort, among, among_ids, called},
    resource::{self, Acts, Resource, Row, tenant_of_new},
    resource_service,
};
use sea_orm::{ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QuerySelect, Select};
use tonic::{Request, Response, Status};

use crate::{
    entity::master_data::{Column, Entity, Model},
    identity::IdentityClient,
    share_links::removal,
};

/// The RPCs.
#[derive(Clone)]
pub struct MasterData {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
    pub(crate) jobs: Jobs,
}

resource_service! {
    impl master_data_server::MasterData, for MasterData:
        List, Get, Create, Update, Delete, Export, Bulk(BulkMasterDataRequest);

    async fn usage(&self, request: Request<GetRequest>) -> Result<Response<MasterDataUsage>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.used(&caller, &request.into_inner().id).await?))
    }

    async fn replace(&self, request: Request<ReplaceMasterDataRequest>) -> Result<Response<MasterDataUsage>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.put_in_place(&caller, request.into_inner()).await?))
    }
}

impl Resource for MasterData {
    type Entity = Entity;
    type Row = Model;
    type Message = MasterDataEntry;
    type Input = MasterDataEntryInput;
    type Request = ListMasterDataRequest;
    type List = MasterDataList;
    type Prepared = ();
    type Effects = ();

    const ACTS: Acts = acts!("master_data");
    const LIST: List<Column> = List {
        sortable: &[
            ("name", Sort::Plain(Column::LabelFolded)),
            ("port", Sort::Plain(Column::Port)),
            ("created_at", Sort::Plain(Column::CreatedAt)),
            ("updated_at", Sort::Plain(Column::UpdatedAt)),
        ],
        searched: Searched::Scanned(Column::Search),
        id: Column::Id,
    };

    fn db(&self) -> &Database {
        &self.db
    }

    fn visible(_: &Caller, scope: Scope) -> Select<Entity> {
        Entity::within(scope)
    }

    fn changeable(caller: &Caller) -> Select<Entity> {
        Entity::owned_by(caller.scope())
    }

    fn filter(&self, rows: Select<Entity>, request: &ListMasterDataRequest) -> Result<Select<Entity>> {
        let rows = called(self.db().backend(), rows, &[Column::NameFolded, Column::LabelFolded], &request.names);
        let rows = among::<_, MasterDataKind>(rows, Column::Kind, request.kind);
        let rows = among_ids::<_, MasterDataId>(rows, Column::ParentId, &request.parent_ids);
        let rows = among_ids::<_, MasterDataId>(rows, Column::Id, &request.ids);
        Ok(match request.is_own {
            Some(true) => rows.filter(Column::TenantId.is_not_null()),
            Some(false) => rows.filter(Column::TenantId.is_null()),
            None => rows,
        })
    }

    async fn present(&self, tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<MasterDataEntry>> {
        let labels = labels(tx, rows.iter().flat_map(named_by).collect()).await?;
        let label = |id: Option<MasterDataId>| id.and_then(|id| labels.get(&id).cloned()).unwrap_or_default();
        let entry = |row: Model| MasterDataEntry {
            parent: label(row.parent_id),
            protocol: label(row.protocol_id),
            vehicle_type: label(row.vehicle_type_id),
            ..row.into()
        };
        Ok(rows.into_iter().map(entry).collect())
    }

    fn new_row(caller: &Caller, input: &MasterDataEntryInput, violations: &mut Violations) -> Option<Model> {
        let Some(kind) = kinds::of(input) else {
            violations.add("kind", "required");
            return None;
        };
        let is_platforms =
            caller.scope() == Scope::Platform && input.tenant_id.as_deref().unwrap_or_default().is_empty();
        if is_platforms && !kinds::is_tenants_own(kind) {
            return Some(Model::new(None, kind));
        }
        tenant_of_new(caller, input.tenant_id.as_deref(), violations).map(|tenant| Model::new(Some(tenant), kind))
    }

    fn check(&self, _: &Caller, before: Option<&Model>, input: &mut MasterDataEntryInput, violations: &mut Violations) {
        if before.is_some_and(|before| kinds::of(input).is_some_and(|kind| kind != before.kind)) {
            violations.add("kind", "not_changeable");
        }
        if let Some(kind) = before.map(|before| before.kind).or_else(|| kinds::of(input)) {
            kinds::check(kind, before, input, violations);
        }
    }

    async fn prepare(&self, _: &Caller, row: &Model, input: &mut MasterDataEntryInput) -> Result<()> {
        match row.tenant_id.filter(|_| input.id.is_empty()) {
            Some(tenant) => self.identity.must_exist(&self.service_key, tenant).await,
            None => Ok(()),
        }
    }

    async fn apply(
        &self,
        tx: &DatabaseTransaction,
        _: &Caller,
        _: Option<&Model>,
        row: &mut Model,
        input: MasterDataEntryInput,
        (): (),
    ) -> Result<()> {
        kinds::link(tx, row, &input).await?;
        let names_place = input.lat.is_some() || input.lng.is_some();
        row.apply(input);
        if names_place {
            kinds::check_place(row)?;
        }
        row.label = match row.parent_id.filter(|_| kinds::has_brand(row.kind)) {
            Some(brand) => row.label_behind(&labels(tx, [brand].into()).await?.remove(&brand).unwrap_or_default()),
            None => row.name.clone(),
        };
        Ok(())
    }

    async fn written(
        &self,
        tx: &DatabaseTransaction,
        _: &Caller,
        before: Option<&Model>,
        row: &mut Model,
        (): &mut (),
    ) -> Result<()> {
        let Some(before) = before else { return Ok(()) };
        if before.parent_id != row.parent_id {
            usage::brand_changed(tx, row).await?;
        }
        match before.name != row.name {
            true => usage::brand_renamed(tx, row).await,
            false => Ok(()),
        }
    }

    async fn removing(&self, tx: &DatabaseTransaction, caller: &Caller, row: &Model) -> Result<()> {
        let MasterDataUsage { devices, entries, .. } = usage::of(tx, caller, row).await?;
        if devices + entries == 0 {
            usage::forget(tx, row).await?;
            return removal::remove_of_group(tx, caller, row.id).await;
        }
        let message = format!("{devices} devices and {entries} other entries name it: replace it by another first");
        Err(Error::new(Code::Conflict, "in_use", message))
    }

    fn unique(error: DbErr) -> Error {
        usage::name_taken(error)
    }
}

impl MasterData {
    async fn used(&self, caller: &Caller, id: &str) -> Result<MasterDataUsage> {
        let tx = self.db.read(&caller.scope()).await?;
        let entry = Self::visible(caller, caller.scope()).filter(Column::Id.is_in(MasterDataId::from_str(id)));
        usage::of(&tx, caller, &entry.one(&tx).await?.ok_or_else(Error::not_found)?).await
    }

    /// Puts another entry in the place of one wherever it is named.
    async fn put_in_place(&self, caller: &Caller, request: ReplaceMasterDataRequest) -> Result<MasterDataUsage> {
        let id = MasterDataId::from_str(&request.id).map_err(|_| Error::not_found())?;
        let unknown = || Error::field("replacement_id", "unknown");
        let replacement = MasterDataId::from_str(&request.replacement_id).map_err(|_| unknown())?;
        let seen = self.db.read(&caller.scope()).await?;
        let entry =
            Self::changeable(caller).filter(Column::Id.eq(id)).one(&seen).await?.ok_or_else(Error::not_found)?;
        drop(seen);
        let tx = self.db.write(&entry.tenant_id.map_or(Scope::Platform, Scope::Tenant)).await?;
        let entry = resource::locked(self, &tx, caller, id.into(), None).await?;
        // What all tenants name can only be replaced by what all have.
        let other = entry.nameable().filter(Column::Id.eq(replacement)).one(&tx).await?.ok_or_else(unknown)?;
        if other.kind != entry.kind || other.id == entry.id {
            return Err(unknown());
        }
        let moved = usage::replace(&tx, caller, &entry, &other).await?;
        tx.commit().await?;
        Ok(moved)
    }
}

fn named_by(row: &Model) -> impl Iterator<Item = MasterDataId> + use<> {
    [row.parent_id, row.protocol_id, row.vehicle_type_id].into_iter().flatten()
}

/// What entries are called, by their ids.
pub async fn labels(tx: &DatabaseTransaction, ids: HashSet<MasterDataId>) -> Result<HashMap<MasterDataId, String>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = Entity::find().select_only().columns([Column::Id, Column::Label]).filter(Column::Id.is_in(ids));
    Ok(rows.into_tuple().all(tx).await?.into_iter().collect())
}
