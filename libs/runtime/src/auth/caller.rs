//! Who is calling, and what they may touch.

use std::{net::IpAddr, str::FromStr, sync::Arc};

use armada_proto::{TenantId, Timestamp, UserId};
use http::HeaderValue;
use serde::{Deserialize, Serialize};
use tonic::Request;
use uuid::Uuid;

use super::{Client, IdempotencyKey, Rights};
use crate::error::{Error, Result};

/// What of the data a call may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// One tenant.
    Tenant(TenantId),
    /// Every tenant: platform owners, and services about their own tables.
    Platform,
}

impl Scope {
    /// The tenant, unless it is the whole platform.
    pub fn tenant(&self) -> Option<TenantId> {
        match self {
            Self::Tenant(tenant) => Some(*tenant),
            Self::Platform => None,
        }
    }
}

/// What a token says of a user: everything but who signed it and until when. Who it is, is believed; what they may do is
/// what identity says now ([`Rights`]), and a verified caller has that here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// The user.
    pub user_id: UserId,
    /// Their tenant; none for platform owners.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<TenantId>,
    /// May do everything in every tenant.
    #[serde(default)]
    pub is_platform_owner: bool,
    /// May do everything in their tenant.
    #[serde(default)]
    pub is_tenant_admin: bool,
    /// The subscription covers them.
    #[serde(default)]
    pub is_subscription_user: bool,
    /// Grows with every change of what the user may do.
    #[serde(default)]
    pub policy_version: i32,
    /// The sign-in that the token goes back to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sid: Option<Uuid>,
}

/// A verified caller. Without one a handler cannot name a tenant.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The service that calls on its own, if it is not the user's own token.
    pub service: Option<String>,
    /// The user who calls, or on whose behalf a service does; none for work that no user asked for.
    pub grant: Option<Grant>,
    /// The program in whose name the call came in at the edge.
    pub client: Client,
    /// What the call that came in at the edge is known by, if it is to be done once, see [`crate::idempotency`].
    pub once: Option<IdempotencyKey>,
    pub(super) scope: Scope,
    pub(super) token: Arc<str>,
    pub(super) expires_at: Timestamp,
    /// A service of ours makes the call, or hands on that of a user.
    pub(super) is_relayed: bool,
    /// What the user may do now; a caller that this process made for itself has none until it is verified elsewhere.
    pub(super) rights: Option<Arc<Rights>>,
}

impl Caller {
    /// Who made this call; an error when nobody signed in did.
    pub fn of<T>(request: &Request<T>) -> Result<Self> {
        request.extensions().get::<Self>().cloned().ok_or_else(Error::unauthenticated)
    }

    /// The user, for acts that only a person may do.
    pub fn user(&self) -> Result<&Grant> {
        self.grant.as_ref().ok_or_else(Error::forbidden)
    }

    /// May do everything in every tenant.
    pub fn is_platform_owner(&self) -> bool {
        self.grant.as_ref().map_or(self.service.is_some(), |grant| grant.is_platform_owner)
    }

    /// Sees and manages everything within its scope.
    pub fn is_admin(&self) -> bool {
        self.is_platform_owner() || self.grant.as_ref().is_some_and(|grant| grant.is_tenant_admin)
    }

    /// Whether the caller holds a permission, by its key. Who administers a scope holds every one in it, and so do
    /// services that work for nobody. Who must finish their account first holds none.
    pub fn can(&self, permission: &str) -> bool {
        match &self.rights {
            Some(rights) if !rights.is_finished() => false,
            rights => self.is_admin() || rights.as_ref().is_some_and(|rights| rights.allow(permission)),
        }
    }

    /// An error unless the caller holds a permission.
    pub fn must(&self, permission: &str) -> Result<()> {
        if self.can(permission) { Ok(()) } else { Err(Error::forbidden()) }
    }

    /// What the edge fills in of a request; nothing where somebody asks a service themselves, and so has filled it in.
    pub fn believed<T>(&self, filled_in: Option<T>) -> Option<T> {
        filled_in.filter(|_| self.is_relayed)
    }

    /// From where the call came in at the edge, if it did.
    pub fn address(&self) -> Option<IpAddr> {
        self.client.address
    }

    /// Everything this caller may touch at most.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// The scope, narrowed to a tenant that the request names. A tenant that is not the caller's own does not exist for
    /// them.
    pub fn narrow(&self, tenant_id: Option<&str>) -> Result<Scope> {
        let Some(text) = tenant_id.filter(|text| !text.is_empty()) else { return Ok(self.scope) };
        let wanted = TenantId::from_str(text)?;
        match self.scope {
            Scope::Platform => Ok(Scope::Tenant(wanted)),
            Scope::Tenant(own) if own == wanted => Ok(self.scope),
            Scope::Tenant(_) => Err(Error::not_found()),
        }
    }

    /// Puts the caller's token on a call to another service, from where the call came, and the key under which it is done
    /// once.
    pub fn sign<T>(&self, message: T) -> Request<T> {
        let mut request = self.client.request(message);
        if let Some(key) = &self.once {
            key.put_on(request.metadata_mut());
        }
        if let Ok(value) = format!("Bearer {}", self.token).parse() {
            request.metadata_mut().insert("authorization", value);
        }
        request
    }

    /// The caller's token as it stands in a header.
    pub(crate) fn bearer(&self) -> Result<HeaderValue> {
        HeaderValue::from_str(&format!("Bearer {}", self.token)).map_err(Error::internal)
    }

    /// When the caller's token ends.
    pub fn expires_at(&self) -> Timestamp {
        self.expires_at
    }
}
