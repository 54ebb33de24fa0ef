//! Drivers: whoever may list them sees those of their tenant.

use std::sync::Arc;

use armada_proto::{
    Violations,
    v1::{
        BulkDriversRequest, Driver, DriverInput, DriverList, DriverStatus, ImportDriversRequest, ListDriversRequest,
        drivers_server,
    },
};
use armada_runtime::{
    Caller, Database, Error, Jobs, Result, Scope, ServiceKey, acts,
    list::{List, Searched, Sort, among, called},
    outbox::OutboxHandle,
    resource::{Acts, Resource, tenant_of_new},
    resource_service,
};
use sea_orm::{DatabaseTransaction, DbErr, Select};
use tokio::sync::Notify;

use crate::{
    documents::subjects,
    driver_assignments,
    entity::driver::{Column, Entity, Model},
    identity::IdentityClient,
};

/// The RPCs.
#[derive(Clone)]
pub struct Drivers {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
    /// Wakes the sweep of files.
    pub(crate) removed: Arc<Notify>,
    pub(crate) jobs: Jobs,
}

resource_service! {
    impl drivers_server::Drivers, for Drivers:
        List, Get, Create, Update, Delete, Export, Bulk(BulkDriversRequest), Import(ImportDriversRequest);
}

impl Resource for Drivers {
    type Entity = Entity;
    type Row = Model;
    type Message = Driver;
    type Input = DriverInput;
    type Request = ListDriversRequest;
    type List = DriverList;
    type Prepared = ();
    type Effects = ();

    const ACTS: Acts = acts!("driver");
    const LIST: List<Column> = List {
        sortable: &[
            ("name", Sort::Plain(Column::NameFolded)),
            ("status", Sort::Plain(Column::Status)),
            ("license_plate", Sort::Plain(Column::LicensePlateFolded)),
            ("license_expiry", Sort::Plain(Column::LicenseExpiry)),
            ("home_base", Sort::Plain(Column::HomeBaseFolded)),
            ("created_at", Sort::Plain(Column::CreatedAt)),
            ("updated_at", Sort::Plain(Column::UpdatedAt)),
        ],
        searched: Searched::Indexed(Column::Search),
        id: Column::Id,
    };

    fn db(&self) -> &Database {
        &self.db
    }

    fn outbox(&self) -> Option<&OutboxHandle> {
        Some(&self.outbox)
    }

    fn visible(_: &Caller, scope: Scope) -> Select<Entity> {
        Entity::within(scope)
    }

    fn filter(&self, rows: Select<Entity>, request: &ListDriversRequest) -> Result<Select<Entity>> {
        let known_by = [Column::NameFolded, Column::Email, Column::Phone, Column::Identification];
        let rows = called(self.db().backend(), rows, &known_by, &request.names);
        Ok(among::<_, DriverStatus>(rows, Column::Status, request.statuses.iter().copied()))
    }

    fn new_row(caller: &Caller, input: &DriverInput, violations: &mut Violations) -> Option<Model> {
        tenant_of_new(caller, input.tenant_id.as_deref(), violations).map(Model::new)
    }

    fn check(&self, _: &Caller, _: Option<&Model>, input: &mut DriverInput, _: &mut Violations) {
        if let Some(identification) = &mut input.identification {
            identification.retain(|c| c.is_ascii_alphanumeric());
            identification.make_ascii_uppercase();
        }
    }

    async fn prepare(&self, _: &Caller, row: &Model, input: &mut DriverInput) -> Result<()> {
        if input.id.is_empty() { self.identity.must_exist(&self.service_key, row.tenant_id).await } else { Ok(()) }
    }

    async fn written(
        &self,
        tx: &DatabaseTransaction,
        _: &Caller,
        before: Option<&Model>,
        row: &mut Model,
        (): &mut (),
    ) -> Result<()> {
        if let Some(before) = before {
            subjects::driver_written(tx, before, row).await?;
        }
        match before.is_some_and(|before| before.name != row.name) {
            true => driver_assignments::renamed(tx, row).await,
            false => Ok(()),
        }
    }

    async fn removing(&self, tx: &DatabaseTransaction, caller: &Caller, row: &Model) -> Result<()> {
        subjects::remove_of_driver(tx, caller, row.id).await?;
        driver_assignments::end_all(tx, row).await
    }

    async fn committed(&self, (): ()) {
        self.removed.notify_one();
    }

    fn claim(input: &DriverInput) -> Option<(&'static str, String)> {
        let identification = input.identification.clone().filter(|value| !value.is_empty())?;
        Some(("identification", identification))
    }

    fn claimed(row: &Model) -> Option<String> {
        Some(row.identification.clone())
    }

    fn unique(error: DbErr) -> Error {
        Error::on_unique(error, &[("identification", "identification")])
    }
}
