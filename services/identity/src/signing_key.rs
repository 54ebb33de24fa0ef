//! The key that signs access tokens.

use armada_proto::Timestamp;
use armada_runtime::{Database, Error, Result, Scope, auth::Signer};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, EntityTrait, QueryOrder, SqlErr};
use uuid::Uuid;

use crate::{
    entity::signing_key::{ActiveModel, Column, Entity, Model},
    random,
};

/// The newest key, or a new one when there is none. Processes that start at the same time end up with the same one.
pub async fn load_or_make(db: &Database) -> Result<Signer> {
    let key = match newest(db).await? {
        Some(key) => key,
        None => {
            make(db).await?;
            newest(db).await?.ok_or_else(|| Error::internal("the signing key is gone"))?
        }
    };
    let seed = key.seed.as_slice().try_into().map_err(|_| Error::internal("a signing key is not 32 bytes long"))?;
    Signer::from_seed(key.kid, seed)
}

async fn newest(db: &Database) -> Result<Option<Model>> {
    let tx = db.read(&Scope::Platform).await?;
    Ok(Entity::find().order_by_desc(Column::Generation).one(&tx).await?)
}

async fn make(db: &Database) -> Result<()> {
    let key = ActiveModel {
        kid: Set(format!("identity-{}", Uuid::now_v7())),
        generation: Set(1),
        seed: Set(random::<32>()?.to_vec()),
        created_at: Set(Timestamp::now().millis()),
    };
    let tx = db.write(&Scope::Platform).await?;
    match key.insert(&tx).await {
        Ok(_) => Ok(tx.commit().await?),
        Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
