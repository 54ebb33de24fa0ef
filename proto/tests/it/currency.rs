//! The currencies that tenants are charged in.

use armada_proto::currency::{CODES, DIGITS, is_known, to_major};

#[test]
fn codes_are_found() {
    assert!(CODES.is_sorted_by(|a, b| a < b));
    assert!(CODES.iter().all(|code| code.len() == 3 && is_known(code)));
    assert!(DIGITS.iter().all(|(_, codes)| codes.iter().all(|code| is_known(code))));
    assert_eq!([to_major(250, "IDR"), to_major(250, "JPY"), to_major(250, "KWD")], [2.5, 250.0, 0.25]);
    for unknown in ["", "idr", "RP", "XXX", "IDRX"] {
        assert!(!is_known(unknown), "{unknown}");
    }
}
