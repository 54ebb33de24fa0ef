//! One's own account: profile, password, sessions, second factor.

use armada_proto::v1::{
    AccountSessionList, ChangePasswordRequest, ConfirmTotpRequest, DeleteRequest, Empty, Profile, ProfileInput,
    ReauthenticationRequest, RecoveryCodes, TotpSetup,
};
use axum::{
    Json,
    extract::{Path, State},
};
use http::StatusCode;

use crate::{
    caller::By,
    edge::Edge,
    failure::{Answer, Refused},
    input::Input,
};

/// Reads one's own account.
#[utoipa::path(
    get,
    path = "/api/v1/account",
    operation_id = "get_account",
    tag = "account",
    responses((status = 200, description = "The account.", body = Profile), Refused),
)]
pub(crate) async fn get(State(edge): State<Edge>, By(caller): By) -> Answer<Json<Profile>> {
    Ok(Json(edge.account().get_profile(caller.sign(Empty {})).await?.into_inner()))
}

/// Changes the fields of one's own account that are present.
#[utoipa::path(
    put,
    path = "/api/v1/account",
    operation_id = "update_account",
    tag = "account",
    request_body = ProfileInput,
    responses((status = 200, description = "The account now.", body = Profile), Refused),
)]
pub(crate) async fn update(
    State(edge): State<Edge>,
    By(caller): By,
    Input(profile): Input<ProfileInput>,
) -> Answer<Json<Profile>> {
    Ok(Json(edge.account().update_profile(caller.sign(profile)).await?.into_inner()))
}

/// Changes one's own password. The other sessions end.
#[utoipa::path(
    post,
    path = "/api/v1/account/password",
    operation_id = "change_password",
    tag = "account",
    request_body = ChangePasswordRequest,
    responses((status = 204, description = "The new one holds."), Refused),
)]
pub(crate) async fn change_password(
    State(edge): State<Edge>,
    By(caller): By,
    Input(request): Input<ChangePasswordRequest>,
) -> Answer<StatusCode> {
    edge.account().change_password(caller.sign(request)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Proves once more who one is: for five minutes this session may do what needs that.
#[utoipa::path(
    post,
    path = "/api/v1/account/reauthentication",
    operation_id = "reauthenticate",
    tag = "account",
    request_body = ReauthenticationRequest,
    responses((status = 204, description = "It counts from now on."), Refused),
)]
pub(crate) async fn reauthenticate(
    State(edge): State<Edge>,
    By(caller): By,
    Input(request): Input<ReauthenticationRequest>,
) -> Answer<StatusCode> {
    edge.account().reauthenticate(caller.sign(request)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists where one is signed in, the last used first.
#[utoipa::path(
    get,
    path = "/api/v1/account/sessions",
    operation_id = "list_sessions",
    tag = "account",
    responses((status = 200, description = "All of them.", body = AccountSessionList), Refused),
)]
pub(crate) async fn sessions(State(edge): State<Edge>, By(caller): By) -> Answer<Json<AccountSessionList>> {
    Ok(Json(edge.account().list_sessions(caller.sign(Empty {})).await?.into_inner()))
}

/// Ends all of one's own sessions but this one. Needs a sign-in or a reauthentication within five minutes.
#[utoipa::path(
    delete,
    path = "/api/v1/account/sessions",
    operation_id = "end_other_sessions",
    tag = "account",
    responses((status = 204, description = "They have ended."), Refused),
)]
pub(crate) async fn end_other_sessions(State(edge): State<Edge>, By(caller): By) -> Answer<StatusCode> {
    edge.account().end_other_sessions(caller.sign(Empty {})).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends one of one's own sessions. Needs a sign-in or a reauthentication within five minutes.
#[utoipa::path(
    delete,
    path = "/api/v1/account/sessions/{id}",
    operation_id = "end_session",
    tag = "account",
    params(("id" = String, Path)),
    responses((status = 204, description = "It has ended."), Refused),
)]
pub(crate) async fn end_session(
    State(edge): State<Edge>,
    By(caller): By,
    Path(id): Path<String>,
) -> Answer<StatusCode> {
    edge.account().end_session(caller.sign(DeleteRequest { id, row_version: None })).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Begins a second factor, as often as one likes. It holds from its first code on; until then the present one does, of
/// which a code is needed.
#[utoipa::path(
    post,
    path = "/api/v1/account/totp",
    operation_id = "set_up_totp",
    tag = "account",
    request_body = ReauthenticationRequest,
    responses((status = 200, description = "What the authenticator needs.", body = TotpSetup), Refused),
)]
pub(crate) async fn set_up_totp(
    State(edge): State<Edge>,
    By(caller): By,
    Input(request): Input<ReauthenticationRequest>,
) -> Answer<Json<TotpSetup>> {
    Ok(Json(edge.account().set_up_totp(caller.sign(request)).await?.into_inner()))
}

/// Confirms the second factor with its first code. The recovery codes are shown here and never again.
#[utoipa::path(
    post,
    path = "/api/v1/account/totp/confirmation",
    operation_id = "confirm_totp",
    tag = "account",
    request_body = ConfirmTotpRequest,
    responses((status = 200, description = "It holds from now on.", body = RecoveryCodes), Refused),
)]
pub(crate) async fn confirm_totp(
    State(edge): State<Edge>,
    By(caller): By,
    Input(request): Input<ConfirmTotpRequest>,
) -> Answer<Json<RecoveryCodes>> {
    Ok(Json(edge.account().confirm_totp(caller.sign(request)).await?.into_inner()))
}

/// Takes the second factor away. It needs the password and a code, and a DELETE should have no body (RFC 9110).
#[utoipa::path(
    post,
    path = "/api/v1/account/totp/removal",
    operation_id = "remove_totp",
    tag = "account",
    request_body = ReauthenticationRequest,
    responses((status = 204, description = "It is gone."), Refused),
)]
pub(crate) async fn remove_totp(
    State(edge): State<Edge>,
    By(caller): By,
    Input(request): Input<ReauthenticationRequest>,
) -> Answer<StatusCode> {
    edge.account().remove_totp(caller.sign(request)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Makes new recovery codes in the place of the old ones. They are shown here and never again.
#[utoipa::path(
    post,
    path = "/api/v1/account/recovery-codes",
    operation_id = "renew_recovery_codes",
    tag = "account",
    request_body = ReauthenticationRequest,
    responses((status = 200, description = "The only ones that hold now.", body = RecoveryCodes), Refused),
)]
pub(crate) async fn renew_recovery_codes(
    State(edge): State<Edge>,
    By(caller): By,
    Input(request): Input<ReauthenticationRequest>,
) -> Answer<Json<RecoveryCodes>> {
    Ok(Json(edge.account().renew_recovery_codes(caller.sign(request)).await?.into_inner()))
}
