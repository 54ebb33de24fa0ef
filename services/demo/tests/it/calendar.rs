//! Days and hours where the demonstration's tenant is.

use armada_demo::calendar::{DAY, day_of, hour_of_day, start_of};
use armada_proto::Timestamp;

#[test]
fn days_begin_on_a_monday_at_midnight() {
    let monday = Timestamp::parse_rfc3339("2026-01-05T00:00:00+07:00").expect("an instant").millis();
    assert_eq!(start_of(0), monday);
    assert_eq!((day_of(monday - 1), day_of(monday), day_of(monday + DAY)), (-1, 0, 1));
    assert_eq!(hour_of_day(monday + 90 * 60_000), 1.5);
}
