//! NPWP, the tax number of an Indonesian company.

use std::ops::RangeInclusive;

use armada_proto::Violations;

/// The old form has 15 digits, that of 2024 has 16.
const DIGITS: RangeInclusive<usize> = 15..=16;

/// Drops what people write between the digits, and says when the rest is no tax number. An empty one is none.
pub fn check(fields: &mut Violations, number: &mut String) {
    number.retain(|c| !matches!(c, '.' | '-' | ' '));
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    let is_good = number.is_empty() || (digits && DIGITS.contains(&number.len()));
    if !is_good {
        fields.add("tax_number", "invalid_tax_number");
    }
}
