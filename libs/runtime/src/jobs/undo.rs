//! Taking back what a job did: a job of its own, with an item for each of which something can be taken back, the last first.

use armada_proto::{
    ResourceInput, TenantId,
    import::ImportRequest,
    v1::{self, GetRequest, JobItemStatus},
};
use prost::Message;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter,
    QueryOrder, QuerySelect,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{
    Jobs,
    bulk::JobSpec,
    entity::{item, job},
    targets::{Own, Target},
};
use crate::{
    auth::{self, Caller},
    error::{Code, Error, Result},
    resource::Resource,
};

/// The kind of these jobs, and what they do.
const KIND: &str = "undo";
/// Items that are read at a time.
const PIECE: u64 = 500;
/// What may stand for nothing in a request: of a text, of a number, of several.
const NOTHING: [fn() -> Value; 3] = [|| "".into(), || Value::Null, || Value::Array(Vec::new())];

/// What takes back an item that a method of this path did; none when nothing of it can be taken back.
pub(super) type Reverse = fn(&str, &item::Model) -> Option<Own>;

impl Jobs {
    /// Has what was done to things of this kind be taken back.
    pub fn undoes<R, I>(&self)
    where
        R: Resource,
        I: ImportRequest<Input = R::Input>,
        R::Input: Message + Default + DeserializeOwned,
    {
        self.undoes.add(R::ACTS.kind, reverse::<R, I>);
    }

    pub(super) async fn undo(&self, caller: &Caller, id: &str) -> Result<v1::Job> {
        let user = caller.user()?.user_id;
        let tx = self.db.read(&caller.scope()).await?;
        let job = self.find(&tx, caller, id).await?;
        may_be_undone(&job)?;
        drop(tx);
        let reverse = self.undoes.of(&job.resource).ok_or_else(nothing_to_undo)?;
        let items = self.reversed(caller, &job, reverse).await?;
        let Some(method) = items.iter().find_map(|item| item.own.as_ref()).map(|own| own.method) else {
            return Err(nothing_to_undo());
        };
        let methods = items.iter().filter_map(|item| item.own.as_ref()).map(|own| own.method);
        methods.collect::<std::collections::HashSet<_>>().into_iter().try_for_each(|of| auth::may_call(of, caller))?;
        let resource = job.resource.clone();
        let spec = JobSpec {
            kind: KIND,
            resource: &resource,
            action: KIND,
            method,
            request: Vec::new(),
            trial: None,
            undoes: Some(job.id),
        };
        self.begin(caller, user, spec, items).await
    }

    /// What takes back the items of a job, the last first.
    async fn reversed(&self, caller: &Caller, job: &job::Model, reverse: Reverse) -> Result<Vec<Target>> {
        let (mut targets, mut before, mut read) = (Vec::new(), i32::MAX, 0);
        loop {
            let tx = self.db.read(&caller.scope()).await?;
            let items = item::Entity::find()
                .filter(item::Column::JobId.eq(job.id))
                .filter(item::Column::Status.eq(JobItemStatus::Done))
                .filter(item::Column::Position.lt(before))
                .order_by_desc(item::Column::Position)
                .limit(PIECE);
            let items = items.all(&tx).await?;
            drop(tx);
            let Some(last) = items.last() else { break };
            (before, read) = (last.position, read + items.len());
            targets.extend(items.into_iter().filter_map(|item| {
                let own = Some(reverse(item.method(job), &item)?);
                Some(Target { id: item.item_id, name: item.name, tenant: item.tenant_id, own, wrong: None })
            }));
        }
        // It may be forgotten in this moment.
        if read < job.done.unsigned_abs() as usize { Err(Error::not_found()) } else { Ok(targets) }
    }
}

/// Says in a transaction that a job is taken back by another one.
pub(super) async fn mark(tx: &DatabaseTransaction, undone: Uuid, by: Uuid) -> Result<()> {
    let job = job::Entity::find_by_id(undone).lock_exclusive().one(tx).await?.ok_or_else(Error::not_found)?;
    may_be_undone(&job)?;
    job::ActiveModel { undone_by: Set(Some(by)), ..job.into_active_model() }.update(tx).await?;
    Ok(())
}

/// An error unless a job has done something that was not taken back.
fn may_be_undone(job: &job::Model) -> Result<()> {
    if job.finished_at.is_none() {
        return Err(Error::new(Code::Conflict, "job_not_over", "the job is not over yet"));
    }
    if !job.has_done() {
        return Err(nothing_to_undo());
    }
    match job.undone_by {
        Some(_) => Err(Error::new(Code::Conflict, "already_undone", "what the job did was taken back already")),
        None => Ok(()),
    }
}

fn nothing_to_undo() -> Error {
    Error::new(Code::Conflict, "nothing_to_undo", "the job did nothing that can be taken back")
}

fn reverse<R, I>(method: &str, item: &item::Model) -> Option<Own>
where
    R: Resource,
    I: ImportRequest<Input = R::Input>,
    R::Input: Message + Default + DeserializeOwned,
{
    let id = item.item_id.clone();
    let is_made = method == I::CREATE || Some(method) == I::RESTORE;
    if is_made {
        return Some(Own { method: I::DELETE, request: v1::DeleteRequest { id, row_version: None }.encode_to_vec() });
    }
    if method == I::DELETE
        && let Some(restore) = I::RESTORE
    {
        return Some(Own { method: restore, request: GetRequest { id }.encode_to_vec() });
    }
    let before: Map<String, Value> = serde_json::from_str(item.before.as_deref()?).ok()?;
    if !R::comes_back(&before) {
        return None;
    }
    let roles = roles_of(&before);
    let mut fields: Map<String, Value> =
        before.into_iter().filter_map(|(name, value)| Some((name.clone(), wanted::<I::Input>(name, value)?))).collect();
    if fields.is_empty() {
        return None;
    }
    let (method, id) = match method {
        method if method == I::DELETE => (I::CREATE, String::new()),
        method if method == I::UPDATE => (I::UPDATE, id),
        _ => return None,
    };
    if method == I::CREATE {
        fields.extend(I::PRESETS.iter().map(|flag| ((*flag).to_owned(), true.into())));
        fields.extend(roles.map(|roles| ("role_ids".to_owned(), roles)));
        fields.extend(item.tenant_id.map(|tenant: TenantId| ("tenant_id".to_owned(), tenant.to_string().into())));
    }
    let mut input: I::Input = serde_json::from_value(Value::Object(fields)).ok()?;
    input.set_id(id);
    Some(Own { method, request: input.encode_to_vec() })
}

/// The ids of the roles that a user had, who reads them with their names.
fn roles_of(before: &Map<String, Value>) -> Option<Value> {
    let roles = before.get("roles")?.as_array()?;
    Some(roles.iter().filter_map(|role| role.get("id").cloned()).collect())
}

/// A field of a request that makes something what it was; none for what no request says.
fn wanted<I: Message + Default + DeserializeOwned>(name: String, was: Value) -> Option<Value> {
    let says = |value: &Value| {
        let fields = Map::from_iter([(name.clone(), value.clone())]);
        serde_json::from_value::<I>(Value::Object(fields)).is_ok_and(|input| input.encoded_len() > 0)
    };
    match was {
        Value::Null => NOTHING.iter().map(|nothing| nothing()).find(says),
        value => Some(value).filter(says),
    }
}
