//! Why a fix is refused, and when two say the same.

use armada_track::{
    ANCIENT_BEFORE_MS, FUTURE_TOLERANCE_MS, FrameBuilder, FrameRows, Imei, Reject, Report, UnknownReject, validate,
};

const NOW: i64 = 1_790_000_000_000;

fn refused(change: impl FnOnce(&mut Report)) -> Option<Reject> {
    let mut report = Report::new(NOW, -62_000_000, 1_068_000_000);
    change(&mut report);
    validate(&report, NOW).err()
}

#[test]
fn rejects_impossible_times_and_places() {
    assert_eq!(refused(|_| ()), None);
    assert_eq!(refused(|r| r.recorded_at = ANCIENT_BEFORE_MS - 1), Some(Reject::AncientFix));
    assert_eq!(refused(|r| r.recorded_at = i64::MIN), Some(Reject::AncientFix));
    assert_eq!(refused(|r| r.recorded_at = NOW + FUTURE_TOLERANCE_MS), None);
    assert_eq!(refused(|r| r.recorded_at = NOW + FUTURE_TOLERANCE_MS + 1), Some(Reject::FutureFix));
    assert_eq!(refused(|r| r.recorded_at = i64::MAX), Some(Reject::FutureFix));
    assert_eq!(refused(|r| r.lat = 900_000_000), None);
    assert_eq!(refused(|r| r.lat = -900_000_001), Some(Reject::LatitudeOutOfRange));
    assert_eq!(refused(|r| r.lng = i32::MIN), Some(Reject::LongitudeOutOfRange));
    assert_eq!(refused(|r| (r.lat, r.lng) = (0, 0)), Some(Reject::NullIsland));
    assert_eq!(refused(|r| r.lng = 0), None);
    assert_eq!(refused(|r| (r.valid, r.lat, r.lng) = (false, 0, 0)), None);
}

#[test]
fn names_are_stable_and_distinct() {
    for reject in Reject::ALL {
        assert_eq!(reject.as_str().parse(), Ok(*reject));
        assert_eq!(reject.to_string(), reject.as_str());
    }
    assert_eq!(Reject::ALL.len(), 14);
    assert_eq!("Malformed".parse::<Reject>(), Err(UnknownReject));
}

#[test]
fn an_invalid_fix_is_not_known_by_its_place() {
    let (mut a, mut b) = (Report::new(1, 2, 3), Report::new(1, 2, 4));
    assert!(!a.same_content(&b));
    (a.valid, b.valid) = (false, false);
    assert!(a.same_content(&b));
    b.ignition = Some(true);
    assert!(!a.same_content(&b));
}

#[test]
fn attributes_are_an_object() {
    let read = |attrs: &str| {
        let mut builder = FrameBuilder::default();
        let imei = Imei::new(1).expect("fifteen digits");
        builder.push(imei, &Report { attrs: Some(attrs.into()), ..Report::new(1, 2, 3) });
        let row = FrameRows::new(builder.take()).expect("well shaped").next().expect("one");
        row.expect("the fix stays").1.attrs
    };
    let object = " {\"a\":[1,{}]} ";
    assert_eq!(read(object), Some(object.into()));
    for text in ["", "[]", "1", "{", "{}}", "{a:1}"] {
        assert_eq!(read(text), None, "{text}");
    }
}
