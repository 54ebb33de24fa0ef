//! Rows of which a column is one of many ids, more than a statement takes parameters.

use armada_proto::TenantId;
use armada_runtime::{Scope, list::is_one_of};
use armada_testkit::both_databases;
use sea_orm::{EntityTrait, PaginatorTrait, QueryFilter, sea_query::ExprTrait};
use uuid::Uuid;

use crate::search::{Things, fill, thing};

both_databases! {
    async fn any_number_of_ids_narrows_a_list(world: World) -> anyhow::Result<()> {
        let db = world.database("probe").await;
        db.migrate::<Things>("probe").await?;
        let tenant = TenantId::new();
        fill(&db, tenant, (0..10).map(|number| format!("Truck {number}"))).await?;
        let tx = db.read(&Scope::Tenant(tenant)).await?;
        let known: Vec<Uuid> = thing::Entity::find().all(&tx).await?.into_iter().map(|row| row.id).collect();
        let many = || known.iter().take(3).copied().chain((0..40_000).map(|_| Uuid::now_v7()));
        let count = async |condition| thing::Entity::find().filter(condition).count(&tx).await;
        assert_eq!(count(is_one_of(db.backend(), thing::Column::Id, many())).await?, 3);
        assert_eq!(count(is_one_of(db.backend(), thing::Column::Id, many()).not()).await?, 7);
        assert_eq!(count(is_one_of(db.backend(), thing::Column::Id, [])).await?, 0);
        Ok(())
    }
}
