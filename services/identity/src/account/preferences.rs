//! How the caller has chosen to see the console. What a preference says is the console's affair: here it is an object of
//! JSON under a name, its person's own.

use armada_proto::v1::{GetPreferenceRequest, Preference, PreferenceInput};
use armada_runtime::{Caller, Error, Result, Validate};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, sea_query::OnConflict,
};
use serde_json::{Map, Value};

use super::{Account, locked};
use crate::entity::preference::{Column, Entity, Model};

/// How many a user may have.
const PREFERENCES_MAX: u32 = 50;
/// Bytes of one of them.
const LONGEST: usize = 4096;

impl Account {
    pub(super) async fn get_preference(
        &self,
        caller: &Caller,
        mut request: GetPreferenceRequest,
    ) -> Result<Preference> {
        request.validate().check()?;
        let key = (caller.user()?.user_id, request.key.clone());
        let tx = self.db.read(&caller.scope()).await?;
        let row = Entity::find_by_id(key).one(&tx).await?;
        Ok(Preference { key: request.key, value: row.map(|row| row.value) })
    }

    pub(super) async fn set_preference(&self, caller: &Caller, mut input: PreferenceInput) -> Result<Preference> {
        let mut fields = input.validate();
        if let Some(value) = &input.value {
            if value.len() > LONGEST {
                fields.add("value", "too_long");
            } else if serde_json::from_str::<Map<String, Value>>(value).is_err() {
                fields.add("value", "invalid");
            }
        }
        fields.check()?;
        let tx = self.db.write(&caller.scope()).await?;
        // Of two at once the second one counts what the first one has left.
        let user = locked(&tx, caller).await?;
        match input.value.clone() {
            Some(value) => {
                let row = Model { user_id: user.id, key: input.key.clone(), tenant_id: user.tenant_id, value };
                must_have_room(&tx, &row).await?;
                let anew = OnConflict::columns([Column::UserId, Column::Key]).update_column(Column::Value).to_owned();
                Entity::insert(row.into_active_model()).on_conflict(anew).exec_without_returning(&tx).await?;
            }
            None => {
                Entity::delete_by_id((user.id, input.key.clone())).exec(&tx).await?;
            }
        }
        tx.commit().await?;
        Ok(Preference { key: input.key, value: input.value })
    }
}

async fn must_have_room(tx: &DatabaseTransaction, row: &Model) -> Result<()> {
    let others = Entity::find().filter(Column::UserId.eq(row.user_id)).filter(Column::Key.ne(&row.key));
    if others.count(tx).await? < u64::from(PREFERENCES_MAX) {
        return Ok(());
    }
    Err(Error::limit_reached(
        "preference_limit_reached",
        PREFERENCES_MAX,
        format!("a user may have {PREFERENCES_MAX} preferences"),
    ))
}
