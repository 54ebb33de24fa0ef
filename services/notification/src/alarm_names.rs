//! Names of alarms that no table knows: those that are heard are listed, and a platform owner says what they are. From then on
//! their events are of that kind.

use armada_proto::{
    Violations,
    v1::{AlarmName, AlarmNameInput, AlarmNameList, ListAlarmNamesRequest, alarm_names_server},
};
use armada_runtime::{
    Caller, Database, Result, Scope, acts,
    list::{List, Searched, Sort},
    resource::{Acts, Resource},
    resource_service,
};
use armada_track::KNOWN_ALARMS;
use sea_orm::{EntityTrait, Select};

use crate::entity::alarm_name::{AS_TOLD, Column, Entity, Model, NONE};

/// The RPCs.
#[derive(Clone)]
pub struct AlarmNames {
    pub(crate) db: Database,
}

resource_service! {
    impl alarm_names_server::AlarmNames, for AlarmNames: List, Get, Update, Delete;
}

impl Resource for AlarmNames {
    type Entity = Entity;
    type Row = Model;
    type Message = AlarmName;
    type Input = AlarmNameInput;
    type Request = ListAlarmNamesRequest;
    type List = AlarmNameList;
    type Prepared = ();
    type Effects = ();

    const ACTS: Acts = acts!("alarm_name");
    const LIST: List<Column> = List {
        sortable: &[
            ("last_heard_at", Sort::Plain(Column::LastHeardAt)),
            ("first_heard_at", Sort::Plain(Column::FirstHeardAt)),
            ("count", Sort::Plain(Column::Count)),
            ("name", Sort::Plain(Column::Name)),
            ("event", Sort::Plain(Column::Event)),
        ],
        searched: Searched::Scanned(Column::Search),
        id: Column::Id,
    };

    fn db(&self) -> &Database {
        &self.db
    }

    /// The contract lets platform owners in alone.
    fn visible(_: &Caller, _: Scope) -> Select<Entity> {
        Entity::find()
    }

    fn filter(&self, rows: Select<Entity>, _: &ListAlarmNamesRequest) -> Result<Select<Entity>> {
        Ok(rows)
    }

    /// Nobody makes one: it is heard.
    fn new_row(_: &Caller, _: &AlarmNameInput, _: &mut Violations) -> Option<Model> {
        None
    }

    fn check(&self, _: &Caller, _: Option<&Model>, input: &mut AlarmNameInput, violations: &mut Violations) {
        let is_kind =
            |event: &str| event == AS_TOLD || event == NONE || KNOWN_ALARMS.iter().any(|known| known.kind == event);
        if input.event.as_deref().is_some_and(|event| !is_kind(event)) {
            violations.add("event", "invalid_alarm_event");
        }
    }
}
