//! Saved views: states of lists under a name. Anybody may share theirs with everybody of their tenant, platform owners
//! with each other; only who made a view may change or remove it, and of those that are shared the admins too.

use std::collections::HashMap;

use armada_proto::{
    UserId, Violations,
    v1::{ListSavedViewsRequest, SavedView, SavedViewInput, SavedViewList, saved_views_server},
};
use armada_runtime::{
    Caller, Database, Error, Result, Scope, acts,
    list::{List, Searched, Sort},
    resource::{Acts, Resource, Row},
    resource_service,
};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect, Select,
    sea_query::Expr,
};

use crate::entity::{
    saved_view::{Column, Entity, Model},
    user,
};

/// How many views of one screen a user may have.
const VIEWS_MAX: u32 = 100;

/// The RPCs.
#[derive(Clone)]
pub struct SavedViews {
    pub(crate) db: Database,
}

resource_service! {
    impl saved_views_server::SavedViews, for SavedViews: List, Get, Create, Update, Delete;
}

impl Resource for SavedViews {
    type Entity = Entity;
    type Row = Model;
    type Message = SavedView;
    type Input = SavedViewInput;
    type Request = ListSavedViewsRequest;
    type List = SavedViewList;
    type Prepared = ();
    type Effects = ();

    const ACTS: Acts = acts!("saved_view");
    const LIST: List<Column> = List {
        sortable: &[
            ("name", Sort::Plain(Column::NameFolded)),
            ("created_at", Sort::Plain(Column::CreatedAt)),
            ("updated_at", Sort::Plain(Column::UpdatedAt)),
        ],
        searched: Searched::Indexed(Column::Search),
        id: Column::Id,
    };

    fn db(&self) -> &Database {
        &self.db
    }

    /// A service on its own has none, and none is shared with it.
    fn visible(caller: &Caller, _: Scope) -> Select<Entity> {
        match &caller.grant {
            Some(grant) => Entity::seen_by(grant),
            None => Entity::find().filter(Expr::val(false)),
        }
    }

    fn filter(&self, rows: Select<Entity>, request: &ListSavedViewsRequest) -> Result<Select<Entity>> {
        Ok(if request.screen.is_empty() { rows } else { rows.filter(Column::Screen.eq(&request.screen)) })
    }

    /// With what their makers are called.
    async fn present(&self, tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<SavedView>> {
        let makers = user::Entity::find().filter(user::Column::Id.is_in(rows.iter().filter_map(|row| row.user_id)));
        let makers = makers.select_only().columns([user::Column::Id, user::Column::Name]);
        let names: HashMap<UserId, String> = makers.into_tuple().all(tx).await?.into_iter().collect();
        let with_name =
            |row: Model| SavedView { user_name: row.user_id.and_then(|id| names.get(&id).cloned()), ..row.into() };
        Ok(rows.into_iter().map(with_name).collect())
    }

    fn new_row(caller: &Caller, _: &SavedViewInput, _: &mut Violations) -> Option<Model> {
        caller.grant.as_ref().map(Model::new)
    }

    fn check(&self, _: &Caller, before: Option<&Model>, input: &mut SavedViewInput, violations: &mut Violations) {
        let Some(before) = before else { return };
        if input.screen.as_ref().is_some_and(|screen| *screen != before.screen) {
            violations.add("screen", "not_changeable");
        }
        // Nobody would see it any more.
        if before.user_id.is_none() && input.is_shared == Some(false) {
            violations.add("is_shared", "not_changeable");
        }
    }

    async fn before_lock(&self, tx: &DatabaseTransaction, row: &Model) -> Result<()> {
        lock_maker(tx, row).await.map(drop)
    }

    async fn apply(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        before: Option<&Model>,
        row: &mut Model,
        input: SavedViewInput,
        (): (),
    ) -> Result<()> {
        row.apply(input);
        match before {
            Some(before) => must_be_in_charge(caller, before),
            None => must_have_room(tx, row).await,
        }
    }

    async fn removing(&self, _: &DatabaseTransaction, caller: &Caller, row: &Model) -> Result<()> {
        must_be_in_charge(caller, row)
    }

    fn unique(error: DbErr) -> Error {
        Error::on_unique(error, &[("saved_view_name", "name"), ("saved_view.name_folded", "name")])
    }
}

/// Removes what nobody sees any more when a user, who is locked, is removed. What they have shared stays for the others.
pub async fn remove_of_maker(tx: &DatabaseTransaction, user: UserId) -> Result<()> {
    let own = Entity::delete_many().filter(Column::UserId.eq(user)).filter(Column::IsShared.eq(false));
    own.exec(tx).await?;
    Ok(())
}

/// Of another's view a caller sees that it is there; admins see of others only what is shared.
fn must_be_in_charge(caller: &Caller, view: &Model) -> Result<()> {
    let is_own = view.user_id == Some(caller.user()?.user_id);
    if is_own || caller.is_admin() { Ok(()) } else { Err(Error::forbidden()) }
}

/// Locks who made a view until the transaction ends, so that two who save at once do not both take the last place, and
/// no view is taken back from the others while its maker is removed. Whether they are there.
async fn lock_maker(tx: &DatabaseTransaction, view: &Model) -> Result<bool> {
    let Some(maker) = view.user_id else { return Ok(false) };
    Ok(user::Entity::find_by_id(maker).lock_exclusive().one(tx).await?.is_some())
}

async fn must_have_room(tx: &DatabaseTransaction, view: &Model) -> Result<()> {
    if !lock_maker(tx, view).await? {
        return Err(Error::unauthenticated());
    }
    let own = Entity::find().filter(Column::UserId.eq(view.user_id)).filter(Column::Screen.eq(&view.screen));
    if own.count(tx).await? < u64::from(VIEWS_MAX) {
        return Ok(());
    }
    let message = format!("a user may have {VIEWS_MAX} views of a screen");
    Err(Error::limit_reached("saved_view_limit_reached", VIEWS_MAX, message))
}
