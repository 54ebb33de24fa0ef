//! What a client publishes in one piece with `CONNECT`: the server maps it nowhere.

use std::{collections::BTreeMap, time::Duration};

use anyhow::ensure;
use armada_testkit::{both_databases, eventually};
use armada_track::{FrameBuilder, Report};
use prost::Message;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::common::{Ingest, SOON, at, at_ms, imei_in};

fn publication(subject: &str, reply: &str, body: &[u8]) -> Vec<u8> {
    [format!("PUB {subject} {reply} {}\r\n", body.len()).as_bytes(), body, b"\r\n"].concat()
}

/// What answers came to the inbox until there were so many, by the last token of its subject.
async fn answers(stream: &mut TcpStream, count: usize) -> BTreeMap<String, Value> {
    let (mut read, mut found) = (String::new(), BTreeMap::new());
    tokio::time::timeout(SOON, async {
        while found.len() < count {
            let mut piece = [0; 4096];
            let bytes = stream.read(&mut piece).await.expect("the server is there");
            assert!(bytes > 0, "the server has hung up: {read}");
            read.push_str(&String::from_utf8_lossy(&piece[..bytes]));
            let lines: Vec<_> = read.split("\r\n").collect();
            for message in lines.windows(2).filter(|message| message[0].starts_with("MSG ")) {
                let subject = message[0].split(' ').nth(1).and_then(|subject| subject.rsplit('.').next());
                if let (Some(subject), Ok(answer)) = (subject, serde_json::from_str(message[1])) {
                    found.insert(subject.to_owned(), answer);
                }
            }
        }
    })
    .await
    .unwrap_or_else(|_| panic!("{count} answers, and not {found:?} of {read}"));
    found
}

both_databases! {
    starting crate::common::world;

    async fn what_comes_with_connect_is_taken_in_once(world: World) {
        let ingest = Ingest::start(world).await;
        let second = ingest.run_second().await;
        // One device of a partition of each process.
        let owners = ingest.owners().await.unwrap();
        let of_process = |owner: &str| imei_in(1, |partition| owners[partition as usize] == owner);
        let here = of_process(&owners[0]);
        let there = imei_in(1, |partition| owners[partition as usize] != owners[0]);
        let (device, other) = (ingest.device(here).await, ingest.device(there).await);
        let fix = |second: i64| json!({"recorded_at": at(second), "lat": -6.2, "lng": 106.8}).to_string();
        let mut frame = FrameBuilder::default();
        frame.push(here, &Report::new(at_ms(3), -62_000_000, 1_068_000_000));
        frame.push(there, &Report::new(at_ms(3), -62_000_000, 1_068_000_000));
        let first = [
            b"CONNECT {}\r\nSUB _INBOX.raw.* 1\r\n".to_vec(),
            publication(&format!("gps.local.{here}"), "_INBOX.raw.a", fix(0).as_bytes()),
            publication(&format!("gps.local.{there}"), "_INBOX.raw.b", fix(0).as_bytes()),
            // Without a reply, and by the name of somebody else.
            publication(&format!("gps.local.{here}"), "", fix(1).as_bytes()),
            publication(&format!("gps.other.{here}"), "_INBOX.raw.x", fix(9).as_bytes()),
            publication("gps.local.abc", "_INBOX.raw.c", fix(0).as_bytes()),
        ]
        .concat();
        let address = format!("127.0.0.1:{}", ingest.world.nats.port());
        let mut stream = TcpStream::connect(&address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        stream.write_all(&first).await.unwrap();
        let mut found = answers(&mut stream, 3).await;
        // And what it publishes later, as everybody.
        let later = [
            publication(&format!("gps.local.{here}"), "_INBOX.raw.d", fix(2).as_bytes()),
            publication("gps.local.frame", "_INBOX.raw.e", &frame.take().encode_to_vec()),
            b"PING\r\n".to_vec(),
        ]
        .concat();
        stream.write_all(&later).await.unwrap();
        found.extend(answers(&mut stream, 2).await);
        let accepted: BTreeMap<_, _> = found.iter().map(|(reply, answer)| (reply.as_str(), answer["accepted"].clone())).collect();
        let expected = [("a", json!(1)), ("b", json!(1)), ("c", json!(0)), ("d", json!(1)), ("e", json!(2))];
        assert_eq!(accepted, BTreeMap::from(expected), "{found:?}");
        assert_eq!(found["c"]["error"]["description"], "invalid_imei");
        ingest.refused_for("invalid_imei", 1).await;
        ingest.track_of(&device.id, 4).await;
        ingest.track_of(&other.id, 2).await;
        // Taken in once: nothing was found to be a repeat.
        assert_eq!(ingest.refused().await.unwrap().get("repeat"), None);

        // A frame may be the first as well.
        let mut frame = FrameBuilder::default();
        frame.push(there, &Report::new(at_ms(4), -62_000_000, 1_068_000_000));
        let first = [
            b"CONNECT {}\r\nSUB _INBOX.frame.* 1\r\n".to_vec(),
            publication("gps.local.frame", "_INBOX.frame.a", &frame.take().encode_to_vec()),
            b"PING\r\n".to_vec(),
        ]
        .concat();
        let mut stream = TcpStream::connect(&address).await.unwrap();
        stream.write_all(&first).await.unwrap();
        assert_eq!(answers(&mut stream, 1).await["a"]["accepted"], 1);
        eventually("both processes go on", Duration::from_secs(20), async || {
            ensure!(ingest.track(&ingest.admin, &other.id).await?.len() == 3);
            Ok(())
        })
        .await;
        second.stop().await.unwrap();
    }
}
