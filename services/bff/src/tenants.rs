//! Tenants.

use armada_proto::{
    currency::to_major,
    v1::{
        CostModel, DeleteTenantInput, GetRequest, ListTenantsRequest, SubscriptionStatus, Tenant, TenantInput,
        TenantList, TenantSummary,
    },
};
use axum::{
    Json,
    extract::{Path, State},
    response::Response,
};
use futures::TryStreamExt;
use http::StatusCode;

use crate::{
    caller::By,
    edge::Edge,
    export::{self, Column, Export, ExportParams},
    failure::{Answer, Refused},
    input::Input,
    language::Language,
    query::{Listing, Query},
    version::{IfMatch, Versioned},
};

/// Which tenants.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "it stands in the document alone")]
struct Filters {
    /// Only these, at most 500.
    #[param(required = false)]
    ids: Vec<String>,
    /// Only those that are active, or are not.
    #[param(required = false)]
    active: bool,
    /// Only these.
    #[param(required = false)]
    subscription_status: Vec<SubscriptionStatus>,
    /// Only these.
    #[param(required = false)]
    cost_model: Vec<CostModel>,
    /// `true` for those that are deleted and not erased yet, instead of the others.
    #[param(required = false)]
    deleted: bool,
}

/// Lists the tenants, for platform owners. Sorted by `name`, `cost_model`, `subscription_status`, `used_devices`,
/// `active` or `created_at`; `q` finds a part of name or description.
#[utoipa::path(
    get,
    path = "/api/v1/tenants",
    operation_id = "list_tenants",
    tag = "tenants",
    params(Listing, Filters),
    responses((status = 200, description = "A page.", body = TenantList), Refused),
)]
pub(crate) async fn list(State(edge): State<Edge>, By(caller): By, mut query: Query) -> Answer<Json<TenantList>> {
    let request = wanted(&mut query);
    query.check()?;
    Ok(Json(edge.tenants().list(caller.sign(request)).await?.into_inner()))
}

/// What a query says of which tenants, and in which order.
fn wanted(query: &mut Query) -> ListTenantsRequest {
    let Listing { page, page_size, sort, q } = query.listing();
    let statuses = query.choices::<SubscriptionStatus>("subscription_status");
    ListTenantsRequest {
        page,
        page_size,
        sort,
        q,
        ids: query.ids("ids"),
        active: query.flag("active"),
        subscription_statuses: statuses.into_iter().map(Into::into).collect(),
        cost_models: query.choices::<CostModel>("cost_model").into_iter().map(Into::into).collect(),
        deleted: query.flag("deleted").unwrap_or_default(),
    }
}

/// Counts the tenants that a list shows, by what they are, for platform owners.
#[utoipa::path(
    get,
    path = "/api/v1/tenants/summary",
    operation_id = "tenant_summary",
    tag = "tenants",
    params(
        ("q" = Option<String>, Query, description = "Text to search for."),
        Filters,
    ),
    responses((status = 200, description = "The counts.", body = TenantSummary), Refused),
)]
pub(crate) async fn summary(State(edge): State<Edge>, By(caller): By, mut query: Query) -> Answer<Json<TenantSummary>> {
    let request = wanted(&mut query);
    query.check()?;
    Ok(Json(edge.tenants().summary(caller.sign(request)).await?.into_inner()))
}

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

/// All tenants of a list as a file, whatever the page, for platform owners. Columns are `name`, `description`, `tax_number`,
/// `active`, `subscription_status`, `cost_model`, `currency`, `cost_per_device`, `cost_bundle`, `billing_period`, `billing_day`,
/// `due_day`, `used_devices`, `device_limit`, `used_users`, `user_limit`, `time_zone`, `created_at`, and when asked for
/// `updated_at`, `is_demo`, `id`. Amounts are in the currency's minor unit. A file that was cut off ends with a broken
/// connection.
#[utoipa::path(
    get,
    path = "/api/v1/tenants/export",
    operation_id = "export_tenants",
    tag = "tenants",
    params(
        ExportParams,
        ("sort" = Option<String>, Query, description = "A field, `-` before it for descending."),
        ("q" = Option<String>, Query, description = "Text to search for."),
        Filters,
    ),
    responses(
        (status = 200, description = "The file, streamed.", content(
            (String = "text/csv"),
            (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        )),
        Refused,
    ),
)]
pub(crate) async fn export(
    State(edge): State<Edge>,
    By(caller): By,
    language: Language,
    mut query: Query,
) -> Answer<Response> {
    let request = wanted(&mut query);
    let export = Export::asked(&mut query, "tenants", COLUMNS, language);
    query.check()?;
    let pieces = edge.tenants().export(caller.sign(request)).await?.into_inner();
    Ok(export.respond(pieces.map_ok(|piece| piece.items)))
}

/// Makes a tenant.
#[utoipa::path(
    post,
    path = "/api/v1/tenants",
    operation_id = "create_tenant",
    tag = "tenants",
    request_body = TenantInput,
    responses(
        (status = 201, description = "The new tenant.", body = Tenant, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn create(
    State(edge): State<Edge>,
    By(caller): By,
    Input(tenant): Input<TenantInput>,
) -> Answer<Versioned<Tenant>> {
    let tenant = edge.tenants().create(caller.sign(tenant)).await?.into_inner();
    Ok(Versioned::created(tenant.row_version, tenant))
}

/// Reads a tenant: one's own, and for platform owners every one.
#[utoipa::path(
    get,
    path = "/api/v1/tenants/{id}",
    operation_id = "get_tenant",
    tag = "tenants",
    params(("id" = String, Path)),
    responses(
        (status = 200, description = "The tenant.", body = Tenant, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn get(State(edge): State<Edge>, By(caller): By, Path(id): Path<String>) -> Answer<Versioned<Tenant>> {
    let tenant = edge.tenants().get(caller.sign(GetRequest { id })).await?.into_inner();
    Ok(Versioned::new(tenant.row_version, tenant))
}

/// Changes the fields of a tenant that are present.
#[utoipa::path(
    put,
    path = "/api/v1/tenants/{id}",
    operation_id = "update_tenant",
    tag = "tenants",
    params(
        ("id" = String, Path),
        IfMatch,
    ),
    request_body = TenantInput,
    responses(
        (status = 200, description = "The tenant now.", body = Tenant, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn update(
    State(edge): State<Edge>,
    By(caller): By,
    Path(id): Path<String>,
    IfMatch { row_version }: IfMatch,
    Input(tenant): Input<TenantInput>,
) -> Answer<Versioned<Tenant>> {
    let tenant = TenantInput { id, row_version, ..tenant };
    let tenant = edge.tenants().update(caller.sign(tenant)).await?.into_inner();
    Ok(Versioned::new(tenant.row_version, tenant))
}

/// Deletes a tenant: its sessions end at once, and it is hidden with everything that belongs to it. For 30 days that can
/// be undone; then it is erased. A query, since not everything between a client and this passes on the body of a DELETE.
#[utoipa::path(
    delete,
    path = "/api/v1/tenants/{id}",
    operation_id = "delete_tenant",
    tag = "tenants",
    params(
        ("id" = String, Path),
        ("name" = String, Query, description = "The tenant's name as it stands, typed by whoever wants it gone."),
        IfMatch,
    ),
    responses((status = 200, description = "The tenant, with when it will be erased.", body = Tenant), Refused),
)]
pub(crate) async fn delete(
    State(edge): State<Edge>,
    By(caller): By,
    Path(id): Path<String>,
    IfMatch { row_version }: IfMatch,
    query: Query,
) -> Answer<Json<Tenant>> {
    let input = DeleteTenantInput { id, name: query.text("name").unwrap_or_default(), row_version };
    Ok(Json(edge.tenants().delete(caller.sign(input)).await?.into_inner()))
}

/// Undoes the deletion of a tenant. Devices whose IMEI somebody else has bound meanwhile do not come back.
#[utoipa::path(
    post,
    path = "/api/v1/tenants/{id}/restore",
    operation_id = "restore_tenant",
    tag = "tenants",
    params(("id" = String, Path)),
    responses((status = 200, description = "The tenant.", body = Tenant), Refused),
)]
pub(crate) async fn restore(State(edge): State<Edge>, By(caller): By, Path(id): Path<String>) -> Answer<Json<Tenant>> {
    Ok(Json(edge.tenants().restore(caller.sign(GetRequest { id })).await?.into_inner()))
}

/// Erases a deleted tenant now, for good.
#[utoipa::path(
    post,
    path = "/api/v1/tenants/{id}/erasure",
    operation_id = "erase_tenant",
    tag = "tenants",
    params(
        ("id" = String, Path),
        IfMatch,
    ),
    request_body = DeleteTenantInput,
    responses((status = 204, description = "It is being erased everywhere."), Refused),
)]
pub(crate) async fn erase(
    State(edge): State<Edge>,
    By(caller): By,
    Path(id): Path<String>,
    IfMatch { row_version }: IfMatch,
    Input(named): Input<DeleteTenantInput>,
) -> Answer<StatusCode> {
    edge.tenants().erase(caller.sign(DeleteTenantInput { id, row_version, ..named })).await?;
    Ok(StatusCode::NO_CONTENT)
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
