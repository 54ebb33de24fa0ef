use armada_proto::{TenantId, Timestamp, UserId, v1};
use armada_runtime::{Scope, text};
use sea_orm::entity::prelude::*;

/// Something that was done, or refused. Rows are only ever appended: services have no right to change or remove any.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_entry")]
pub struct Model {
    /// The id of the event: it enters once.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The tenant's id; that of the platform's chain is nil.
    pub chain: Uuid,
    /// Place in the chain, from 1.
    pub seq: i64,
    /// When it was done, milliseconds since 1970.
    pub at: i64,
    /// None in the chain of the platform.
    pub tenant_id: Option<TenantId>,
    /// Who did it; none when nobody was signed in.
    pub actor_id: Option<UserId>,
    /// What they were called then.
    pub actor_name: String,
    /// Where they called from; empty when nobody told.
    pub address: String,
    /// `<module>:<act>`.
    pub act: String,
    /// What it was done to: the kind of thing,
    pub object_kind: String,
    /// its id,
    pub object_id: String,
    /// and what it was called then.
    pub object_name: String,
    /// JSON, as it came.
    pub before: Option<String>,
    /// JSON, as it came.
    pub after: Option<String>,
    /// The hash of the entry before it; empty for the first.
    pub previous: Vec<u8>,
    /// See `audit::canonical`.
    pub hash: Vec<u8>,
    /// What a search looks in: see [`Model::searched`].
    pub search: String,
    /// Its tenant is erased, and names, addresses and changes with it. The hash is that of the entry as it was.
    pub erased: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    /// The entries of a scope: how every query of this table begins.
    pub fn within(scope: Scope) -> Select<Self> {
        match scope {
            Scope::Tenant(tenant) => Self::find().filter(Column::TenantId.eq(tenant)),
            Scope::Platform => Self::find(),
        }
    }
}

impl Model {
    /// Whether it says nothing of people and things but their ids.
    pub fn is_blank(&self) -> bool {
        let texts = [&self.actor_name, &self.address, &self.object_name];
        texts.iter().all(|text| text.is_empty()) && self.before.is_none() && self.after.is_none()
    }

    /// Who, on what, from where, and what, as a search looks in it.
    pub fn searched(&self) -> String {
        text::search_key(&self.searchable())
    }

    /// Whether `search` says what the entry does: in its form, or in the one that services of the version before may have
    /// written while tables were brought to this one.
    pub fn is_searched_rightly(&self) -> bool {
        self.search == self.searched() || self.search == text::fold(&self.searchable())
    }

    fn searchable(&self) -> String {
        [&self.actor_name, &self.object_name, &self.address, &self.act].map(String::as_str).join("\n")
    }
}

impl From<Model> for v1::AuditEntry {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.to_string(),
            seq: row.seq,
            at: Some(Timestamp::from_millis(row.at)),
            tenant_id: row.tenant_id.map(|id| id.to_string()),
            actor_id: row.actor_id.map(|id| id.to_string()),
            actor_name: row.actor_name,
            address: row.address,
            act: row.act,
            object_kind: row.object_kind,
            object_id: row.object_id,
            object_name: row.object_name,
            before: row.before,
            after: row.after,
            erased: row.erased,
            hash: row.hash.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }
}
