//! Addresses that are known already, in the database: all instances share them, and they outlive a restart.

use std::{collections::HashMap, time::Duration};

use armada_proto::Timestamp;
use armada_runtime::{Database, Result, Scope};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::OnConflict,
};

use super::place::Place;
use crate::{
    entity::address::{ActiveModel, Column, Entity},
    storage::write_gate::WriteGate,
};

/// How often what is old is looked for.
const SWEEP_EVERY: Duration = Duration::from_secs(3600);
/// Rows removed in one transaction, so that commit batches come in between.
const REMOVED_AT_ONCE: u64 = 1_000;

/// The table. Cheap to clone.
#[derive(Clone)]
pub struct Cache {
    pub db: Database,
    /// Lets commit batches of positions write in between.
    pub gate: WriteGate,
    /// For how long an address is believed.
    pub kept: Duration,
}

impl Cache {
    /// What is known of places, all in one language; none for a place where there is nothing.
    pub async fn find(&self, language: &str, places: &[Place]) -> Result<HashMap<Place, Option<String>>> {
        let one_of = places.iter().fold(Condition::any(), |any, place| {
            any.add(Condition::all().add(Column::LatE4.eq(place.lat_e4)).add(Column::LngE4.eq(place.lng_e4)))
        });
        let rows = Entity::find()
            .filter(Column::Language.eq(language))
            .filter(Column::FetchedAt.gte(self.oldest()))
            .filter(one_of);
        let tx = self.db.read(&Scope::Platform).await?;
        let rows = rows.all(&tx).await?;
        tx.commit().await?;
        let mut found: HashMap<_, _> = rows.into_iter().map(|row| ((row.lat_e4, row.lng_e4), row.text)).collect();
        let of_place = |place: &Place| Some((*place, found.remove(&(place.lat_e4, place.lng_e4))?));
        Ok(places.iter().filter_map(of_place).collect())
    }

    /// Keeps what the geocoder has said of a place.
    pub async fn store(&self, place: Place, text: Option<String>) -> Result<()> {
        let row = ActiveModel {
            lat_e4: Set(place.lat_e4),
            lng_e4: Set(place.lng_e4),
            language: Set(place.language.to_owned()),
            text: Set(text),
            fetched_at: Set(Timestamp::now().millis()),
        };
        let key = [Column::LatE4, Column::LngE4, Column::Language];
        let anew = OnConflict::columns(key).update_columns([Column::Text, Column::FetchedAt]).to_owned();
        let _turn = self.gate.enter().await;
        let tx = self.db.write(&Scope::Platform).await?;
        Entity::insert(row).on_conflict(anew).exec_without_returning(&tx).await?;
        Ok(tx.commit().await?)
    }

    /// Removes what is old, for ever.
    pub async fn sweep(&self) {
        let mut ticks = tokio::time::interval(SWEEP_EVERY);
        loop {
            ticks.tick().await;
            match self.remove_old().await {
                Ok(0) => {}
                Ok(removed) => tracing::info!(removed, "removed old addresses"),
                Err(error) => tracing::warn!(%error, "old addresses cannot be removed; will try again"),
            }
        }
    }

    /// Some at a time, the oldest first; how many there were.
    async fn remove_old(&self) -> Result<u64> {
        let (oldest, mut removed) = (self.oldest(), 0);
        while let Some(until) = self.last_of_oldest(oldest).await? {
            let _turn = self.gate.enter().await;
            let tx = self.db.write(&Scope::Platform).await?;
            let gone = Entity::delete_many().filter(Column::FetchedAt.lte(until)).exec(&tx).await?;
            tx.commit().await?;
            removed += gone.rows_affected;
        }
        Ok(removed)
    }

    /// Up to when those go that are removed next; none when nothing is older. A look at the index, and no lock to write
    /// for what is not there.
    async fn last_of_oldest(&self, oldest: i64) -> Result<Option<i64>> {
        let times = Entity::find()
            .select_only()
            .column(Column::FetchedAt)
            .filter(Column::FetchedAt.lt(oldest))
            .order_by_asc(Column::FetchedAt)
            .limit(REMOVED_AT_ONCE);
        let tx = self.db.read(&Scope::Platform).await?;
        let times: Vec<i64> = times.into_tuple().all(&tx).await?;
        tx.commit().await?;
        Ok(times.last().copied())
    }

    /// What was fetched before is not believed any more.
    fn oldest(&self) -> i64 {
        let kept = i64::try_from(self.kept.as_millis()).unwrap_or(i64::MAX);
        Timestamp::now().millis().saturating_sub(kept)
    }
}
