//! Files that are written while they are sent.

use std::{io, sync::Arc};

use armada_bff::rules::{
    export::{Entry, Export, workbook, xlsx},
    http::Query,
    language::Language,
};
use armada_proto::v1::Driver;
use futures::stream;
use tokio::sync::mpsc;

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

#[test]
fn broken_list_fails_the_export() {
    let pieces = [Ok(entries()), Err(io::Error::other("away"))];
    let mut out = Vec::new();
    assert!(workbook(&export(), pieces.into_iter(), &mut out).is_err());
    assert!(out.is_empty());
}
