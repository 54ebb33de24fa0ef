//! What receivers write to RAW they sign, and nothing else in it is taken in: an answer of JetStream may be sent there by
//! whoever may ask it anything. The key is made once and stays in the database, where all processes of ingest find it: one
//! that changed with the secret of the service would make doubtful what was answered and is not stored yet.

use armada_runtime::{
    Bus, Database, Error, Result, Scope,
    bus::{MessageProof, MessageSigner, with_own_key},
    random::random,
};
use sea_orm::{ActiveValue::Set, EntityTrait, sea_query::OnConflict};

use crate::{
    entity::raw_key::{ActiveModel, Column, Entity},
    storage::write_gate::WriteGate,
    streams::RAW,
};

/// The number of the only one.
const ID: i32 = 1;

/// What signs, and what tells what was signed. The first time, the key is made.
pub async fn open(bus: &Bus, db: &Database, gate: &WriteGate) -> Result<(MessageSigner, MessageProof)> {
    let (signer, proof) = with_own_key(bus, RAW, &seed(db, gate).await?)?;
    Ok((signer, proof.since(bus.signed_since(RAW).await?)))
}

async fn seed(db: &Database, gate: &WriteGate) -> Result<[u8; 32]> {
    let new = random::<32>()?;
    let _turn = gate.enter().await;
    let tx = db.write(&Scope::Platform).await?;
    let unless_there = OnConflict::column(Column::Id).do_nothing().to_owned();
    let row = ActiveModel { id: Set(ID), seed: Set(new.to_vec()) };
    Entity::insert(row).on_conflict(unless_there).exec_without_returning(&tx).await?;
    let found = Entity::find_by_id(ID).one(&tx).await?;
    tx.commit().await?;
    let seed = found.and_then(|row| <[u8; 32]>::try_from(row.seed).ok());
    seed.ok_or_else(|| Error::internal("the key that signs RAW is none"))
}
