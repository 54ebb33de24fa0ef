//! The tokens that a service signs for itself.

use std::{sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use armada_proto::Timestamp;
use serde::Serialize;

use super::{
    Caller, Client, Grant, Scope,
    secrets::ServiceSecrets,
    signer::{Signer, TYP_SERVICE},
};
use crate::error::{Error, Result};

/// How long a service's own token lives.
const SERVICE_TOKEN_LIFE: Duration = Duration::from_secs(60);

/// A service's own key: derived from its secret, another one in each period.
#[derive(Clone)]
pub struct ServiceKey {
    service: &'static str,
    secrets: ServiceSecrets,
    signer: Arc<ArcSwap<(i64, Signer)>>,
}

impl ServiceKey {
    /// The key of a service, or of the process, whose secret is among these.
    pub fn new(service: &'static str, secrets: &ServiceSecrets) -> Result<Self> {
        let signer = Arc::new(ArcSwap::from_pointee(present(service, secrets)?));
        Ok(Self { service, secrets: secrets.clone(), signer })
    }

    /// The service.
    pub fn service(&self) -> &'static str {
        self.service
    }

    /// What signs now.
    fn signer(&self) -> Result<Arc<(i64, Signer)>> {
        let signer = self.signer.load_full();
        if signer.0 == self.secrets.epoch(Timestamp::now()) {
            return Ok(signer);
        }
        let signer = Arc::new(present(self.service, &self.secrets)?);
        self.signer.store(signer.clone());
        Ok(signer)
    }

    /// A signed text that any process of ours reads with [`super::KeyRing::statement`]. What it says and how long it holds is
    /// the business of `typ`, which must not be that of a token.
    pub fn statement<C: Serialize>(&self, typ: &str, claims: &C) -> Result<String> {
        self.signer()?.1.sign(typ, claims)
    }

    /// A key for one purpose of the service's own, which all its instances derive alike, and nobody who does not know its
    /// secret. It changes with that secret alone.
    pub fn derived(&self, purpose: &str) -> Result<[u8; 32]> {
        let key = self.secrets.purpose_key(self.service, purpose);
        key.ok_or_else(|| Error::unavailable(format!("the secret of {} is not known", self.service)))
    }

    /// A caller for work of this process: in `scope`, for a user when one asked for it.
    pub fn caller(&self, scope: Scope, on_behalf_of: Option<Grant>) -> Result<Caller> {
        let scope = at_most(scope, on_behalf_of.as_ref())?;
        let now = Timestamp::now();
        let sub = match scope {
            Scope::Tenant(tenant) => format!("{}:{tenant}", self.service),
            Scope::Platform => self.service.to_owned(),
        };
        let token = self.signer()?.1.token(TYP_SERVICE, sub, on_behalf_of.clone(), now, SERVICE_TOKEN_LIFE)?;
        Ok(Caller {
            service: Some(self.service.to_owned()),
            grant: on_behalf_of,
            client: Client::default(),
            once: None,
            scope,
            token: token.into(),
            expires_at: now + SERVICE_TOKEN_LIFE,
            is_relayed: true,
            rights: None,
        })
    }
}

fn present(service: &str, secrets: &ServiceSecrets) -> Result<(i64, Signer)> {
    let epoch = secrets.epoch(Timestamp::now());
    let signer = secrets.signer(service, epoch)?;
    Ok((epoch, signer.ok_or_else(|| Error::unavailable(format!("the secret of {service} is not known")))?))
}

/// A service that works for a user of a tenant stays within that tenant.
pub(super) fn at_most(scope: Scope, on_behalf_of: Option<&Grant>) -> Result<Scope> {
    match (scope, on_behalf_of.and_then(|grant| grant.tenant_id)) {
        (Scope::Tenant(tenant), Some(own)) if tenant != own => Err(Error::unauthenticated()),
        (_, Some(own)) => Ok(Scope::Tenant(own)),
        (scope, None) => Ok(scope),
    }
}
