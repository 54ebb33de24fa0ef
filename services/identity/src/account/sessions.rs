//! Where the caller is signed in.

use armada_proto::{
    Timestamp,
    v1::{AccountSession, AccountSessionList},
};
use armada_runtime::{
    Caller, Error, Result,
    audit::{self, Act, Object},
};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder};
use uuid::Uuid;

use super::{Account, profile::other_sessions};
use crate::{
    ended,
    entity::session::{Column, Entity, Model, is_active_at},
};

impl Account {
    pub(super) async fn list_sessions(&self, caller: &Caller) -> Result<AccountSessionList> {
        let grant = caller.user()?;
        let tx = self.db.read(&caller.scope()).await?;
        let rows = Entity::find()
            .filter(Column::UserId.eq(grant.user_id))
            .filter(is_active_at(Timestamp::now(), self.session_idle))
            .order_by_desc(Column::LastUsedAt)
            .order_by_asc(Column::Id)
            .all(&tx)
            .await?;
        let items: Vec<_> = rows.into_iter().map(|row| listed(row, grant.sid)).collect();
        let total = u32::try_from(items.len()).unwrap_or(u32::MAX);
        Ok(AccountSessionList { items, total })
    }

    pub(super) async fn end_session(&self, caller: &Caller, id: &str) -> Result<()> {
        let id: Uuid = id.parse().map_err(|_| Error::not_found())?;
        let own = Condition::all().add(Column::UserId.eq(caller.user()?.user_id)).add(Column::Id.eq(id));
        if self.end(caller, own).await? == 0 { Err(Error::not_found()) } else { Ok(()) }
    }

    pub(super) async fn end_other_sessions(&self, caller: &Caller) -> Result<()> {
        self.end(caller, other_sessions(caller)?).await.map(drop)
    }

    /// Ends sessions of the caller and returns how many. Whoever finds an open screen cannot shut its user out.
    async fn end(&self, caller: &Caller, which: Condition) -> Result<usize> {
        self.must_be_recent(caller).await?;
        let tx = self.db.write(&caller.scope()).await?;
        let rows = Entity::find().filter(which.clone()).all(&tx).await?;
        for row in &rows {
            let object = Object::new("session", row.id, &row.user_agent);
            let act = Act { act: "session:end", tenant: row.tenant_id, object, ..Act::default() };
            audit::record(&tx, caller, act).await?;
        }
        let ended = ended::end(&tx, which).await?;
        tx.commit().await?;
        self.ended.announce(ended).await;
        Ok(rows.len())
    }
}

fn listed(row: Model, own: Option<Uuid>) -> AccountSession {
    AccountSession {
        is_current: own == Some(row.id),
        id: row.id.to_string(),
        user_agent: row.user_agent,
        address: row.address,
        created_at: Some(Timestamp::from_millis(row.created_at)),
        last_used_at: Some(Timestamp::from_millis(row.last_used_at)),
    }
}
