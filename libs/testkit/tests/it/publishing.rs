//! Many publish many messages over one connection, and none waits for another for ever.

use std::time::Duration;

use armada_runtime::bus::{Publication, StreamSpec};
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
