//! How what was written comes to the owner of a partition without being read back.

use armada_position_ingest::{
    Config,
    streams::{
        raw_message::RawMessage,
        tail::{Tail, WrittenMessage},
    },
};
use armada_proto::v1::ReceivedFrame;
use armada_testkit::both_databases;
use futures::FutureExt;
use serde_json::json;

use crate::common::{Ingest, at, imei, imei_in};

/// A message of so many bytes behind the one before it.
fn written(sequence: u64, bytes: usize) -> WrittenMessage {
    let message = RawMessage::written(sequence, vec![0; bytes].into(), None, ReceivedFrame::default());
    WrittenMessage { previous_sequence: sequence - 1, message }
}

/// The sequences of what waits; none where something was missed.
fn waiting(tail: &Tail) -> Vec<Option<u64>> {
    std::iter::from_fn(|| tail.try_next()).map(|next| next.ok().map(|written| written.message.stream_seq)).collect()
}

#[tokio::test]
async fn tail_preserves_order() {
    let tail = Tail::default();
    assert!(tail.next().now_or_never().is_none(), "there is nothing yet");
    (1..4).for_each(|sequence| tail.push(written(sequence, 100)));
    assert_eq!(tail.next().await.ok().map(|written| written.message.stream_seq), Some(1), "who gave up lost nothing");
    assert_eq!(waiting(&tail), [Some(2), Some(3)]);
}

#[test]
fn lagging_owner_is_told_of_missed_messages() {
    let tail = Tail::default();
    tail.push(written(1, 2 << 20));
    assert_eq!(waiting(&tail), [Some(1)], "one alone is kept, whatever it has");
    (2..6).for_each(|sequence| tail.push(written(sequence, 300_000)));
    assert_eq!(waiting(&tail), [None], "what waited is forgotten");
    (6..9).for_each(|sequence| tail.push(written(sequence, 300_000)));
    assert_eq!(waiting(&tail), [Some(6), Some(7), Some(8)]);
    // Messages without positions, which say what was refused, are no exception.
    (9..10_000).for_each(|sequence| tail.push(written(sequence, 0)));
    let left = waiting(&tail);
    assert_eq!(left[0], None);
    assert!(left[1..].is_sorted() && left.len() < 5_000, "{}", left.len());
}

both_databases! {
    starting crate::common::world;

    /// While the first fix of a device that moved waits for another partition, more is written behind it than is kept.
    async fn missed_messages_are_read_from_raw(world: World) {
        let config = Config { commit_linger_ms: 2_000, ..Config::default() };
        let ingest = Ingest::start_with(world, config).await;
        let first = imei(1);
        let second = imei_in(100, |partition| partition != first.partition(8));
        let neighbour = imei_in(200, |partition| partition == second.partition(8) );
        let (moved, stays) = (ingest.device(first).await.id, ingest.device(neighbour).await.id);
        let gateway = ingest.gateway().await;
        let fix = |second, note: &str| {
            json!({"recorded_at": at(second), "lat": -6.2, "lng": 106.8, "attrs": {"note": note}})
        };
        gateway.report(&first.to_string(), &fix(0, "before")).await.expect("acknowledged");
        ingest.change_imei(&moved, second).await;
        gateway.report(&second.to_string(), &fix(1, "after")).await.expect("acknowledged");
        let long = "x".repeat(15_000);
        for second in 0..100 {
            gateway.report(&neighbour.to_string(), &fix(second, &long)).await.expect("acknowledged");
        }
        ingest.track_of(&stays, 100).await;
        ingest.track_of(&moved, 2).await;
    }
}
