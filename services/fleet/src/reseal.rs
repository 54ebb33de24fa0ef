//! After the key was changed that passwords of trackers are sealed with: what the former one has sealed, the present one
//! seals anew. It may run beside the services, and again.

use armada_proto::DeviceId;
use armada_runtime::{Database, Result, Scope, Seal, seal::Resealed};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr};

use crate::{
    config::{Config, NAME},
    devices::PASSWORD,
    entity::device::{Column, Entity},
};

/// Rows of one transaction.
const PIECE: u64 = 200;

/// Seals everything anew that the former key of the configuration has sealed: how much, and how much neither key opens.
pub async fn reseal(db: &Database, config: &Config) -> Result<(u64, u64)> {
    let seal = Seal::with_former(NAME, config.secret_key.as_ref(), config.secret_key_former.as_ref())?;
    let (mut done, mut lost, mut last) = (0, 0, None::<DeviceId>);
    loop {
        let tx = db.write(&Scope::Platform).await?;
        let rows = Entity::find().filter(Column::Password.is_not_null()).order_by_asc(Column::Id).limit(PIECE);
        let behind = last.map(|last| Column::Id.gt(last));
        let rows = rows.select_only().columns([Column::Id, Column::Password]);
        let rows = behind.into_iter().fold(rows, QueryFilter::filter);
        let rows: Vec<(DeviceId, Vec<u8>)> = rows.into_tuple().all(&tx).await?;
        let Some((end, _)) = rows.last() else { return Ok((done, lost)) };
        last = Some(*end);
        for (id, sealed) in rows {
            match seal.reseal(PASSWORD, &sealed)? {
                Resealed::Already => {}
                Resealed::Lost => lost += 1,
                Resealed::Anew(new) => {
                    let written = Entity::update_many().col_expr(Column::Password, Expr::val(new));
                    written.filter(Column::Id.eq(id)).filter(Column::Password.eq(sealed)).exec(&tx).await?;
                    done += 1;
                }
            }
        }
        tx.commit().await?;
    }
}
