//! Which users there are.

use armada_proto::{
    UserId,
    access::permission,
    v1::{ListUsersRequest, User, UserList, UserStatus, UserSummary},
};
use armada_runtime::{
    Caller, Database, Error, Result, Scope,
    audit::{self, Act, Object},
    list::{Export, List, Searched, Sort, Wanted},
};
use futures::{StreamExt, TryStreamExt, stream, stream::BoxStream};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QuerySelect, QueryTrait, Select};
use tonic::Status;
use uuid::Uuid;

use super::{Users, told};
use crate::{
    counting::{self, sum_if},
    entity::{
        tenant,
        user::{Column, Entity},
        user_role,
    },
};

/// Users, or roles, that one list may be narrowed to.
const IDS_MAX: usize = 500;

/// How users are listed.
const LIST: List<Column> = List {
    sortable: &[
        ("name", Sort::Plain(Column::NameFolded)),
        ("email", Sort::Plain(Column::Email)),
        ("phone", Sort::Plain(Column::Phone)),
        ("last_login", Sort::OrZero(Column::LastLogin)),
        ("created_at", Sort::Plain(Column::CreatedAt)),
    ],
    searched: Searched::Indexed(Column::Search),
    id: Column::Id,
};

impl Users {
    pub(super) async fn page(&self, caller: &Caller, request: &ListUsersRequest) -> Result<UserList> {
        let scope = caller.narrow(request.tenant_id.as_deref())?;
        let tx = self.db.read(&scope).await?;
        let (rows, total) = LIST.fetch(&tx, filtered(scope, request)?, wanted(request)).await?;
        Ok(UserList { items: told(&tx, rows).await?, total })
    }

    pub(super) async fn whole(
        &self,
        caller: &Caller,
        request: &ListUsersRequest,
    ) -> Result<BoxStream<'static, Result<UserList, Status>>> {
        let scope = caller.narrow(request.tenant_id.as_deref())?;
        let export = LIST.export(&self.db, scope, filtered(scope, request)?, wanted(request)).await?;
        let total = export.remaining();
        let tx = self.db.write(&scope).await?;
        let object = Object { kind: "user", ..Object::default() };
        let act = Act { act: permission::USER_EXPORT, tenant: scope.tenant(), object, ..Act::default() };
        audit::record(&tx, caller, act).await?;
        tx.commit().await?;
        let pieces = stream::try_unfold((self.db.clone(), scope, export), piece);
        Ok(pieces.map_ok(move |items| UserList { items, total }).boxed())
    }

    pub(super) async fn counted(&self, caller: &Caller, request: &ListUsersRequest) -> Result<UserSummary> {
        let scope = caller.narrow(request.tenant_id.as_deref())?;
        let rows = LIST.matching(self.db.backend(), filtered(scope, request)?, wanted(request))?;
        let tx = self.db.read(&scope).await?;
        let sums = [
            sum_if(of_status(UserStatus::Active)),
            sum_if(of_status(UserStatus::Inactive)),
            sum_if(of_status(UserStatus::Invited)),
            sum_if(Column::IsTenantAdmin.eq(true)),
            sum_if(Column::IsSubscriptionActive.eq(true)),
            sum_if(Column::HasTotp.eq(true)),
            sum_if(Column::LastLogin.is_null()),
        ];
        let (total, [active, inactive, invited, tenant_admins, subscription_active, with_totp, never_signed_in]) =
            counting::fetch(&tx, rows, sums).await?;
        Ok(UserSummary {
            total,
            active,
            inactive,
            invited,
            tenant_admins,
            subscription_active,
            with_totp,
            never_signed_in,
        })
    }
}

/// What a request says of order and search.
fn wanted(request: &ListUsersRequest) -> Wanted<'_> {
    Wanted { page: request.page, page_size: request.page_size, sort: &request.sort, q: &request.q }
}

/// The users that a request asks for. What is no id names nobody; a list of such narrows to nobody.
fn filtered(scope: Scope, request: &ListUsersRequest) -> Result<Select<Entity>> {
    let mut rows = Entity::within(scope);
    for (field, ids) in [("ids", &request.ids), ("role_ids", &request.role_ids)] {
        if ids.len() > IDS_MAX {
            return Err(Error::field(field, "too_many"));
        }
    }
    if !request.ids.is_empty() {
        rows = rows.filter(Column::Id.is_in(request.ids.iter().filter_map(|id| id.parse::<UserId>().ok())));
    }
    if !request.role_ids.is_empty() {
        let roles = request.role_ids.iter().filter_map(|id| Uuid::try_parse(id).ok());
        let users = user_role::Entity::find().filter(user_role::Column::RoleId.is_in(roles));
        rows = rows.filter(Column::Id.in_subquery(users.select_only().column(user_role::Column::UserId).into_query()));
    }
    if let Some(active) = request.is_subscription_active {
        rows = rows.filter(Column::IsSubscriptionActive.eq(active));
    }
    let known = |number: i32| match UserStatus::try_from(number) {
        Ok(UserStatus::Unspecified) => Ok(None),
        other => other.map(Some),
    };
    let statuses = counting::named("statuses", &request.statuses, known)?;
    if !statuses.is_empty() {
        let any = statuses.into_iter().fold(Condition::any(), |any, status| any.add(of_status(status)));
        rows = rows.filter(any);
    }
    Ok(rows)
}

/// Who has a status: what [`crate::entity::user::Model::status`] says, for the database.
fn of_status(status: UserStatus) -> Condition {
    let inactive = tenant::Entity::find().select_only().column(tenant::Column::Id);
    let inactive = inactive.filter(tenant::Column::Active.eq(false)).into_query();
    let barred = Condition::any()
        .add(Column::IsActive.eq(false))
        .add(Condition::all().add(Column::TenantId.is_not_null()).add(Column::TenantId.in_subquery(inactive)));
    match status {
        UserStatus::Inactive => barred,
        UserStatus::Invited => Condition::all().add(barred.not()).add(Column::IsPending.eq(true)),
        UserStatus::Active => Condition::all().add(barred.not()).add(Column::IsPending.eq(false)),
        UserStatus::Unspecified => Condition::all(),
    }
}

type Rest = (Database, Scope, Export<Entity>);

/// The next piece of an export.
async fn piece((db, scope, mut export): Rest) -> Result<Option<(Vec<User>, Rest)>, Status> {
    let Some(rows) = export.next().await? else { return Ok(None) };
    let tx = db.read(&scope).await?;
    let items = told(&tx, rows).await?;
    drop(tx);
    Ok(Some((items, (db, scope, export))))
}
