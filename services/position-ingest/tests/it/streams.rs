//! What subjects say.

use armada_position_ingest::streams::RawSubject;
use async_nats::Subject;

#[test]
fn sources_are_read_from_subjects() {
    let device = Subject::from("raw.3.gt06.356938035643809");
    assert_eq!(RawSubject::of(&device).unwrap(), RawSubject::Device { gateway: "gt06", imei: "356938035643809" });
    assert_eq!(RawSubject::of(&device).unwrap().original(3), "gps.gt06.356938035643809");
    let frame = Subject::from("gps.gt06.frame.3");
    assert_eq!(RawSubject::of(&frame).unwrap(), RawSubject::Frame { gateway: "gt06" });
    assert_eq!(RawSubject::of(&frame).unwrap().original(3), "gps.gt06.frame.3");
}
