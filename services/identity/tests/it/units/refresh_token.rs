//! Refresh tokens, and what a presented one means.

use armada_identity::rules::{
    Session,
    refresh_token::{Secret, Verdict, decode, encode, hash, judge, successor},
};
use armada_proto::UserId;
use uuid::Uuid;

#[test]
fn tokens_are_read_back() {
    let (session, secret) = (Uuid::from_u128(7), [9; 32]);
    let token = encode(session, &secret);
    assert_eq!(token.len(), 64);
    assert_eq!(decode(&token), Some((session, secret)));
    for wrong in ["", "x", &token[1..], &format!("{token}AAAA"), "!!!!"] {
        assert_eq!(decode(wrong), None, "{wrong}");
    }
}

#[test]
fn judges_reuse_of_refresh_tokens() {
    let (old, previous, salt) = ([1; 32], [2; 32], [3; 32]);
    let current = successor(&previous, &salt);
    let session = Session {
        id: Uuid::nil(),
        user_id: UserId::new(),
        tenant_id: None,
        current_hash: hash(&current),
        previous_hash: hash(&previous),
        salt: salt.to_vec(),
        rotated_at: 1_000,
        user_agent: String::new(),
        address: String::new(),
        last_used_at: 1_000,
        created_at: 0,
        expires_at: 5_000,
        authenticated_at: 0,
    };
    let judged = |secret: &Secret, now| judge(&session, secret, now, 100, 9_000);
    assert_eq!(judged(&current, 4_999), Verdict::Current);
    assert_eq!(judged(&current, 5_000), Verdict::Expired);
    assert_eq!(judged(&previous, 1_099), Verdict::Repeated);
    assert_eq!(judged(&previous, 1_100), Verdict::Reused);
    assert_eq!(judged(&old, 1_001), Verdict::Reused);
    assert_eq!(judge(&session, &current, 1_999, 100, 1_000), Verdict::Current);
    assert_eq!(judge(&session, &current, 2_000, 100, 1_000), Verdict::Expired);
}
