//! Many publish many messages over one connection, and none waits for another for ever.

use std::time::Duration;

use armada_runtime::{
    Bus,
    bus::{Publication, PublishFailure, StreamSpec},
};
use armada_testkit::{Kind, World};

/// More than a connection may have under way, by each.
const MANY: usize = 1_500;

#[tokio::test(flavor = "multi_thread")]
async fn everybody_publishes_more_than_a_connection_has_under_way() {
    let world = World::start(Kind::Sqlite).await;
    let spec = StreamSpec::refusing_when_full("MANY", &["many.>"], 64 << 20);
    world.bus.ensure_stream(spec).await.expect("the stream is made");
    let publishers = (0..8).map(|publisher| {
        let bus = world.bus.clone();
        async move {
            let publications = (0..MANY).map(|number| Publication {
                subject: format!("many.{publisher}"),
                body: number.to_string().into(),
                ..Publication::default()
            });
            bus.publish_all(publications.collect()).await
        }
    });
    let all = tokio::time::timeout(Duration::from_secs(60), futures::future::join_all(publishers)).await;
    for published in all.expect("nobody waits for ever") {
        let sequences: Vec<u64> = published.into_iter().map(|outcome| outcome.expect("it is on disk")).collect();
        assert_eq!(sequences.len(), MANY);
        assert!(sequences.is_sorted(), "they are in their order");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_never_taken_is_told_at_once() {
    let world = World::start(Kind::Sqlite).await;
    let spec = StreamSpec::refusing_when_full("MANY", &["many.>"], 64 << 20);
    world.bus.ensure_stream(spec).await.expect("the stream is made");
    let receiver = Bus::connect(&world.nats.url_of("receiver"), "receiver").await.expect("the server is there");
    let failure = async |bus: &Bus, subject: &str, bytes: usize| {
        let publication =
            Publication { subject: subject.to_owned(), body: vec![0; bytes].into(), ..Publication::default() };
        let published = tokio::time::timeout(Duration::from_secs(3), bus.publish(publication)).await;
        PublishFailure::of(
            &published.expect("it is told before the acknowledgement is overdue").expect_err("it is not taken"),
        )
    };
    assert_eq!(failure(&receiver, "dlq.malformed", 1).await, PublishFailure::Permanent, "the user has no right to it");
    assert_eq!(failure(&world.bus, "many.1", 5 << 20).await, PublishFailure::Permanent, "it is too large");
    assert_eq!(failure(&world.bus, "elsewhere", 1).await, PublishFailure::NoStream);
}
