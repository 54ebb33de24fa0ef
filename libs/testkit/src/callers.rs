//! Callers without a sign-in: tokens signed by a key for which the World vouches as identity does, and rights that it put
//! where identity puts those of real users.

use std::{
    collections::HashMap,
    ops::Deref,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use armada_declarations::SERVICES;
use armada_proto::{
    TenantId, Timestamp, UserId,
    access::permission::{DEVICE_EXPORT, DEVICE_LIST, POSITION_HISTORY, POSITION_LIVE},
    coded, policy,
    v1::Policy,
};
use armada_runtime::{
    Bus, Caller, Context, KeyRing, Peers, Policies, Secret, ServiceSecrets, Verifier,
    auth::{Grant, IDENTITY, KeySets, Signer},
    bus::Bucket,
    service::Parts,
};

use crate::eventually;

/// As long as the longest real one.
const TOKEN_LIFE: Duration = Duration::from_secs(600);

/// How long identity may take to tell of a new user.
const SOON: Duration = Duration::from_secs(10);

/// What an ordinary user of a test may do: look.
pub const READ_PERMISSIONS: [&str; 4] = [DEVICE_LIST, DEVICE_EXPORT, POSITION_LIVE, POSITION_HISTORY];

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

/// What every process of a World knows.
pub(crate) fn secrets() -> ServiceSecrets {
    let secret = |service: &str| Secret::new(format!("the secret of {service} in tests alone"));
    let shared = SERVICES.iter().map(|service| (service.name.to_owned(), secret(service.name))).collect();
    ServiceSecrets::new("armada", shared, ServiceSecrets::PERIOD).expect("they are long enough")
}

/// Mints callers.
pub(crate) struct TokenIssuer {
    signer: Signer,
    verifier: Verifier,
    bucket: Bucket,
    policies: Mutex<Vec<(UserId, Policy)>>,
}

impl TokenIssuer {
    /// Vouches for the keys of all services and for its own, until identity does, if it runs.
    pub(crate) async fn start(bus: &Bus) -> Self {
        let kid = format!("testkit-{}", uuid::Uuid::now_v7());
        let seed = std::array::from_fn(|i| i as u8);
        let signer = Signer::from_seed(kid, &seed).expect("a key");
        let secrets = secrets();
        let sets = KeySets::open(bus, &secrets).await.expect("the bucket of keys");
        sets.publish(std::slice::from_ref(&signer), Timestamp::now()).await.expect("the bucket takes keys");
        let keys = KeyRing::open(bus, IDENTITY, &secrets).await.expect("the bucket of keys");
        keys.hold(&signer);
        let policies = Policies::open(bus, &keys).await.expect("the bucket of policies");
        let (connections, databases) = (HashMap::new(), HashMap::new());
        let (bus, peers) = (bus.clone(), Peers::new(HashMap::new()));
        let parts = Parts {
            bus,
            connections,
            keys: keys.clone(),
            policies: policies.clone(),
            peers,
            databases,
            trusts_clock: true,
        };
        let identity = Context::new(parts).and_then(|context| context.of(IDENTITY)).expect("a context");
        let bucket = identity.own_bucket(policy::BUCKET).await.expect("the bucket of policies");
        Self { signer, verifier: Verifier { keys, policies }, bucket, policies: Mutex::default() }
    }

    /// Lets a process believe minted callers, whoever vouches for keys by now.
    pub(crate) fn is_believed_by(&self, keys: &KeyRing) {
        keys.hold(&self.signer);
    }

    pub(crate) async fn signed(&self, grant: Grant, permissions: &[&str]) -> Signed {
        let policy = Policy {
            version: grant.policy_version,
            tenant_id: grant.tenant_id.map(|id| id.to_string()),
            is_platform_owner: grant.is_platform_owner,
            is_tenant_admin: grant.is_tenant_admin,
            is_subscription_user: grant.is_subscription_user,
            must_set_up_totp: false,
            must_change_password: false,
            permissions: permissions.iter().map(ToString::to_string).collect(),
        };
        self.put(grant.user_id, &policy).await;
        self.policies.lock().unwrap_or_else(PoisonError::into_inner).push((grant.user_id, policy));
        let token = self.token(&grant, Timestamp::now());
        let caller = self.verifier.caller(&token).await.expect("the token is good");
        Signed { grant, token, caller }
    }

    /// A caller whose rights are where identity has put them.
    pub(crate) async fn signed_in(&self, grant: Grant) -> Signed {
        let token = self.token(&grant, Timestamp::now());
        let caller =
            eventually("identity tells what a user may do", SOON, async || Ok(self.verifier.caller(&token).await?))
                .await;
        Signed { grant, token, caller }
    }

    /// Identity, when it starts, removes the rights of users whom it does not know: minted ones.
    pub(crate) async fn put_again(&self) {
        let policies = self.policies.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (user, policy) in &policies {
            self.put(*user, policy).await;
        }
    }

    /// A token that begins at `now`, for tests of expired ones too.
    pub(crate) fn token(&self, grant: &Grant, now: Timestamp) -> String {
        self.signer.access_token(grant, now, TOKEN_LIFE).expect("a token")
    }

    async fn put(&self, user: UserId, policy: &Policy) {
        let value = coded::encode(policy).into();
        self.bucket.put(&user.to_string(), value).await.expect("the bucket takes a policy");
    }
}

/// A grant with nothing but a tenant.
pub(crate) fn grant(tenant: Option<TenantId>) -> Grant {
    Grant {
        user_id: UserId::new(),
        tenant_id: tenant,
        is_platform_owner: false,
        is_tenant_admin: false,
        is_subscription_user: false,
        policy_version: 1,
        sid: None,
    }
}
