//! Documents of vehicles and drivers: who sees a vehicle sees its documents, and its owner and technicians change them; who
//! may see drivers sees theirs. How one stands follows from its last day and from what day it is for its tenant.

pub mod states;
pub mod subjects;

use std::sync::Arc;

use armada_proto::{
    DeviceId, DriverId, Violations,
    v1::{
        BulkDocumentsRequest, DeleteRequest, Document, DocumentInput, DocumentKind, DocumentList, DocumentState,
        DocumentSubject, DocumentSummary, Empty, GetRequest, Job, ListDocumentsRequest, documents_server,
    },
};
use armada_runtime::{
    Caller, Database, Jobs, Result, Scope, ServiceKey, acts,
    list::{List, Searched, Sort, among, among_ids},
    resource::{self, Acts, ListStream, Resource, Row, tenant_of_new},
};
use sea_orm::{ColumnTrait, DatabaseTransaction, PaginatorTrait, QueryFilter, Select};
use tokio::sync::Notify;
use tonic::{Request, Response, Status};

use crate::{
    entity::document::{Column, Entity, Model},
    files::attached::{self, Owner},
    identity::IdentityClient,
    reminders,
    today::Today,
};

/// What stands behind every day: documents that do not expire come last.
const NEVER: &str = "~";

/// The RPCs.
#[derive(Clone)]
pub struct Documents {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
    /// Wakes the reminders.
    pub(crate) changed: Arc<Notify>,
    /// Wakes the sweep of files.
    pub(crate) removed: Arc<Notify>,
    pub(crate) jobs: Jobs,
    /// As it was found out for the request that is answered.
    pub(crate) today: Arc<Today>,
}

impl Documents {
    /// The same for one request, which knows what day it is for whoever asks.
    async fn now<T>(&self, request: Request<T>) -> Result<(Self, Caller, T)> {
        let caller = Caller::of(&request)?;
        Ok((self.now_for(caller.scope()).await?, caller, request.into_inner()))
    }

    async fn now_for(&self, scope: Scope) -> Result<Self> {
        let today = Today::of(&self.identity, &self.service_key, scope).await?;
        Ok(Self { today: Arc::new(today), ..self.clone() })
    }

    /// How many of the documents of a list stand how.
    async fn counted(&self, caller: &Caller, request: ListDocumentsRequest) -> Result<DocumentSummary> {
        let (scope, rows) = resource::matching(self, caller, request).await?;
        let tx = self.db.read(&scope).await?;
        let count = async |state| {
            let count = rows.clone().filter(states::is(&self.today, state)).count(&tx).await?;
            Ok::<_, armada_runtime::Error>(u32::try_from(count).unwrap_or(u32::MAX))
        };
        let (valid, expiring) = (count(DocumentState::Valid).await?, count(DocumentState::Expiring).await?);
        let (expired, none) = (count(DocumentState::Expired).await?, count(DocumentState::None).await?);
        Ok(DocumentSummary { total: valid + expiring + expired + none, valid, expiring, expired, none })
    }
}

type Answer<T> = Result<Response<T>, Status>;

impl documents_server::Documents for Documents {
    type ExportStream = ListStream<Self>;

    async fn list(&self, request: Request<ListDocumentsRequest>) -> Answer<DocumentList> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(resource::list(&this, &caller, request).await?))
    }

    async fn get(&self, request: Request<GetRequest>) -> Answer<Document> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(resource::get(&this, &caller, &request.id).await?))
    }

    async fn summary(&self, request: Request<ListDocumentsRequest>) -> Answer<DocumentSummary> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(this.counted(&caller, request).await?))
    }

    async fn create(&self, request: Request<DocumentInput>) -> Answer<Document> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(resource::create(&this, &caller, request).await?))
    }

    async fn update(&self, request: Request<DocumentInput>) -> Answer<Document> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(resource::update(&this, &caller, request).await?))
    }

    async fn delete(&self, request: Request<DeleteRequest>) -> Answer<Empty> {
        let (this, caller, request) = self.now(request).await?;
        resource::delete(&this, &caller, request).await?;
        Ok(Response::new(Empty {}))
    }

    async fn bulk(&self, request: Request<BulkDocumentsRequest>) -> Answer<Job> {
        let this = self.now_for(Caller::of(&request)?.scope()).await?;
        self.jobs.bulk(&this, request).await
    }

    async fn export(&self, request: Request<ListDocumentsRequest>) -> Answer<Self::ExportStream> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(resource::export(&this, &caller, request).await?))
    }
}

impl Resource for Documents {
    type Entity = Entity;
    type Row = Model;
    type Message = Document;
    type Input = DocumentInput;
    type Request = ListDocumentsRequest;
    type List = DocumentList;
    type Prepared = ();
    /// The files that it shall have, if they were named.
    type Effects = Option<String>;

    const ACTS: Acts = acts!("document");
    const LIST: List<Column> = List {
        sortable: &[
            ("expires_on", Sort::Plain(Column::ExpiryOrder)),
            ("kind", Sort::Plain(Column::Kind)),
            ("name", Sort::Plain(Column::NameFolded)),
            ("number", Sort::Plain(Column::NumberFolded)),
            ("subject_name", Sort::Plain(Column::SubjectNameFolded)),
            ("created_at", Sort::Plain(Column::CreatedAt)),
            ("updated_at", Sort::Plain(Column::UpdatedAt)),
        ],
        searched: Searched::Indexed(Column::Search),
        id: Column::Id,
    };

    fn db(&self) -> &Database {
        &self.db
    }

    fn visible(caller: &Caller, scope: Scope) -> Select<Entity> {
        Entity::visible_to(caller, scope)
    }

    fn filter(&self, rows: Select<Entity>, request: &ListDocumentsRequest) -> Result<Select<Entity>> {
        let rows = among::<_, DocumentKind>(rows, Column::Kind, request.kinds.iter().copied());
        let ids = |id: &Option<String>| id.iter().filter(|id| !id.is_empty()).cloned().collect::<Vec<_>>();
        let rows = among_ids::<_, DeviceId>(rows, Column::DeviceId, &ids(&request.device_id));
        let rows = among_ids::<_, DriverId>(rows, Column::DriverId, &ids(&request.driver_id));
        let rows = match request.subject() {
            DocumentSubject::Vehicle => rows.filter(Column::DeviceId.is_not_null()),
            DocumentSubject::Driver => rows.filter(Column::DriverId.is_not_null()),
            DocumentSubject::Unspecified => rows,
        };
        Ok(match states::is_any(&self.today, &request.states) {
            Some(condition) => rows.filter(condition),
            None => rows,
        })
    }

    async fn present(&self, tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<Document>> {
        let mut files = attached::of(tx, rows.iter().map(|row| Owner::Document(row.id)).collect()).await?;
        let document = |row: Model| {
            let (state, days_left) = states::of(&row.expires_on, self.today.of_tenant(row.tenant_id));
            Document {
                subject: row.subject().into(),
                state: state.into(),
                days_left,
                files: files.remove(&Owner::Document(row.id)).unwrap_or_default(),
                ..row.into()
            }
        };
        Ok(rows.into_iter().map(document).collect())
    }

    fn new_row(caller: &Caller, input: &DocumentInput, violations: &mut Violations) -> Option<Model> {
        tenant_of_new(caller, input.tenant_id.as_deref(), violations).map(Model::new)
    }

    fn check(&self, _: &Caller, before: Option<&Model>, input: &mut DocumentInput, violations: &mut Violations) {
        subjects::check(before, input, violations);
        if before.is_none() && input.kind() == DocumentKind::Unspecified {
            violations.add("kind", "required");
        }
        match input.reminder_days.as_deref().map(reminders::normal) {
            Some(None) => violations.add("reminder_days", "invalid_reminder_days"),
            Some(days) => input.reminder_days = days,
            None => {}
        }
        let day =
            |given: &Option<String>, known: Option<&String>| given.as_ref().or(known).cloned().unwrap_or_default();
        let issued_on = day(&input.issued_on, before.map(|row| &row.issued_on));
        let expires_on = day(&input.expires_on, before.map(|row| &row.expires_on));
        if !issued_on.is_empty() && !expires_on.is_empty() && expires_on < issued_on {
            violations.add("expires_on", "before_issued");
        }
    }

    async fn prepare(&self, _: &Caller, row: &Model, input: &mut DocumentInput) -> Result<()> {
        if input.id.is_empty() { self.identity.must_exist(&self.service_key, row.tenant_id).await } else { Ok(()) }
    }

    async fn apply(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        before: Option<&Model>,
        row: &mut Model,
        mut input: DocumentInput,
        (): (),
    ) -> Result<Option<String>> {
        if before.is_none() {
            subjects::assign(tx, caller, row, &input).await?;
        }
        subjects::may_change(tx, caller, row).await?;
        let files = input.file_ids.take();
        row.apply(input);
        if row.name.is_empty() {
            row.name = if row.number.is_empty() { row.subject_name.clone() } else { row.number.clone() };
        }
        row.expiry_order = if row.expires_on.is_empty() { NEVER.to_owned() } else { row.expires_on.clone() };
        row.next_reminder_on = reminders::next(tx, row).await?;
        Ok(files)
    }

    async fn written(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        _: Option<&Model>,
        row: &mut Model,
        files: &mut Option<String>,
    ) -> Result<()> {
        match files {
            Some(ids) => attached::set(tx, caller, row.tenant_id, Owner::Document(row.id), ids).await,
            None => Ok(()),
        }
    }

    async fn removing(&self, tx: &DatabaseTransaction, caller: &Caller, row: &Model) -> Result<Option<String>> {
        subjects::may_change(tx, caller, row).await?;
        attached::remove_all(tx, Owner::Document(row.id)).await?;
        reminders::forget(tx, row.id).await?;
        Ok(None)
    }

    async fn committed(&self, _: Option<String>) {
        self.changed.notify_one();
        self.removed.notify_one();
    }
}
