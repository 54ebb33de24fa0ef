//! Callers without a sign-in: tokens signed by a key that the World has published as identity's.

use std::{ops::Deref, time::Duration};

use armada_proto::{TenantId, Timestamp, UserId};
use armada_runtime::{
    Caller, KeyRing,
    auth::{Grant, IDENTITY, Signer},
};

/// As long as the longest real one.
const TOKEN_LIFE: Duration = Duration::from_secs(600);

/// A signed-in caller: signs gRPC requests through [`Caller::sign`], and HTTP requests with its token.
#[derive(Debug, Clone)]
pub struct Signed {
    /// What the token says.
    pub grant: Grant,
    /// The access token.
    pub token: String,
    caller: Caller,
}

impl Deref for Signed {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

/// Mints callers.
pub(crate) struct Mint {
    signer: Signer,
    keys: KeyRing,
}

impl Mint {
    pub(crate) async fn publish(keys: KeyRing) -> Self {
        let kid = format!("testkit-{}", uuid::Uuid::now_v7());
        let seed = std::array::from_fn(|i| i as u8);
        let signer = Signer::from_seed(kid, &seed).expect("a key");
        keys.publish(&signer, IDENTITY).await.expect("the key ring takes a key");
        Self { signer, keys }
    }

    pub(crate) async fn signed(&self, grant: Grant) -> Signed {
        let token = self.token(&grant, Timestamp::now());
        let caller = self.keys.verify(&token).await.expect("the token is good");
        Signed { grant, token, caller }
    }

    /// A token that begins at `now`, for tests of expired ones too.
    pub(crate) fn token(&self, grant: &Grant, now: Timestamp) -> String {
        self.signer.access_token(grant, now, TOKEN_LIFE).expect("a token")
    }
}

/// A grant with nothing but a tenant.
pub(crate) fn grant(tenant: Option<TenantId>) -> Grant {
    Grant {
        user_id: UserId::new(),
        tenant_id: tenant,
        is_platform_owner: false,
        is_tenant_admin: false,
        policy_version: 1,
        sid: None,
    }
}
