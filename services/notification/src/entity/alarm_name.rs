use armada_proto::{AlarmNameId, Timestamp, v1};
use armada_runtime::{folded_columns, row};
use sea_orm::entity::prelude::*;

/// What trackers call an alarm that no table knows, and what it is taken for.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "alarm_name")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: AlarmNameId,
    /// As in the kind of its events. Unique.
    pub name: String,
    /// The kind of event that it is; [`NONE`] for none, [`AS_TOLD`] for the one that is made of its name.
    pub event: String,
    /// How often it was heard.
    pub count: i64,
    /// When the first and the last such alarm happened, milliseconds since 1970.
    pub first_heard_at: i64,
    pub last_heard_at: i64,
    /// What a search looks in: the name, folded.
    pub search: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
}

/// An alarm that is none.
pub const NONE: &str = "none";
/// One of which nobody has said what it is.
pub const AS_TOLD: &str = "as_told";

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

folded_columns!(ActiveModel; folded: ; search: name);

row! {
    Model as v1::AlarmName, v1::AlarmNameInput, tenant: |_row| None;
    made: id, name, count, first_heard_at, last_heard_at, created_at, updated_at;
    given: event;
}

impl Model {
    /// One that was not heard before.
    pub fn new(name: &str) -> Self {
        let now = Timestamp::now().millis();
        Self {
            id: AlarmNameId::new(),
            name: name.to_owned(),
            event: AS_TOLD.to_owned(),
            search: armada_runtime::text::search_key(name),
            first_heard_at: i64::MAX,
            row_version: 1,
            created_at: now,
            updated_at: now,
            ..Self::default()
        }
    }
}
