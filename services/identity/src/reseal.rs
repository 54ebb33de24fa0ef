//! After the key was changed that secrets in the database are sealed with: what the former one has sealed, the present one
//! seals anew. It may run beside the services, and again: what is done is done, and what somebody writes meanwhile is theirs.

use armada_proto::UserId;
use armada_runtime::{Database, Result, Scope, Seal, auth::IDENTITY, seal::Resealed};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr};

use crate::{
    config::Config,
    entity::{mail, second_factor, signing_key},
    mail::SEALED_FOR as FOR_MAIL,
    signing_key::{SEED, sealed_for as for_key},
    totp::sealed_for as for_factor,
};

/// Rows of one transaction.
const PIECE: u64 = 200;

/// How many secrets were sealed anew, and how many neither key opens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Sealed anew.
    pub done: u64,
    /// Left as they are.
    pub lost: u64,
}

/// What a row becomes.
fn anew(seal: &Seal, count: &mut Count, purpose: &str, sealed: &[u8]) -> Result<Option<Vec<u8>>> {
    Ok(match seal.reseal(purpose, sealed)? {
        Resealed::Already => None,
        Resealed::Anew(sealed) => {
            count.done += 1;
            Some(sealed)
        }
        Resealed::Lost => {
            count.lost += 1;
            None
        }
    })
}

/// Seals everything anew that the former key of the configuration has sealed.
pub async fn reseal(db: &Database, config: &Config) -> Result<Count> {
    let seal = Seal::with_former(IDENTITY, config.secret_key.as_ref(), config.secret_key_former.as_ref())?;
    let mut count = Count::default();
    signing_keys(db, &seal, &mut count).await?;
    second_factors(db, &seal, &mut count).await?;
    mails(db, &seal, &mut count).await?;
    Ok(count)
}

/// A handful.
async fn signing_keys(db: &Database, seal: &Seal, count: &mut Count) -> Result<()> {
    use signing_key::{Column, Entity};
    let tx = db.write(&Scope::Platform).await?;
    // What is as long as a seed was never sealed.
    for key in Entity::find().all(&tx).await?.into_iter().filter(|key| key.seed.len() != SEED) {
        let Some(sealed) = anew(seal, count, &for_key(&key.kid), &key.seed)? else { continue };
        let written = Entity::update_many().col_expr(Column::Seed, Expr::val(sealed)).filter(Column::Kid.eq(key.kid));
        written.filter(Column::Seed.eq(key.seed)).exec(&tx).await?;
    }
    Ok(tx.commit().await?)
}

async fn second_factors(db: &Database, seal: &Seal, count: &mut Count) -> Result<()> {
    use second_factor::{Column, Entity};
    let mut last: Option<UserId> = None;
    loop {
        let tx = db.write(&Scope::Platform).await?;
        let behind = last.map(|last| Column::UserId.gt(last));
        let rows = Entity::find().order_by_asc(Column::UserId).limit(PIECE);
        let rows = behind.into_iter().fold(rows, QueryFilter::filter).all(&tx).await?;
        let Some(end) = rows.last().map(|row| row.user_id) else { return Ok(()) };
        for row in rows {
            for (column, sealed) in [(Column::Secret, row.secret), (Column::Pending, row.pending)] {
                let Some(sealed) = sealed else { continue };
                let Some(new) = anew(seal, count, &for_factor(row.user_id), &sealed)? else { continue };
                let written = Entity::update_many().col_expr(column, Expr::val(new));
                written.filter(Column::UserId.eq(row.user_id)).filter(column.eq(sealed)).exec(&tx).await?;
            }
        }
        tx.commit().await?;
        last = Some(end);
    }
}

async fn mails(db: &Database, seal: &Seal, count: &mut Count) -> Result<()> {
    use mail::{Column, Entity};
    let mut last = 0;
    loop {
        let tx = db.write(&Scope::Platform).await?;
        let rows = Entity::find().filter(Column::Id.gt(last)).order_by_asc(Column::Id).limit(PIECE).all(&tx).await?;
        let Some(end) = rows.last().map(|row| row.id) else { return Ok(()) };
        for row in rows {
            if let Some(new) = anew(seal, count, FOR_MAIL, &row.message)? {
                set_message(&tx, row.id, new).await?;
            }
        }
        tx.commit().await?;
        last = end;
    }
}

async fn set_message(tx: &DatabaseTransaction, id: i64, message: Vec<u8>) -> Result<()> {
    let written = mail::Entity::update_many().col_expr(mail::Column::Message, Expr::val(message));
    written.filter(mail::Column::Id.eq(id)).exec(tx).await?;
    Ok(())
}
