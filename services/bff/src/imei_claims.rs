//! Claims on IMEIs, for platform owners.

use armada_proto::v1::{ImeiClaim, ImeiClaimList, ImeiClaimStatus, ImeiDecisionInput, ListImeiClaimsRequest};
use axum::{
    Json,
    extract::{Path, State},
};

use crate::{
    caller::By,
    edge::Edge,
    failure::{Answer, Refused},
    input::Input,
    query::{Listing, Query},
    version::{IfMatch, Versioned},
};

/// Lists who says that a tracker is theirs, with what is known of it, for platform owners. Sorted by `claimed_at`,
/// `imei`, `device_name`, `status` or `decided_at`; `q` finds a part of the IMEI or of the device's name.
#[utoipa::path(
    get,
    path = "/api/v1/imei-claims",
    operation_id = "list_imei_claims",
    tag = "imeis",
    params(
        Listing,
        ("status" = Option<ImeiClaimStatus>, Query, description = "Only these."),
        ("tenant_id" = Option<String>, Query, description = "Only of this tenant."),
    ),
    responses((status = 200, description = "A page.", body = ImeiClaimList), Refused),
)]
pub(crate) async fn list(State(edge): State<Edge>, By(caller): By, mut query: Query) -> Answer<Json<ImeiClaimList>> {
    let Listing { page, page_size, sort, q } = query.listing();
    let request = ListImeiClaimsRequest {
        page,
        page_size,
        sort,
        q,
        status: query.choice::<ImeiClaimStatus>("status").map(Into::into),
        tenant_id: query.text("tenant_id"),
    };
    query.check()?;
    Ok(Json(edge.imei_claims().list(caller.sign(request)).await?.into_inner()))
}

/// Binds the IMEI to the device that claims it, for platform owners. 409 while another device has it: that one has to let
/// it go first. What the tracker has buffered is the device's, but for what it recorded while somebody else had it.
#[utoipa::path(
    post,
    path = "/api/v1/imei-claims/{id}/approve",
    operation_id = "approve_imei_claim",
    tag = "imeis",
    params(
        ("id" = String, Path),
        IfMatch,
    ),
    responses(
        (status = 200, description = "The claim now.", body = ImeiClaim, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn approve(
    State(edge): State<Edge>,
    By(caller): By,
    Path(id): Path<String>,
    IfMatch { row_version }: IfMatch,
) -> Answer<Versioned<ImeiClaim>> {
    let decision = ImeiDecisionInput { id, row_version, reason: None };
    let claim = edge.imei_claims().approve(caller.sign(decision)).await?.into_inner();
    Ok(Versioned::new(claim.row_version, claim))
}

/// Refuses a claim, for platform owners. The tenant reads the reason at its device.
#[utoipa::path(
    post,
    path = "/api/v1/imei-claims/{id}/reject",
    operation_id = "reject_imei_claim",
    tag = "imeis",
    params(
        ("id" = String, Path),
        IfMatch,
    ),
    request_body = ImeiDecisionInput,
    responses(
        (status = 200, description = "The claim now.", body = ImeiClaim, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn reject(
    State(edge): State<Edge>,
    By(caller): By,
    Path(id): Path<String>,
    IfMatch { row_version }: IfMatch,
    Input(decision): Input<ImeiDecisionInput>,
) -> Answer<Versioned<ImeiClaim>> {
    let decision = ImeiDecisionInput { id, row_version, ..decision };
    let claim = edge.imei_claims().reject(caller.sign(decision)).await?.into_inner();
    Ok(Versioned::new(claim.row_version, claim))
}
