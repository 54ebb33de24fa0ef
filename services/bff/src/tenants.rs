//! Files of tenants.

use armada_proto::{
    currency::to_major,
    v1::{ListTenantsRequest, Tenant},
};
use axum::{extract::State, response::Response};
use futures::TryStreamExt;

use crate::{
    caller::By,
    edge::Edge,
    export::{self, Column, Export},
    failure::Answer,
    language::Language,
    query::Query,
};

/// The columns of a file of tenants.
const COLUMNS: &[Column<Tenant>] = &[
    Column::text("name", 28.0, |tenant| &tenant.name),
    Column::text("description", 36.0, |tenant| &tenant.description),
    Column::text("tax_number", 20.0, |tenant| &tenant.tax_number),
    Column::choice("active", 10.0, |tenant| export::flag(tenant.active)),
    Column::choice("subscription_status", 16.0, |tenant| export::choice(tenant.subscription_status())),
    Column::choice("cost_model", 16.0, |tenant| export::choice(tenant.cost_model())),
    Column::text("currency", 12.0, |tenant| &tenant.currency),
    Column::number("cost_per_device", 18.0, |tenant| to_major(tenant.cost_per_device, &tenant.currency)),
    Column::number("cost_bundle", 18.0, |tenant| to_major(tenant.cost_bundle, &tenant.currency)),
    Column::choice("billing_period", 16.0, |tenant| export::choice(tenant.billing_period())),
    Column::number("billing_day", 14.0, |tenant| tenant.billing_day.into()),
    Column::number("due_day", 14.0, |tenant| tenant.due_day.into()),
    Column::number("used_devices", 14.0, |tenant| tenant.used_devices.into()),
    Column::number("device_limit", 14.0, |tenant| tenant.device_limit.into()),
    Column::number("used_users", 14.0, |tenant| tenant.used_users.into()),
    Column::number("user_limit", 14.0, |tenant| tenant.user_limit.into()),
    Column::text("time_zone", 18.0, |tenant| &tenant.time_zone),
    Column::time("created_at", |tenant| tenant.created_at),
    Column::unusual(Column::time("updated_at", |tenant| tenant.updated_at)),
    Column::unusual(Column::choice("is_demo", 12.0, |tenant| export::flag(tenant.is_demo))),
    Column::unusual(Column::text("id", 38.0, |tenant| &tenant.id)),
];

/// All entries of a list as a file, whatever the page.
pub(crate) async fn export(
    State(edge): State<Edge>,
    By(caller): By,
    language: Language,
    mut query: Query,
) -> Answer<Response> {
    let request: ListTenantsRequest = query.message();
    let export = Export::asked(&mut query, "tenants", COLUMNS, language);
    query.check()?;
    let pieces = edge.tenants().export(caller.sign(request)).await?.into_inner();
    Ok(export.respond(pieces.map_ok(|piece| piece.items)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_words_in_every_language() {
        let tenants = [1, 2, 3, 4].map(|number| Tenant {
            cost_model: number,
            subscription_status: number,
            billing_period: number.min(2),
            active: number > 2,
            ..Tenant::default()
        });
        export::assert_words("tenants", COLUMNS, &tenants);
    }
}
