//! Where the vehicles are, and what could not be taken in.

use armada_proto::v1::{LastPositionList, LastPositionsRequest, ListRejectionsRequest, RejectionList};
use axum::{Json, extract::State};

use crate::{
    caller::By,
    edge::Edge,
    failure::{Answer, Refused},
    query::Query,
};

/// The newest position of each device that the caller sees.
#[utoipa::path(
    get,
    path = "/api/v1/last-positions",
    operation_id = "last_positions",
    tag = "positions",
    params(
        ("userId" = Option<String>, Query, description = "Only what this user sees as well."),
        ("tenant_id" = Option<String>, Query, description = "Only of this tenant, for platform owners."),
    ),
    responses((status = 200, description = "One position a device.", body = LastPositionList), Refused),
)]
pub(crate) async fn last(State(edge): State<Edge>, By(caller): By, query: Query) -> Answer<Json<LastPositionList>> {
    let request = LastPositionsRequest {
        user_id: query.text("userId"),
        tenant_id: query.text("tenant_id"),
        device_ids: Vec::new(),
    };
    Ok(Json(edge.positions().last(caller.sign(request)).await?.into_inner()))
}

/// Messages that could not be taken in, the newest first, and how many positions were refused on each day. For platform
/// owners.
#[utoipa::path(
    get,
    path = "/api/v1/position-rejections",
    operation_id = "position_rejections",
    tag = "positions",
    params(
        ("reason" = Option<String>, Query, description = "Only these, e.g. `unknown_device`."),
        ("page_size" = Option<u32>, Query, description = "1 to 500; 25 when absent."),
        ("before" = Option<u32>, Query, description = "`next_cursor` of the page before."),
    ),
    responses((status = 200, description = "A page.", body = RejectionList), Refused),
)]
pub(crate) async fn rejections(
    State(edge): State<Edge>,
    By(caller): By,
    mut query: Query,
) -> Answer<Json<RejectionList>> {
    let request = ListRejectionsRequest {
        reason: query.text("reason").unwrap_or_default(),
        page_size: query.page_size(),
        before: query.number("before"),
    };
    query.check()?;
    Ok(Json(edge.positions().rejections(caller.sign(request)).await?.into_inner()))
}
