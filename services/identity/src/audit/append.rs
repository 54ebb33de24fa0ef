//! From the stream into the chains. Each batch is one transaction, and is acknowledged after it; an event that comes
//! again is known by its id and enters once.

use std::collections::{BTreeMap, HashMap, HashSet};

use armada_proto::{TenantId, UserId};
use armada_runtime::{Database, Error, Result, Scope, audit, bus::DurableConsumer};
use async_nats::jetstream::Message;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter,
    QuerySelect, entity::prelude::Uuid, sea_query::OnConflict,
};

use super::{
    canonical,
    received::{Event, Receiver},
};
use crate::{
    entity::{
        audit_entry::{ActiveModel, Column, Entity, Model},
        audit_head, user,
    },
    erased_tenants::ErasedTenants,
};

/// Appends what services publish.
pub struct Appender {
    pub(crate) db: Database,
    /// Whom it is believed of.
    pub(crate) receiver: Receiver,
    /// Whose chains say nothing of people any more.
    pub(crate) erased: ErasedTenants,
}

impl DurableConsumer for Appender {
    const STREAM: &str = audit::STREAM;
    const SUBJECT_TEMPLATE: &str = audit::SUBJECT_TEMPLATE;
    const NAME: &str = "identity";
    const BATCH: usize = 200;
    const FAILURE: &str = "the audit cannot be continued; will try again";

    type Item = Event;
    type Stored = ();

    fn read(&self, message: &Message) -> Option<Event> {
        self.receiver.read(message)
    }

    async fn store(&self, events: &[Event]) -> Result<()> {
        let mut chains = BTreeMap::<Uuid, Vec<Event>>::new();
        for event in events {
            let event = match event.tenant.is_some_and(|tenant| self.erased.has(tenant)) {
                true => event.clone().without_personal_data(),
                false => event.clone(),
            };
            chains.entry(chain_of(event.tenant)).or_default().push(event);
        }
        let tx = self.db.write(&Scope::Platform).await?;
        let names = names(&tx, chains.values().flatten()).await?;
        // In the order of their ids, so that two processes never wait for each other.
        for (chain, events) in chains {
            continue_chain(&tx, chain, events, &names).await?;
        }
        Ok(tx.commit().await?)
    }
}

/// The chain of a tenant, or that of the platform.
pub fn chain_of(tenant: Option<TenantId>) -> Uuid {
    tenant.map_or(Uuid::nil(), |tenant| tenant.0)
}

/// How those are called who are known by their id alone.
async fn names(tx: &DatabaseTransaction, events: impl Iterator<Item = &Event>) -> Result<HashMap<UserId, String>> {
    let nameless: HashSet<_> =
        events.filter(|event| event.event.actor_name.is_empty()).filter_map(|event| event.actor).collect();
    let users = user::Entity::find().filter(user::Column::Id.is_in(nameless));
    let names: Vec<(UserId, String)> =
        users.select_only().columns([user::Column::Id, user::Column::Name]).into_tuple().all(tx).await?;
    Ok(names.into_iter().collect())
}

async fn continue_chain(
    tx: &DatabaseTransaction,
    chain: Uuid,
    events: Vec<Event>,
    names: &HashMap<UserId, String>,
) -> Result<()> {
    let mut head = head(tx, chain, events.first().and_then(|event| event.tenant)).await?;
    let ids = events.iter().map(|event| event.id);
    let known = Entity::find().select_only().column(Column::Id).filter(Column::Id.is_in(ids));
    let mut known: HashSet<Uuid> = known.into_tuple::<Uuid>().all(tx).await?.into_iter().collect();
    let mut entries = Vec::with_capacity(events.len());
    for event in events.into_iter().filter(|event| known.insert(event.id)) {
        let entry = entry(event, &head, names);
        head.seq = entry.seq;
        head.hash.clone_from(&entry.hash);
        entries.push(entry.into_active_model());
    }
    if !entries.is_empty() {
        Entity::insert_many::<ActiveModel, _>(entries).exec_without_returning(tx).await?;
        head.into_active_model().reset_all().update(tx).await?;
    }
    Ok(())
}

/// The end of a chain, which nobody else continues until this transaction ends.
async fn head(tx: &DatabaseTransaction, chain: Uuid, tenant: Option<TenantId>) -> Result<audit_head::Model> {
    let new = audit_head::ActiveModel { chain: Set(chain), tenant_id: Set(tenant), seq: Set(0), hash: Set(Vec::new()) };
    let unless_there = OnConflict::column(audit_head::Column::Chain).do_nothing().to_owned();
    audit_head::Entity::insert(new).on_conflict(unless_there).exec_without_returning(tx).await?;
    let head = audit_head::Entity::find_by_id(chain).lock_exclusive();
    head.one(tx).await?.ok_or_else(|| Error::internal("a chain of the audit has no head"))
}

fn entry(event: Event, head: &audit_head::Model, names: &HashMap<UserId, String>) -> Model {
    let Event { id, tenant, actor, event } = event;
    let actor_name = match actor.and_then(|actor| names.get(&actor)) {
        Some(name) if event.actor_name.is_empty() => name.clone(),
        _ => event.actor_name,
    };
    let mut entry = Model {
        id,
        chain: head.chain,
        seq: head.seq + 1,
        at: event.at,
        tenant_id: tenant,
        actor_id: actor,
        actor_name: storable(actor_name),
        address: storable(event.address),
        act: storable(event.act),
        object_kind: storable(event.object_kind),
        object_id: storable(event.object_id),
        object_name: storable(event.object_name),
        before: event.before.map(storable),
        after: event.after.map(storable),
        previous: head.hash.clone(),
        hash: Vec::new(),
        search: String::new(),
        erased: false,
    };
    entry.search = entry.searched();
    entry.hash = canonical::hash(&entry);
    entry
}

/// PostgreSQL stores no zero characters.
fn storable(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text }
}
