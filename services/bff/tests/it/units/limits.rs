//! What a request costs, what a bucket gives, and whose turn it is.

use std::time::Duration;

use armada_bff::rules::limits::{Buckets, Cost, HeavyLimiter, RETRY, SharedTurns};
use armada_proto::TenantId;
use armada_runtime::{Error, serve::GuardedBody};
use axum::body::Body;
use http::Method;

#[test]
fn expensive_calls_cost_more_tokens() {
    for (method, path, wanted) in [
        (Method::POST, "/auth/login", Cost::SignIn),
        (Method::GET, "/auth/options", Cost::Ordinary),
        (Method::POST, "/api/v1/shared-view", Cost::SignIn),
        (Method::GET, "/api/v1/devices", Cost::List),
        (Method::POST, "/api/v1/devices", Cost::Ordinary),
        (Method::GET, "/api/v1/devices/{id}", Cost::Ordinary),
        (Method::GET, "/api/v1/devices/{id}/track", Cost::HeavyLimiter),
        (Method::GET, "/api/v1/devices/{id}/track/segments", Cost::HeavyLimiter),
        (Method::GET, "/api/v1/audit/export", Cost::HeavyLimiter),
        (Method::POST, "/api/v1/files", Cost::Upload),
        (Method::GET, "/api/v1/files/{id}/content", Cost::Ordinary),
        (Method::GET, "/api/v1/map-sources", Cost::List),
        (Method::GET, "/api/v1/map-sources/{id}/{z}/{x}/{y}", Cost::Tile),
        (Method::GET, "/api/v1/map-sources/{id}/file", Cost::Tile),
        (Method::GET, "", Cost::Ordinary),
    ] {
        assert_eq!(Cost::of(&method, path), wanted, "{method} {path}");
    }
}

#[test]
fn buckets_are_per_key_and_expire_when_full() {
    let buckets = Buckets::new(1, 30);
    buckets.take(&1, 20).expect("there are 30");
    let refused = buckets.take(&1, 20).expect_err("there are 10");
    assert!((9..=10).contains(&refused.retry_after.expect("a time")), "{refused}");
    buckets.take(&1, 10).expect("nothing was taken");
    buckets.take(&2, 100).expect("more than there ever are is all there are");
    buckets.tidy();
    assert_eq!(buckets.count(), 2);
    let fast = Buckets::new(1_000_000, 1);
    fast.take(&1, 1).expect("there is one");
    while fast.count() > 0 {
        fast.tidy();
    }
}

#[tokio::test]
async fn tenant_waits_only_for_its_own_requests() {
    let heavy = HeavyLimiter::new(2, Duration::from_millis(1));
    let (tenant, other) = (Some(TenantId::new()), Some(TenantId::new()));
    let first = heavy.turn(tenant).await.expect("there are two");
    let held = GuardedBody::new(Body::from("a file"), heavy.turn(tenant).await.expect("there are two"));
    let refused = heavy.turn(tenant).await.err().expect("both are taken");
    assert_eq!(refused, Error::too_many_requests(RETRY));
    for other in [other, None] {
        drop(heavy.turn(other).await.expect("theirs are free"));
    }
    // A file that was sent has had its turn.
    let sent = axum::body::to_bytes(Body::new(held), 100).await.expect("it is sent");
    assert_eq!(sent, "a file");
    drop((heavy.turn(tenant).await.expect("it is free again"), first));
    for other in [None, other] {
        drop(heavy.turn(other).await.expect("theirs are free"));
    }
    assert_eq!(heavy.remembered(), 1, "who asks for nothing is forgotten");
}

#[tokio::test]
async fn a_tenant_has_one_of_the_shared_turns() {
    let turns = SharedTurns::new(2, Duration::from_millis(1));
    let [a, b, c] = [(); 3].map(|()| Some(TenantId::new()));
    let first = turns.turn(a).await.expect("a turn");
    assert!(turns.turn(a).await.is_err(), "its second waits for the first");
    let _second = turns.turn(b).await.expect("a turn");
    assert!(turns.turn(c).await.is_err(), "there are two");
    drop(first);
    assert!(turns.turn(c).await.is_ok());
}
