//! Users: managed by platform owners everywhere and by tenant admins in their tenant.

use armada_proto::{
    TenantId, Timestamp, UserId,
    v1::{GetRequest, ListUsersRequest, User, UserInput, UserList, users_server},
};
use armada_runtime::{
    Caller, Database, Error, Fields, Result, Scope,
    list::{List, Sort, Wanted},
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, IntoActiveModel, PaginatorTrait, QueryFilter, QuerySelect,
};
use tonic::{Request, Response, Status};

use crate::{
    email,
    ended::{self, Ended},
    entity::{
        session, tenant,
        user::{Column, Entity, Model},
    },
    ids,
    passwords::{self, Passwords},
};

const NAME_MAX: usize = 200;
const PHONE_MAX: usize = 40;

/// How users are listed.
const LIST: List<Column> = List {
    sortable: &[
        ("name", Sort::Folded(Column::Name)),
        ("email", Sort::Plain(Column::Email)),
        ("last_login", Sort::OrZero(Column::LastLogin)),
        ("created_at", Sort::Plain(Column::CreatedAt)),
    ],
    searched: Column::Search,
    id: Column::Id,
};

/// The RPCs.
pub struct Users {
    pub(crate) db: Database,
    pub(crate) passwords: Passwords,
    pub(crate) ended: Ended,
}

#[tonic::async_trait]
impl users_server::Users for Users {
    async fn list(&self, request: Request<ListUsersRequest>) -> Result<Response<UserList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.page(&caller, &request.into_inner()).await?))
    }

    async fn get(&self, request: Request<GetRequest>) -> Result<Response<User>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.one(&caller, &request.into_inner().id).await?.into()))
    }

    async fn create(&self, request: Request<UserInput>) -> Result<Response<User>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.make(&caller, request.into_inner()).await?.into()))
    }

    async fn update(&self, request: Request<UserInput>) -> Result<Response<User>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.change(&caller, request.into_inner()).await?.into()))
    }
}

impl Users {
    async fn page(&self, caller: &Caller, request: &ListUsersRequest) -> Result<UserList> {
        admin(caller)?;
        let scope = caller.narrow(request.tenant_id.as_deref())?;
        let wanted = Wanted { page: request.page, page_size: request.page_size, sort: &request.sort, q: &request.q };
        let mut rows = Entity::within(scope);
        if let Some(ids) = ids::asked::<UserId>(&request.ids)? {
            rows = rows.filter(Column::Id.is_in(ids));
        }
        let tx = self.db.read(&scope).await?;
        let (rows, total) = LIST.fetch(&tx, rows, wanted).await?;
        Ok(UserList { items: rows.into_iter().map(User::from).collect(), total })
    }

    async fn one(&self, caller: &Caller, id: &str) -> Result<Model> {
        if !caller.is_admin() && caller.user()?.user_id.to_string() != id {
            return Err(Error::forbidden());
        }
        let id: UserId = id.parse()?;
        let tx = self.db.read(&caller.scope()).await?;
        Entity::within(caller.scope()).filter(Column::Id.eq(id)).one(&tx).await?.ok_or_else(Error::not_found)
    }

    async fn make(&self, caller: &Caller, mut input: UserInput) -> Result<Model> {
        admin(caller)?;
        let mut fields = Fields::default();
        let tenant = tenant_of_new(caller, &input, &mut fields);
        check(&mut input, true, fields)?;
        let password_hash = self.passwords.hash(input.password.take().unwrap_or_default()).await?;
        let now = Timestamp::now().millis();
        let mut user = Model {
            id: UserId::new(),
            tenant_id: tenant,
            name: String::new(),
            email: String::new(),
            phone: String::new(),
            password_hash,
            is_platform_owner: false,
            is_tenant_admin: false,
            is_active: true,
            policy_version: 1,
            last_login: None,
            search: String::new(),
            row_version: 1,
            created_at: now,
            updated_at: now,
        };
        apply(input, &mut user);
        let tx = self.db.write(&caller.scope()).await?;
        if let Some(tenant) = tenant {
            must_exist(&tx, tenant).await?;
        }
        let user = user.into_active_model().insert(&tx).await.map_err(taken)?;
        tx.commit().await?;
        Ok(user)
    }

    async fn change(&self, caller: &Caller, mut input: UserInput) -> Result<Model> {
        admin(caller)?;
        let before = self.one(caller, &input.id).await?;
        let mut fields = Fields::default();
        refuse_changes_of_place(caller, &before, &input, &mut fields);
        check(&mut input, false, fields)?;
        let password_hash = match input.password.take().filter(|password| !password.is_empty()) {
            Some(password) => Some(self.passwords.hash(password).await?),
            None => None,
        };
        let tx = self.db.write(&caller.scope()).await?;
        let rows = Entity::within(caller.scope()).filter(Column::Id.eq(before.id)).lock_exclusive();
        let mut user = rows.one(&tx).await?.ok_or_else(Error::not_found)?;
        if input.row_version.is_some_and(|version| version != user.row_version) {
            return Err(Error::version_mismatch());
        }
        let rights = |user: &Model| (user.is_tenant_admin, user.is_active);
        let rights_before = rights(&user);
        let ends_sessions = password_hash.is_some() || (user.is_active && input.is_active == Some(false));
        apply(input, &mut user);
        user.password_hash = password_hash.unwrap_or(user.password_hash);
        user.policy_version += i32::from(rights(&user) != rights_before);
        user.row_version += 1;
        user.updated_at = Timestamp::now().millis();
        let ended = match ends_sessions {
            true => ended::end(&tx, session::Column::UserId.eq(user.id)).await?,
            false => Vec::new(),
        };
        let user = user.into_active_model().reset_all().update(&tx).await.map_err(taken)?;
        tx.commit().await?;
        self.ended.tell(ended).await;
        Ok(user)
    }
}

fn admin(caller: &Caller) -> Result<()> {
    if caller.is_admin() { Ok(()) } else { Err(Error::forbidden()) }
}

/// Where a new user belongs: to the caller's tenant, or to the one that a platform owner names. Another tenant than
/// one's own is as unknown as one that does not exist.
fn tenant_of_new(caller: &Caller, input: &UserInput, fields: &mut Fields) -> Option<TenantId> {
    let named = input.tenant_id.as_deref().filter(|id| !id.is_empty());
    match caller.narrow(named) {
        Ok(Scope::Tenant(tenant)) => return Some(tenant),
        Ok(Scope::Platform) => fields.wrong("tenant_id", "required"),
        Err(_) => fields.wrong("tenant_id", "unknown"),
    }
    None
}

async fn must_exist(tx: &DatabaseTransaction, tenant: TenantId) -> Result<()> {
    let found = tenant::Entity::within(Scope::Tenant(tenant)).count(tx).await?;
    if found == 1 { Ok(()) } else { Err(Error::field("tenant_id", "unknown")) }
}

/// A user stays in their tenant; who has none is admin of none; and nobody shuts themselves out.
fn refuse_changes_of_place(caller: &Caller, user: &Model, input: &UserInput, fields: &mut Fields) {
    let place = user.tenant_id.map(|id| id.to_string()).unwrap_or_default();
    if input.tenant_id.as_ref().is_some_and(|wanted| *wanted != place) {
        fields.wrong("tenant_id", "not_changeable");
    }
    if user.tenant_id.is_none() && input.is_tenant_admin == Some(true) {
        fields.wrong("is_tenant_admin", "no_tenant");
    }
    let own = caller.grant.as_ref().is_some_and(|grant| grant.user_id == user.id);
    if own && input.is_active == Some(false) {
        fields.wrong("is_active", "own_account");
    }
}

/// Brings the input into the form in which it is stored, or says what is wrong with it.
fn check(input: &mut UserInput, creating: bool, mut fields: Fields) -> Result<()> {
    fields.require("name", input.name.as_deref(), creating);
    fields.line("name", &mut input.name, NAME_MAX);
    fields.require("email", input.email.as_deref(), creating);
    email::check(&mut fields, &mut input.email);
    fields.line("phone", &mut input.phone, PHONE_MAX);
    let password = input.password.as_deref().unwrap_or_default();
    if creating || !password.is_empty() {
        passwords::check(&mut fields, password);
    }
    fields.check()
}

/// Takes over what is present, but for the password and the tenant.
fn apply(input: UserInput, user: &mut Model) {
    let UserInput { id: _, tenant_id: _, name, email, phone, password: _, is_tenant_admin, is_active, row_version: _ } =
        input;
    user.name = name.unwrap_or_else(|| std::mem::take(&mut user.name));
    user.email = email.unwrap_or_else(|| std::mem::take(&mut user.email));
    user.phone = phone.unwrap_or_else(|| std::mem::take(&mut user.phone));
    user.is_tenant_admin = is_tenant_admin.unwrap_or(user.is_tenant_admin);
    user.is_active = is_active.unwrap_or(user.is_active);
    user.search = format!("{}\n{}", user.name.to_lowercase(), user.email);
}

/// Whichever tenant has the address, the answer is the same.
fn taken(error: sea_orm::DbErr) -> Error {
    Error::on_unique(error, &[("email", "email")])
}
