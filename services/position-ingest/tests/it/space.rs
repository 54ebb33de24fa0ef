//! What hot frames leave behind is given back when they are sealed.

use armada_position_ingest::{self as ingest, NAME};
use armada_testkit::both_databases;
use armada_track::{FrameBuilder, Report};
use prost::Message;

use crate::common::{Ingest, at_ms, imei};

const FRAMES: i64 = 160;
const ROWS: i64 = 500;

/// Text that no compression makes much smaller, so that few positions take much room.
fn noise(state: &mut u64) -> String {
    let mut next = || {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    };
    format!(
        "{{\"noise\":\"{:016x}{:016x}{:016x}{:016x}{:016x}{:016x}\"}}",
        next(),
        next(),
        next(),
        next(),
        next(),
        next()
    )
}

both_databases! {
    starting crate::common::world;

    async fn sealed_history_takes_little_more_than_its_blocks(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        let mut state = 0x9e37_79b9_7f4a_7c15;
        for frame in 0..FRAMES {
            let mut rows = FrameBuilder::default();
            for row in frame * ROWS..(frame + 1) * ROWS {
                let report = Report::new(at_ms(0) + row * 1000, -62_000_000, 1_068_000_000);
                rows.push(imei(1), &Report { attrs: Some(noise(&mut state).into()), ..report });
            }
            gateway.frame(rows.take().encode_to_vec()).await.expect("acknowledged");
        }
        let positions = (FRAMES * ROWS) as usize;
        ingest.track_of(&device.id, positions).await;
        ingest.seal().await;

        let db = ingest.world.database(NAME).await;
        let stored = ingest::admin::storage(&db).await.unwrap().total();
        let whole = ingest::admin::whole_bytes(&db).await.unwrap();
        db.close().await.unwrap();
        assert_eq!(stored.positions, positions as i64);
        assert!(stored.bytes > 3_000_000, "{stored:?}");
        let ratio = whole as f64 / stored.bytes as f64;
        assert!(ratio <= 1.3, "{whole} bytes for {} of blocks: {ratio}", stored.bytes);
        ingest.track_of(&device.id, positions).await;
    }
}
