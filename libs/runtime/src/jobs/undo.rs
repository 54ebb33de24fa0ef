//! Taking back what a job did: a job of its own, with an item for each of which something can be taken back, the last first.

use std::collections::HashSet;

use armada_proto::{
    ResourceInput, TenantId,
    import::ImportRequest,
    v1::{self, GetRequest, JobItemStatus},
};
use prost::Message;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{
    Jobs,
    beginning::JobSpec,
    entity::{item, job},
    targets::{Own, Target},
    undone::{Reverse, may_be_undone, nothing_to_undo},
};
use crate::{
    auth::{self, Caller},
    error::{Error, Result},
    resource::Resource,
};

/// The kind of these jobs, and what they do.
const KIND: &str = "undo";
/// Items that are read at a time.
const PIECE: u64 = 500;
/// What may stand for nothing in a request: of a text, of a number, of several.
const NOTHING: [fn() -> Value; 3] = [|| "".into(), || Value::Null, || Value::Array(Vec::new())];

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
        let methods: HashSet<_> = items.iter().filter_map(|item| Some(item.own.as_ref()?.method)).collect();
        let method = *methods.iter().next().ok_or_else(nothing_to_undo)?;
        methods.iter().try_for_each(|method| auth::may_call(method, caller))?;
        let spec = JobSpec {
            kind: KIND,
            resource: &job.resource,
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
    let before = R::wanted_again(serde_json::from_str(item.before.as_deref()?).ok()?)?;
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
        fields.extend(item.tenant_id.map(|tenant: TenantId| ("tenant_id".to_owned(), tenant.to_string().into())));
    }
    let mut input: I::Input = serde_json::from_value(Value::Object(fields)).ok()?;
    input.set_id(id);
    Some(Own { method, request: input.encode_to_vec() })
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
