//! Following a bucket, whatever happens to the server and to the bucket, and whoever writes into it.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    time::Duration,
};

use armada_runtime::{
    Error,
    bus::{All, Bucket, BucketUpdate, Follower, StreamSpec},
};
use armada_testkit::{Kind, World};
use async_nats::{HeaderMap, jetstream::kv};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

const DEADLINE: Duration = Duration::from_secs(30);
const BUCKET: &str = "devices";

/// The values of these tests are words.
fn word(_: &str, value: &[u8]) -> Option<String> {
    String::from_utf8(value.to_owned()).ok().filter(|word| !word.contains('?'))
}

async fn make(world: &World) {
    let config = kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() };
    world.bus.ensure_bucket(config).await.expect("the bucket is made");
}

async fn start() -> (World, Bucket) {
    let world = World::start(Kind::Sqlite).await;
    make(&world).await;
    let bucket = world.bucket_of("fleet", BUCKET).await;
    (world, bucket)
}

/// A key as fleet may write it.
fn imei(key: &str) -> String {
    format!("imei.{key}")
}

async fn put(bucket: &Bucket, key: &str, value: &'static str) {
    bucket.put(&imei(key), value.into()).await.expect("the owner may write");
}

async fn next(follower: &mut Follower<String>) -> BucketUpdate<String> {
    tokio::time::timeout(DEADLINE, follower.next()).await.expect("there is news")
}

/// The next whole state; changes before it are none of interest.
async fn all(follower: &mut Follower<String>) -> All<String> {
    loop {
        if let BucketUpdate::All(all) = next(follower).await {
            return all;
        }
    }
}

fn words(all: &All<String>) -> BTreeSet<String> {
    all.entries.iter().map(|(key, value)| format!("{}={value}", key.trim_start_matches("imei."))).collect()
}

fn set(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(ToString::to_string).collect()
}

/// A server alone keeps no copies, and says so of whatever is to have some.
#[tokio::test(flavor = "multi_thread")]
async fn streams_and_buckets_have_as_many_copies_as_are_told() {
    let world = World::start(Kind::Sqlite).await;
    let bus = world.bus.clone().with_replicas(3);
    let config = kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() };
    let stream = StreamSpec::refusing_when_full("COPIED", &["copied"], 1 << 20);
    for made in [bus.ensure_bucket(config).await, bus.ensure_stream(stream).await] {
        let refused = made.expect_err("there is one server").message;
        assert!(refused.contains("replicas > 1 not supported"), "{refused}");
    }
}

fn changed(key: &str, value: Option<&str>) -> BucketUpdate<String> {
    BucketUpdate::Changed(imei(key), value.map(str::to_owned))
}

#[tokio::test(flavor = "multi_thread")]
async fn follower_gets_all_entries_then_every_change() {
    let (_world, bucket) = start().await;
    let mut empty = bucket.follow(word);
    assert_eq!(words(&all(&mut empty).await), set(&[]), "an empty bucket says so");
    // A bucket keeps the newest value of a key: what is replaced before it was sent is never heard of.
    put(&bucket, "a", "1").await;
    assert_eq!(next(&mut empty).await, changed("a", Some("1")));
    put(&bucket, "b", "2").await;
    bucket.delete(&imei("b")).await.expect("the owner may delete");
    let mut follower = bucket.follow(word);
    assert_eq!(words(&all(&mut follower).await), set(&["a=1"]));
    put(&bucket, "a", "3").await;
    assert_eq!(next(&mut follower).await, changed("a", Some("3")));
    bucket.delete(&imei("a")).await.expect("the owner may delete");
    assert_eq!(next(&mut follower).await, changed("a", None));
}

#[tokio::test(flavor = "multi_thread")]
async fn follower_catches_up_after_an_outage() {
    let (mut world, bucket) = start().await;
    for key in ["changed", "deleted", "same"] {
        put(&bucket, key, "before").await;
    }
    let mut follower = bucket.follow(word);
    assert_eq!(all(&mut follower).await.entries.len(), 3);
    world.nats.stop();
    world.nats.start_again();
    put(&bucket, "changed", "after").await;
    bucket.delete(&imei("deleted")).await.expect("the owner may delete");
    put(&bucket, "new", "after").await;
    let wanted = set(&["changed=after", "same=before", "new=after"]);
    let mut known = All { entries: HashMap::new(), refused: HashSet::new() };
    let mut heard_all = false;
    while !heard_all || words(&known) != wanted {
        match next(&mut follower).await {
            BucketUpdate::All(all) => (known, heard_all) = (all, true),
            BucketUpdate::Changed(key, Some(value)) => drop(known.entries.insert(key, value)),
            BucketUpdate::Changed(key, None) => drop(known.entries.remove(&key)),
            BucketUpdate::Refused(key) => panic!("{key}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn recreated_bucket_replaces_known_entries() {
    let (world, bucket) = start().await;
    put(&bucket, "old", "1").await;
    let mut follower = bucket.follow(word);
    assert_eq!(words(&all(&mut follower).await), set(&["old=1"]));
    world.bus.jetstream.delete_stream("KV_devices").await.expect("it is deleted");
    make(&world).await;
    assert_eq!(words(&all(&mut follower).await), set(&[]), "nothing is left of it");
    world.bus.jetstream.delete_stream("KV_devices").await.expect("it is deleted");
    make(&world).await;
    put(&bucket, "new", "2").await;
    let mut known = words(&all(&mut follower).await);
    while known != set(&["new=2"]) {
        assert_eq!(known, set(&[]));
        assert_eq!(next(&mut follower).await, changed("new", Some("2")));
        known = set(&["new=2"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ignores_entries_of_other_writers() {
    let (world, bucket) = start().await;
    put(&bucket, "a", "good").await;
    let mut follower = bucket.follow(word);
    all(&mut follower).await;
    let raw = world.bus.bucket(BUCKET).await.expect("the bucket");
    let first = raw.stream.direct_get_last_for_subject("$KV.devices.imei.a").await.expect("it is there");

    raw.put(imei("a"), "forged".into()).await.expect("whoever runs the machine may");
    assert_eq!(next(&mut follower).await, BucketUpdate::Refused(imei("a")));
    raw.delete(imei("a")).await.expect("whoever runs the machine may");
    assert_eq!(next(&mut follower).await, BucketUpdate::Refused(imei("a")));
    // Signed for one key, it is nothing at another.
    let send = async |key: &str, headers: HeaderMap, value: bytes::Bytes| {
        #[allow(clippy::disallowed_methods, reason = "as a stranger publishes")]
        let sent = world.bus.jetstream.publish_with_headers(format!("$KV.devices.imei.{key}"), headers, value).await;
        sent.expect("it goes out").await.expect("it is stored");
    };
    send("b", first.headers.clone(), first.payload.clone()).await;
    assert_eq!(next(&mut follower).await, BucketUpdate::Refused(imei("b")));
    // What the owner wrote before is no news after it wrote something else.
    put(&bucket, "a", "better").await;
    assert_eq!(next(&mut follower).await, changed("a", Some("better")));
    send("a", first.headers.clone(), first.payload.clone()).await;
    assert_eq!(next(&mut follower).await, BucketUpdate::Refused(imei("a")));
    put(&bucket, "c", "what?").await;
    assert_eq!(next(&mut follower).await, BucketUpdate::Refused(imei("c")), "it cannot be read");

    // Another service signs for itself alone.
    let other =
        world.context(&[]).await.of("position-ingest").expect("a service").own_bucket(BUCKET).await.expect("a bucket");
    assert!(other.put(&imei("d"), "x".into()).await.is_err(), "NATS does not let it");
    assert!(bucket.get(&imei("d")).await.expect("it answers").is_none());
    assert_eq!(bucket.get(&imei("b")).await.expect("it answers"), None);

    // Somebody who begins to follow now hears what cannot be said.
    let late = all(&mut bucket.follow(word)).await;
    assert_eq!(late.refused, ["b", "c"].map(imei).into());
}

/// What fails comes again with all that was written meanwhile, and what is written then comes after it.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_applied_comes_again() {
    let (_world, bucket) = start().await;
    put(&bucket, "a", "1").await;
    let (heard, mut updates) = mpsc::unbounded_channel();
    let writer = bucket.clone();
    let apply = move |update: BucketUpdate<String>| {
        let fails = update == changed("b", Some("2"));
        heard.send(update).expect("the test listens");
        let bucket = writer.clone();
        async move {
            if !fails {
                return Ok(());
            }
            put(&bucket, "c", "3").await;
            Err(Error::unavailable("not now"))
        }
    };
    let shutdown = CancellationToken::new();
    let following = tokio::spawn(bucket.follow(word).apply_each(shutdown.clone(), "learn words", apply));
    let mut next =
        async || tokio::time::timeout(DEADLINE, updates.recv()).await.expect("there is news").expect("it goes on");
    let all_of = |update: BucketUpdate<String>| match update {
        BucketUpdate::All(all) => words(&all),
        other => panic!("{other:?}"),
    };
    assert_eq!(all_of(next().await), set(&["a=1"]));
    put(&bucket, "b", "2").await;
    assert_eq!(next().await, changed("b", Some("2")), "it fails");
    assert_eq!(all_of(next().await), set(&["a=1", "b=2", "c=3"]));
    put(&bucket, "d", "4").await;
    assert_eq!(next().await, changed("d", Some("4")));
    shutdown.cancel();
    tokio::time::timeout(DEADLINE, following).await.expect("it ends").expect("it does not panic");
}

/// A message with such a header would remove everything else from an ordinary bucket.
#[tokio::test(flavor = "multi_thread")]
async fn headers_cannot_purge_a_stream() {
    let (world, bucket) = start().await;
    put(&bucket, "a", "1").await;
    let mut headers = HeaderMap::new();
    headers.insert("Nats-Rollup", "all");
    #[allow(clippy::disallowed_methods, reason = "as a stranger publishes")]
    let sent = world.bus.jetstream.publish_with_headers("$KV.devices.imei.b", headers, "".into()).await;
    assert!(sent.expect("it goes out").await.is_err());
    assert_eq!(bucket.get(&imei("a")).await.expect("it answers").as_deref(), Some(&b"1"[..]));
}
