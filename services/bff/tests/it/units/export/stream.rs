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
async fn nobody_reads_on_for_a_file_that_is_not_wanted() {
    let (given_up, mut reading) = mpsc::channel::<()>(1);
    let entries = stream::repeat_with(move || {
        let _held_while_reading = &given_up;
        Ok::<_, tonic::Status>(entries())
    });
    drop(xlsx(export(), entries));
    assert_eq!(reading.recv().await, None);
}

#[test]
fn a_list_that_breaks_off_makes_no_file() {
    let pieces = [Ok(entries()), Err(io::Error::other("away"))];
    let mut out = Vec::new();
    assert!(workbook(&export(), pieces.into_iter(), &mut out).is_err());
    assert!(out.is_empty());
}
