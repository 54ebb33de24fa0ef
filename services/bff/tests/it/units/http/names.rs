use armada_bff::rules::http::{KnownNames, Meant, fields_of, read};
use armada_proto::v1::MaintenanceInput;

#[test]
fn names_are_known_in_every_style() {
    let known = KnownNames::of(["due_date", "userIds", "to", "max_parking_time"]);
    for (given, wanted) in [
        ("dueDate", Meant::Same("due_date")),
        ("user-ids", Meant::Same("userIds")),
        ("user_id", Meant::Nearly("userIds")),
        ("max_parking_tme", Meant::Nearly("max_parking_time")),
        ("max_parking_tiem", Meant::Nearly("max_parking_time")),
        ("tz", Meant::Nothing),
        ("due", Meant::Nothing),
    ] {
        assert_eq!(known.meant(given), wanted, "{given}");
    }
}

#[test]
fn a_body_may_name_its_fields_in_another_style_and_misspells_none() {
    assert!(fields_of::<MaintenanceInput>().contains(&"due_date"));
    assert_eq!(fields_of::<String>(), [""; 0]);
    let (plan, _) =
        read::<MaintenanceInput>(br#"{"dueDate": "2027-01-31", "title": "Oil", "foreseen": 1}"#).expect("a plan");
    assert_eq!((plan.due_date.as_deref(), plan.name.as_deref()), (Some("2027-01-31"), Some("Oil")));
    for wrong in [&br#"{"due_dat": "2027-01-31"}"#[..], br#"{"dueDate": "2027-01-31", "due_date": "2027-01-31"}"#] {
        assert!(read::<MaintenanceInput>(wrong).is_err(), "{}", String::from_utf8_lossy(wrong));
    }
}
