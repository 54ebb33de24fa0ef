//! What stands in front of every method: who calls, and whether they may.

use std::sync::Arc;

use armada_proto::access::{self, Rule};
use http::HeaderMap;
use serde_json::json;
use tonic::{Status, service::Routes};

use super::{
    CLIENT_ADDRESS, CLIENT_AGENT, CLIENT_DEVICE, Caller, Client, Grant, Inside, KeyRing, Policies, Rights, Scope,
    VOUCHED_BY,
};
use crate::{
    audit::{Act, Audit, Change, DENIED, Object},
    error::{Code, Error, Result},
    jobs::{self, Place},
};

/// Verifies tokens and looks up what their users may do now. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Verifier {
    /// Whose tokens are believed.
    pub keys: KeyRing,
    /// What users may do.
    pub policies: Policies,
}

impl Verifier {
    /// Who a token belongs to, with the rights that they have now.
    pub async fn caller(&self, token: &str) -> Result<Caller> {
        with_rights(self.keys.verify(token).await?, &self.policies).await
    }
}

/// A caller whose user is believed, with the rights that they have now.
pub(crate) async fn with_rights(mut caller: Caller, policies: &Policies) -> Result<Caller> {
    let Some(grant) = &mut caller.grant else { return Ok(caller) };
    let rights = policies.of(grant.user_id).await?;
    take_over(grant, &rights)?;
    let own = grant.tenant_id;
    caller.scope = match (caller.scope, own) {
        (Scope::Platform, None) if !rights.is_platform_owner => return Err(Error::unauthenticated()),
        (scope, None) => scope,
        (_, Some(own)) => Scope::Tenant(own),
    };
    caller.rights = Some(rights);
    Ok(caller)
}

/// Rights are what identity says now, whatever the token says. A user never changes tenant.
fn take_over(grant: &mut Grant, rights: &Arc<Rights>) -> Result<()> {
    if grant.tenant_id != rights.tenant_id {
        return Err(Error::unauthenticated());
    }
    grant.is_platform_owner = rights.is_platform_owner;
    grant.is_tenant_admin = rights.is_tenant_admin;
    grant.is_subscription_user = rights.is_subscription_user;
    grant.policy_version = rights.version;
    Ok(())
}

/// Puts the check in front of a service's routes. A bad token ends the call; a good one becomes the [`Caller`]; and the
/// contract says of each method whether that one may call it. What a user is refused is entered into the audit, whether
/// here or by the method.
pub fn guard(routes: Routes, verifier: Verifier, service: &'static str, audit: Audit) -> Routes {
    let check = async move |mut request: axum::extract::Request, next: axum::middleware::Next| {
        let is_relayed = is_relayed(&mut request, &verifier.keys).await;
        if !is_relayed {
            forget_client(&mut request);
        }
        let caller = match request.headers().get("authorization").map(|value| value.to_str().unwrap_or_default()) {
            None => Ok(None),
            Some(value) => match value.strip_prefix("Bearer ") {
                Some(token) => verifier.caller(token).await.map(Some),
                None => Err(Error::unauthenticated()),
            },
        };
        let caller = match caller {
            Err(error) => return Status::from(error).into_http(),
            Ok(None) => None,
            Ok(Some(mut caller)) => {
                caller.client = Client::in_headers(request.headers());
                caller.is_relayed |= is_relayed;
                request.extensions_mut().insert(caller.clone());
                Some(caller)
            }
        };
        let path = request.uri().path().to_owned();
        let response = match admitted(&path, caller.as_ref()) {
            Err(error) => Status::from(error).into_http(),
            Ok(()) => {
                let place = request.extensions_mut().remove::<Place>();
                jobs::within(place, next.run(request)).await
            }
        };
        if let Some(caller) = caller
            && let Some(act) = refused(&caller, &path, response.headers())
        {
            audit.note(service, &caller, act);
        }
        response
    };
    Routes::from(routes.into_axum_router().layer(axum::middleware::from_fn(move |request, next| {
        let check = check.clone();
        async move { check(request, next).await }
    })))
}

/// What a user was refused, as it stands in the audit: what they may not do, or a tenant that is not theirs to name.
fn refused(caller: &Caller, path: &str, answer: &HeaderMap) -> Option<Act> {
    let grant = caller.grant.as_ref()?;
    let error = Error::from(Status::from_header_map(answer).filter(|status| status.code() != tonic::Code::Ok)?);
    if error.class != Code::Forbidden && !error.fields.contains_key("tenant_id") {
        return None;
    }
    Some(Act {
        act: DENIED,
        tenant: grant.tenant_id,
        object: Object { kind: "method", name: path.to_owned(), ..Object::default() },
        change: Change { before: None, after: Some(json!({ "code": error.code, "fields": error.fields })) },
    })
}

/// Whether a caller, or nobody, may call a method now.
fn admitted(path: &str, caller: Option<&Caller>) -> Result<()> {
    finished(path, caller)?;
    admit(access::rule(path), caller)
}

/// An error unless a caller may call a method now, by its path.
pub(crate) fn may_call(path: &str, caller: &Caller) -> Result<()> {
    admitted(path, Some(caller))
}

/// What somebody may call who must change their password first.
const BEFORE_PASSWORD_CHANGE: [&str; 2] = ["/armada.v1.Account/ChangePassword", "/armada.v1.Sessions/"];
/// What somebody may call who must set up a second factor first.
const BEFORE_SECOND_FACTOR: [&str; 2] = ["/armada.v1.Account/", "/armada.v1.Sessions/"];

/// Who must change their password, or set up a second factor, does that first, or signs out.
fn finished(path: &str, caller: Option<&Caller>) -> Result<()> {
    let Some(rights) = caller.and_then(|caller| caller.rights.as_ref()) else { return Ok(()) };
    let within = |allowed: &[&str]| allowed.iter().any(|prefix| path.starts_with(prefix));
    if rights.must_change_password && !within(&BEFORE_PASSWORD_CHANGE) {
        return Err(Error::new(Code::Forbidden, "password_change_required", "change your password first"));
    }
    if rights.must_set_up_totp && !within(&BEFORE_SECOND_FACTOR) {
        return Err(Error::new(Code::Forbidden, "totp_setup_required", "set up a second factor first"));
    }
    Ok(())
}

/// Whether a caller, or nobody, may call a method. One that is not in the contract is left to the router, which does not
/// know it either.
fn admit(rule: Option<Rule>, caller: Option<&Caller>) -> Result<()> {
    let Some(rule) = rule else { return Ok(()) };
    if rule == Rule::Public {
        return Ok(());
    }
    let caller = caller.ok_or_else(Error::unauthenticated)?;
    let admitted = match rule {
        Rule::Public | Rule::SignedIn => true,
        Rule::Service => caller.service.is_some() && caller.grant.is_none(),
        Rule::PlatformOwner => caller.is_platform_owner(),
        Rule::Permission(permission) => caller.can(permission),
    };
    if admitted { Ok(()) } else { Err(Error::forbidden()) }
}

/// Whether a call comes from a service, within the process or beside it.
async fn is_relayed(request: &mut axum::extract::Request, keys: &KeyRing) -> bool {
    let voucher = request.headers_mut().remove(VOUCHED_BY);
    if request.extensions().get::<Inside>().is_some() {
        return true;
    }
    let token = voucher.as_ref().and_then(|value| value.to_str().ok()).and_then(|text| text.strip_prefix("Bearer "));
    match token {
        Some(token) => keys.verify(token).await.is_ok_and(|caller| caller.service.is_some() && caller.grant.is_none()),
        None => false,
    }
}

/// Takes away what a call tells of its client.
fn forget_client(request: &mut axum::extract::Request) {
    for name in [CLIENT_ADDRESS, CLIENT_AGENT, CLIENT_DEVICE] {
        request.headers_mut().remove(name);
    }
}
