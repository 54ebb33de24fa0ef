//! What every resource of a tenant does, whatever it is: listed, exported, read, made, changed and removed, seen by those
//! who may, in versions, entered in the audit, and told to those who cache it. A service says what its resource is, by
//! implementing [`Resource`], and keeps its rules; [`resource_service!`](crate::resource_service) makes the RPCs of it.

pub mod convert;
mod many;
mod operations;
mod row;
mod trial;

use armada_proto::{ListRequest, ResourceInput, ResourceList, ResourceMessage, TenantId, Violations};
use sea_orm::{DatabaseTransaction, DbErr, EntityTrait, ModelTrait, Select, TryIntoModel};
use serde_json::{Map, Value};

pub(crate) use self::{
    many::{BATCH, create_many, delete_many, update_many},
    operations::requested,
    trial::{TrialRow, Tried, recall_rows, try_rows},
};
pub use self::{
    operations::{ListStream, create, delete, export, get, list, locked, matching, message, update},
    row::Row,
};

use crate::{
    auth::{Caller, Scope},
    db::Database,
    error::{Error, Result},
    list::List,
    outbox::OutboxHandle,
};

/// The columns of a resource's table.
pub type Column<R> = <<R as Resource>::Entity as EntityTrait>::Column;

/// What the acts on a resource are called in the audit: their permissions, where there are such.
#[derive(Debug, Clone, Copy)]
pub struct Acts {
    /// What kind of thing it is, e.g. `device`.
    pub kind: &'static str,
    /// `<kind>:create`.
    pub create: &'static str,
    /// `<kind>:update`.
    pub update: &'static str,
    /// `<kind>:delete`.
    pub delete: &'static str,
    /// `<kind>:export`.
    pub export: &'static str,
}

/// The [`Acts`](resource::Acts) on a kind of thing.
#[macro_export]
macro_rules! acts {
    ($kind:literal) => {
        $crate::resource::Acts {
            kind: $kind,
            create: concat!($kind, ":create"),
            update: concat!($kind, ":update"),
            delete: concat!($kind, ":delete"),
            export: concat!($kind, ":export"),
        }
    };
}

/// A resource, and the part of a service that keeps it.
///
/// The methods without a body are what it is; the others are where its rules go, in the order in which they are called.
/// What reads rows, [`Resource::visible`] above all, decides what exists for a caller: everything else is not found.
pub trait Resource: Clone + Send + Sync + 'static {
    /// Its table.
    type Entity: EntityTrait<Model = Self::Row, ActiveModel: Send + TryIntoModel<Self::Row>>;
    /// A row of it.
    type Row: Row<Input = Self::Input> + ModelTrait<Entity = Self::Entity> + Into<Self::Message>;
    /// How it is read.
    type Message: ResourceMessage;
    /// How it is made and changed.
    type Input: ResourceInput;
    /// How it is asked for in lists.
    type Request: ListRequest;
    /// A page of it.
    type List: ResourceList<Item = Self::Message>;
    /// What [`Resource::prepare`] finds out.
    type Prepared: Default + Clone + Send + Sync;
    /// What is left to do when a change is committed.
    type Effects: Default + Send;

    /// The acts on it.
    const ACTS: Acts;
    /// How it is listed.
    const LIST: List<Column<Self>>;

    /// Where it is kept.
    fn db(&self) -> &Database;

    /// What wakes the relay, if others cache it.
    fn outbox(&self) -> Option<&OutboxHandle> {
        None
    }

    /// What a caller sees of a scope, which is theirs.
    fn visible(caller: &Caller, scope: Scope) -> Select<Self::Entity>;

    /// What a caller can read by its id: what they see, if nothing else.
    fn readable(caller: &Caller) -> Select<Self::Entity> {
        Self::visible(caller, caller.scope())
    }

    /// What a caller can change: what they see, if nothing else.
    fn changeable(caller: &Caller) -> Select<Self::Entity> {
        Self::visible(caller, caller.scope())
    }

    /// What a caller can name in a bulk act: what they can read, if nothing else.
    fn reachable(caller: &Caller) -> Select<Self::Entity> {
        Self::readable(caller)
    }

    /// What a request says that makes something again, or changes it back, that was so, by its fields; none when no request
    /// does: undoing a job leaves it alone.
    fn wanted_again(before: Map<String, Value>) -> Option<Map<String, Value>> {
        Some(before)
    }

    /// Puts into a request what its filters mean and the database has to be asked for, such as groups inside of groups.
    fn expand(&self, _: &Scope, _: &mut Self::Request) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// Of these rows those that a request asks for, besides page, order, search and tenant.
    fn filter(&self, rows: Select<Self::Entity>, request: &Self::Request) -> Result<Select<Self::Entity>>;

    /// The rows that a request asks for.
    fn requested(&self, caller: &Caller, scope: Scope, request: &Self::Request) -> Result<Select<Self::Entity>> {
        self.filter(Self::visible(caller, scope), request)
    }

    /// The rows as they are read, with what other tables know of them.
    fn present(
        &self,
        _: &DatabaseTransaction,
        rows: Vec<Self::Row>,
    ) -> impl Future<Output = Result<Vec<Self::Message>>> + Send {
        async move { Ok(rows.into_iter().map(Into::into).collect()) }
    }

    /// Adds to what is shown what depends on who looks, besides which rows those are.
    fn show_to(
        &self,
        _: &Caller,
        _: &DatabaseTransaction,
        _: &mut [Self::Message],
    ) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// A row as it begins, where the request says that it belongs: see [`tenant_of_new`].
    fn new_row(caller: &Caller, input: &Self::Input, violations: &mut Violations) -> Option<Self::Row>;

    /// What is wrong with an input besides what the contract says; `before` is what it changes. It may bring the input
    /// into the form in which it is stored.
    fn check(&self, _: &Caller, _before: Option<&Self::Row>, _: &mut Self::Input, _: &mut Violations) {}

    /// The error of what is wrong with an input: the specification gives some forms a sentence of their own.
    fn refusal(violations: Violations) -> Error {
        violations.into()
    }

    /// What must be known before the transaction begins, from other services or at the cost of time.
    fn prepare(
        &self,
        _: &Caller,
        _row: &Self::Row,
        _: &mut Self::Input,
    ) -> impl Future<Output = Result<Self::Prepared>> + Send {
        async { Ok(Self::Prepared::default()) }
    }

    /// The same for new rows of one tenant, which are made together: one after the other unless they can be asked about at
    /// once.
    fn prepare_new(
        &self,
        caller: &Caller,
        new: &mut [(Self::Row, Self::Input)],
    ) -> impl Future<Output = Result<Vec<Self::Prepared>>> + Send {
        async move {
            let mut prepared = Vec::with_capacity(new.len());
            for (row, input) in new {
                prepared.push(self.prepare(caller, row, input).await?);
            }
            Ok(prepared)
        }
    }

    /// What else must be locked before a row is.
    fn before_lock(&self, _: &DatabaseTransaction, _: &Self::Row) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// Takes over what is present of an input, if no rule that needs the tables forbids it; `before` is the row as it
    /// was, and none for a new one.
    fn apply(
        &self,
        _: &DatabaseTransaction,
        _: &Caller,
        _before: Option<&Self::Row>,
        row: &mut Self::Row,
        input: Self::Input,
        _: Self::Prepared,
    ) -> impl Future<Output = Result<Self::Effects>> + Send {
        async move {
            row.apply(input);
            Ok(Self::Effects::default())
        }
    }

    /// The same for new rows of one tenant: one after the other unless a rule can be asked of all at once.
    fn apply_new(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        rows: &mut [Self::Row],
        inputs: Vec<Self::Input>,
        prepared: Vec<Self::Prepared>,
    ) -> impl Future<Output = Result<Vec<Self::Effects>>> + Send {
        async move {
            let mut effects = Vec::with_capacity(rows.len());
            for ((row, input), prepared) in rows.iter_mut().zip(inputs).zip(prepared) {
                effects.push(self.apply(tx, caller, None, row, input, prepared).await?);
            }
            Ok(effects)
        }
    }

    /// What follows when a row is written.
    fn written(
        &self,
        _: &DatabaseTransaction,
        _: &Caller,
        _before: Option<&Self::Row>,
        _row: &mut Self::Row,
        _: &mut Self::Effects,
    ) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// The same for new rows of one tenant: one after the other unless it can be done for all at once.
    fn written_new(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        rows: &mut [Self::Row],
        effects: &mut [Self::Effects],
    ) -> impl Future<Output = Result<()>> + Send {
        async move {
            for (row, effects) in rows.iter_mut().zip(effects) {
                self.written(tx, caller, None, row, effects).await?;
            }
            Ok(())
        }
    }

    /// The same for rows that are changed together, as they were and as they are: one after the other unless it can be done
    /// for all at once.
    fn written_changes(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        before: &[Self::Row],
        rows: &mut [Self::Row],
        effects: &mut [Self::Effects],
    ) -> impl Future<Output = Result<()>> + Send {
        async move {
            for ((before, row), effects) in before.iter().zip(rows).zip(effects) {
                self.written(tx, caller, Some(before), row, effects).await?;
            }
            Ok(())
        }
    }

    /// What goes before a row is removed, if no rule forbids it.
    fn removing(
        &self,
        _: &DatabaseTransaction,
        _: &Caller,
        _row: &Self::Row,
    ) -> impl Future<Output = Result<Self::Effects>> + Send {
        async { Ok(Self::Effects::default()) }
    }

    /// Removes a row. What can be brought back is only marked.
    fn remove(&self, tx: &DatabaseTransaction, _: &Caller, row: Self::Row) -> impl Future<Output = Result<()>> + Send {
        async move {
            row.delete(tx).await?;
            Ok(())
        }
    }

    /// The same for several: one after the other unless it can be done to all at once.
    fn remove_all(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        rows: Vec<Self::Row>,
    ) -> impl Future<Output = Result<()>> + Send {
        async move {
            for row in rows {
                self.remove(tx, caller, row).await?;
            }
            Ok(())
        }
    }

    /// What a change did that no field of the message shows; the audit says it all the same.
    fn unseen_change(_: &Self::Effects) -> Option<&'static str> {
        None
    }

    /// What is to be done when a change is committed.
    fn committed(&self, _: Self::Effects) -> impl Future<Output = ()> + Send {
        async {}
    }

    /// The error of a unique constraint that a row breaks, see [`Error::on_unique`].
    fn unique(error: DbErr) -> Error {
        error.into()
    }

    /// What an input wants that no other row of its tenant may have: the field, and the value as it is compared.
    fn claim(_: &Self::Input) -> Option<(&'static str, String)> {
        None
    }

    /// What a row has of that.
    fn claimed(_: &Self::Row) -> Option<String> {
        None
    }

    /// Whether an error means that somebody was faster, so that the same once more may find out what to do.
    fn is_lost_race(_: &Error) -> bool {
        false
    }
}

/// The tenant of something new: the caller's, or the one that a platform owner names. Another tenant than one's own is as
/// unknown as one that does not exist.
pub fn tenant_of_new(caller: &Caller, named: Option<&str>, violations: &mut Violations) -> Option<TenantId> {
    match caller.narrow(named.filter(|id| !id.is_empty())) {
        Ok(Scope::Tenant(tenant)) => return Some(tenant),
        Ok(Scope::Platform) => violations.add("tenant_id", "required"),
        Err(_) => violations.add("tenant_id", "unknown"),
    }
    None
}

/// The service of a [`Resource`]: the RPCs that are named, of those that every resource may have, and those of its own.
/// `Bulk` and `Import` take the type of their request, and its [`Jobs`](crate::Jobs) in the field `jobs`.
///
/// ```ignore
/// resource_service! {
///     impl drivers_server::Drivers, for Drivers:
///         List, Get, Create, Update, Delete, Export, Bulk(BulkDriversRequest), Import(ImportDriversRequest);
///     async fn history(&self, request: Request<GetRequest>) -> Result<Response<History>, Status> { … }
/// }
/// ```
#[macro_export]
macro_rules! resource_service {
    (impl $server:path, for $resource:ty: $($rpc:ident $(($request:ty))?),+; $($own:tt)*) => {
        $crate::resource_service!(@rpcs [$($rpc $(($request))?)+] [$server] [$resource] [$($own)*]);
    };
    (@rpcs [] [$server:path] [$resource:ty] [$($methods:tt)*]) => {
        impl $server for $resource { $($methods)* }
    };
    (@rpcs [List $($rpc:tt)*] [$server:path] [$resource:ty] [$($methods:tt)*]) => {
        $crate::resource_service!(@rpcs [$($rpc)*] [$server] [$resource] [
            async fn list(
                &self,
                request: tonic::Request<<$resource as $crate::resource::Resource>::Request>,
            ) -> Result<tonic::Response<<$resource as $crate::resource::Resource>::List>, tonic::Status> {
                let caller = $crate::Caller::of(&request)?;
                Ok(tonic::Response::new($crate::resource::list(self, &caller, request.into_inner()).await?))
            }
            $($methods)*
        ]);
    };
    (@rpcs [Get $($rpc:tt)*] [$server:path] [$resource:ty] [$($methods:tt)*]) => {
        $crate::resource_service!(@rpcs [$($rpc)*] [$server] [$resource] [
            async fn get(
                &self,
                request: tonic::Request<armada_proto::v1::GetRequest>,
            ) -> Result<tonic::Response<<$resource as $crate::resource::Resource>::Message>, tonic::Status> {
                let caller = $crate::Caller::of(&request)?;
                Ok(tonic::Response::new($crate::resource::get(self, &caller, &request.into_inner().id).await?))
            }
            $($methods)*
        ]);
    };
    (@rpcs [Create $($rpc:tt)*] [$server:path] [$resource:ty] [$($methods:tt)*]) => {
        $crate::resource_service!(@rpcs [$($rpc)*] [$server] [$resource] [
            async fn create(
                &self,
                request: tonic::Request<<$resource as $crate::resource::Resource>::Input>,
            ) -> Result<tonic::Response<<$resource as $crate::resource::Resource>::Message>, tonic::Status> {
                let caller = $crate::Caller::of(&request)?;
                Ok(tonic::Response::new($crate::resource::create(self, &caller, request.into_inner()).await?))
            }
            $($methods)*
        ]);
    };
    (@rpcs [Update $($rpc:tt)*] [$server:path] [$resource:ty] [$($methods:tt)*]) => {
        $crate::resource_service!(@rpcs [$($rpc)*] [$server] [$resource] [
            async fn update(
                &self,
                request: tonic::Request<<$resource as $crate::resource::Resource>::Input>,
            ) -> Result<tonic::Response<<$resource as $crate::resource::Resource>::Message>, tonic::Status> {
                let caller = $crate::Caller::of(&request)?;
                Ok(tonic::Response::new($crate::resource::update(self, &caller, request.into_inner()).await?))
            }
            $($methods)*
        ]);
    };
    (@rpcs [Delete $($rpc:tt)*] [$server:path] [$resource:ty] [$($methods:tt)*]) => {
        $crate::resource_service!(@rpcs [$($rpc)*] [$server] [$resource] [
            async fn delete(
                &self,
                request: tonic::Request<armada_proto::v1::DeleteRequest>,
            ) -> Result<tonic::Response<armada_proto::v1::Empty>, tonic::Status> {
                let caller = $crate::Caller::of(&request)?;
                $crate::resource::delete(self, &caller, request.into_inner()).await?;
                Ok(tonic::Response::new(armada_proto::v1::Empty {}))
            }
            $($methods)*
        ]);
    };
    (@rpcs [Bulk($request:ty) $($rpc:tt)*] [$server:path] [$resource:ty] [$($methods:tt)*]) => {
        $crate::resource_service!(@rpcs [$($rpc)*] [$server] [$resource] [
            async fn bulk(
                &self,
                request: tonic::Request<$request>,
            ) -> Result<tonic::Response<armada_proto::v1::Job>, tonic::Status> {
                self.jobs.bulk(self, request).await
            }
            $($methods)*
        ]);
    };
    (@rpcs [Import($request:ty) $($rpc:tt)*] [$server:path] [$resource:ty] [$($methods:tt)*]) => {
        $crate::resource_service!(@rpcs [$($rpc)*] [$server] [$resource] [
            async fn import(
                &self,
                request: tonic::Request<$request>,
            ) -> Result<tonic::Response<armada_proto::v1::Job>, tonic::Status> {
                self.jobs.import(self, request).await
            }
            $($methods)*
        ]);
    };
    (@rpcs [Export $($rpc:tt)*] [$server:path] [$resource:ty] [$($methods:tt)*]) => {
        $crate::resource_service!(@rpcs [$($rpc)*] [$server] [$resource] [
            type ExportStream = $crate::resource::ListStream<$resource>;

            async fn export(
                &self,
                request: tonic::Request<<$resource as $crate::resource::Resource>::Request>,
            ) -> Result<tonic::Response<Self::ExportStream>, tonic::Status> {
                let caller = $crate::Caller::of(&request)?;
                let list = $crate::resource::export(self, &caller, request.into_inner()).await?;
                Ok(tonic::Response::new(list))
            }
            $($methods)*
        ]);
    };
}
