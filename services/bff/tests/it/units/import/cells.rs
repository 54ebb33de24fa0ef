//! How cells are read.

use armada_bff::rules::import::{Field, Kind, Names, value};
use serde_json::Value;

fn read(kind: Kind, cell: &str) -> Result<Value, &'static str> {
    value(&Field { name: "status", kind, is_required: false }, cell, &Names::default())
}

#[test]
fn reads_common_cell_formats() {
    for cell in ["2026-01-31", "31/01/2026", "31-1-2026", "31.01.2026", "2026-01-31 00:00:00"] {
        assert_eq!(read(Kind::Date, cell), Ok("2026-01-31".into()), "{cell}");
    }
    for (cell, wanted) in [("Ya", true), ("no", false), ("1", true), ("TRUE", true), ("否", false)] {
        assert_eq!(read(Kind::Flag, cell), Ok(wanted.into()), "{cell}");
    }
    const STATUS: Kind = Kind::Choice(&["active", "inactive"]);
    for cell in ["inactive", "Inactive", "Nonaktif", "停用"] {
        assert_eq!(read(STATUS, cell), Ok("inactive".into()), "{cell}");
    }
    assert_eq!(read(Kind::Number, "3600"), Ok(3600.into()));
    assert_eq!(read(Kind::Number, "-"), Ok(Value::Null), "it is taken away");
    assert_eq!(read(Kind::Decimal, "-"), Ok(Value::Null));
    assert_eq!(read(Kind::Decimal, "12,5"), Ok(12.5.into()));
    assert_eq!(read(Kind::Decimal, "1.200,5"), Err("invalid_number"));
    assert_eq!(read(Kind::Text, "-"), Ok("".into()));
}

#[test]
fn what_cannot_be_read_has_a_code() {
    assert_eq!(read(Kind::Date, "30/02/2026"), Err("invalid_date"));
    assert_eq!(read(Kind::Flag, "maybe"), Err("invalid"));
    assert_eq!(read(Kind::Number, "1.5"), Err("invalid_number"));
    assert_eq!(read(Kind::Number, "4294967295"), Err("invalid_number"), "it stands for none");
    assert_eq!(read(Kind::Flag, "-"), Err("invalid"), "there is always one");
    assert_eq!(read(Kind::Choice(&["active"]), "flying"), Err("invalid"));
    assert_eq!(read(Kind::Named { listed_by: "Drivers", column: "x" }, "Nobody"), Err("unknown"));
}
