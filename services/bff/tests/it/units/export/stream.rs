//! Files that are written while they are sent.

use std::{io, sync::Arc, time::Duration};

use armada_bff::rules::{
    export::{Entry, Export, workbook, xlsx},
    http::Query,
    language::Language,
};
use armada_proto::v1::Driver;
use futures::{StreamExt, TryStreamExt, stream};
use tokio::{sync::mpsc, time::timeout};

/// How long a file may take on a busy machine.
const SOON: Duration = Duration::from_secs(20);

fn export() -> Export<Driver> {
    Export::asked(&mut Query::default(), Language::default())
}

fn entries() -> Vec<Entry<Driver>> {
    let row = Driver { name: "x".to_owned(), ..Driver::default() };
    vec![Entry { row, names: Arc::default() }]
}

#[tokio::test]
async fn stops_reading_when_the_client_disconnects() {
    let (given_up, mut reading) = mpsc::channel::<()>(1);
    let entries = stream::repeat_with(move || {
        let _held_while_reading = &given_up;
        Ok::<_, tonic::Status>(entries())
    });
    drop(xlsx(export(), entries));
    assert_eq!(reading.recv().await, None);
}

/// More readers than there are threads have begun to read a file, and take no more of it.
#[tokio::test]
async fn slow_readers_keep_nobody_waiting() {
    let mut slow = Vec::new();
    for _ in 0..17 {
        let mut file = Box::pin(xlsx(export(), stream::iter([Ok(long_entries())])));
        assert!(timeout(SOON, file.next()).await.expect("it is begun").is_some());
        slow.push(file);
    }
    let file = timeout(SOON, xlsx(export(), stream::iter([Ok(entries())])).try_collect::<Vec<_>>());
    assert!(file.await.expect("it is whole").expect("a file").concat().starts_with(b"PK"));
    for file in slow {
        let rest = timeout(SOON, file.try_collect::<Vec<_>>()).await.expect("it ends").expect("the rest of a file");
        assert!(rest.concat().len() > 300_000, "more than is on its way");
    }
}

/// Whose file is long however well it is compressed.
fn long_entries() -> Vec<Entry<Driver>> {
    let mut noise = 0x9e37_79b9_7f4a_7c15_u64;
    let mut word = || {
        for shift in [13, -7, 17] {
            noise ^= if shift > 0 { noise << shift } else { noise >> -shift };
        }
        format!("{noise:016x}")
    };
    let mut row = || Driver { notes: (0..32).map(|_| word()).collect(), ..Driver::default() };
    (0..2000).map(|_| Entry { row: row(), names: Arc::default() }).collect()
}

#[test]
fn broken_list_fails_the_export() {
    let pieces = [Ok(entries()), Err(io::Error::other("away"))];
    let mut out = Vec::new();
    assert!(workbook(&export(), pieces.into_iter(), &mut out).is_err());
    assert!(out.is_empty());
}
