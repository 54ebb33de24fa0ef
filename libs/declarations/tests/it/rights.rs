//! What users of NATS may not do, whatever their services declare.

use armada_declarations::{
    SERVICES,
    nats::{Account, Reads},
};

#[test]
fn a_bucket_has_one_owner() {
    let buckets = || SERVICES.iter().flat_map(|service| service.users).flat_map(|user| user.buckets);
    for bucket in buckets().filter(|bucket| bucket.reads != Reads::Nothing) {
        // Each reader of a stream writes its own watermark; those are no services of ours.
        let owners = buckets().filter(|other| other.name == bucket.name && other.writes.is_some()).count();
        assert_eq!(owners, usize::from(bucket.name != "watermarks"), "{}", bucket.name);
    }
}

#[test]
fn nobody_makes_changes_or_deletes_streams() {
    for user in SERVICES.iter().flat_map(|service| service.users).filter(|user| user.account == Account::Services) {
        for subject in user.may_publish().concat() {
            let makes =
                ["CREATE", "UPDATE", "DELETE", "RESTORE", "SNAPSHOT"].map(|act| format!("$JS.API.STREAM.{act}"));
            assert!(!makes.iter().any(|makes| subject.starts_with(makes.as_str())), "{}: {subject}", user.name);
            // A subject that begins with a wildcard is everything.
            assert!(!subject.starts_with(['*', '>']), "{}: {subject}", user.name);
        }
    }
}

#[test]
fn answers_come_to_nobody_else() {
    let users = || SERVICES.iter().flat_map(|service| service.users);
    for user in users() {
        let others = users().filter(|other| other.name != user.name).map(|other| other.inbox());
        let heard = user.may_hear();
        assert_eq!(others.filter(|inbox| heard.contains(inbox)).count(), 0, "{}", user.name);
        assert!(heard.iter().all(|subject| subject != ">"), "{}", user.name);
    }
}
