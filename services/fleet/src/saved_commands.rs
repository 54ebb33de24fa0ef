//! Commands that are kept to be sent again. What a new one needs is what sending it needs.

use armada_proto::{
    Violations,
    access::permission,
    v1::{
        CommandInput, CommandKind, ListSavedCommandsRequest, SavedCommand, SavedCommandInput, SavedCommandList,
        saved_commands_server,
    },
};
use armada_runtime::{
    Caller, Database, Error, Result, Scope, acts,
    list::{List, Searched, Sort, among},
    resource::{Acts, Resource, Row, tenant_of_new},
    resource_service,
};
use sea_orm::{ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, Select};

use crate::{
    commands::kinds,
    entity::{
        hidden_tenant,
        saved_command::{Column, Entity, Model},
    },
};

/// The RPCs.
#[derive(Clone)]
pub struct SavedCommands {
    pub(crate) db: Database,
}

resource_service! {
    impl saved_commands_server::SavedCommands, for SavedCommands: List, Get, Create, Update, Delete;
}

impl Resource for SavedCommands {
    type Entity = Entity;
    type Row = Model;
    type Message = SavedCommand;
    type Input = SavedCommandInput;
    type Request = ListSavedCommandsRequest;
    type List = SavedCommandList;
    type Prepared = ();
    type Effects = ();

    const ACTS: Acts = acts!("saved_command");
    const LIST: List<Column> = List {
        sortable: &[
            ("name", Sort::Plain(Column::NameFolded)),
            ("kind", Sort::Plain(Column::Kind)),
            ("created_at", Sort::Plain(Column::CreatedAt)),
        ],
        searched: Searched::Scanned(Column::Search),
        id: Column::Id,
    };

    fn db(&self) -> &Database {
        &self.db
    }

    fn visible(_: &Caller, scope: Scope) -> Select<Entity> {
        let shown = Entity::find().filter(hidden_tenant::Entity::is_shown(Column::TenantId));
        scope.tenant().map_or(shown.clone(), |tenant| shown.filter(Column::TenantId.eq(tenant)))
    }

    fn filter(&self, rows: Select<Entity>, request: &ListSavedCommandsRequest) -> Result<Select<Entity>> {
        Ok(among::<_, CommandKind>(rows, Column::Kind, request.kinds.iter().copied()))
    }

    fn new_row(caller: &Caller, input: &SavedCommandInput, violations: &mut Violations) -> Option<Model> {
        tenant_of_new(caller, input.tenant_id.as_deref(), violations).map(Model::new)
    }

    async fn apply(
        &self,
        _: &DatabaseTransaction,
        caller: &Caller,
        _: Option<&Model>,
        row: &mut Model,
        input: SavedCommandInput,
        (): (),
    ) -> Result<()> {
        row.apply(input);
        let mut sent = CommandInput {
            kind: Some(row.kind.into()),
            interval_seconds: u32::try_from(row.interval_seconds).ok(),
            output: u32::try_from(row.output).ok(),
            output_on: Some(row.output_on),
            text: Some(row.text.clone()),
            ..CommandInput::default()
        };
        let mut violations = Violations::default();
        kinds::check_arguments(row.kind, &mut sent, &mut violations);
        violations.check()?;
        if row.kind == CommandKind::Custom {
            caller.must(permission::COMMAND_RAW)?;
        }
        // Of another kind, those of the one before are no longer its own.
        row.interval_seconds = i32::try_from(sent.interval_seconds.unwrap_or_default()).unwrap_or_default();
        row.output = i32::try_from(sent.output.unwrap_or_default()).unwrap_or_default();
        row.output_on = sent.output_on.unwrap_or_default();
        row.text = sent.text.unwrap_or_default();
        Ok(())
    }

    fn unique(error: DbErr) -> Error {
        Error::on_unique(error, &[("saved_command_name", "name"), ("saved_command.name_folded", "name")])
    }
}
