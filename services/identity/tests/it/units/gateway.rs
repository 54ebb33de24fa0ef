//! How many positions a second come through a gateway.

use armada_identity::rules::Gateway;

#[test]
fn rate_uses_a_sliding_window() {
    let row = Gateway { minute: 10, minute_fixes: 60, last_minute_fixes: 120, ..Gateway::default() };
    assert_eq!(row.fixes_per_second(600_000), 3.0);
    assert_eq!(row.fixes_per_second(630_000), 2.0);
    assert_eq!(row.fixes_per_second(690_000), 0.5);
    assert_eq!(row.fixes_per_second(720_000), 0.0);
}
