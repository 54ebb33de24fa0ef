//! How cells are read.

use armada_bff::rules::import::{Field, Fraction, Kind, Order, Writing, Wrong, read as read_day, text, value};
use armada_tables::read::CellKind;
use serde_json::Value;

fn read(kind: Kind, cell: &str) -> Result<Value, &'static str> {
    read_as(kind, cell, CellKind::Plain, None)
}

fn read_as(kind: Kind, cell: &str, written: CellKind, fraction: Option<Fraction>) -> Result<Value, &'static str> {
    let writing = Writing { fraction, ..Writing::default() };
    value(&Field { name: "status", kind, is_required: false }, cell, written, writing).map_err(|wrong| wrong.code)
}

fn imei(cell: &str) -> Result<Value, Wrong> {
    let field = Field { name: "imei", kind: Kind::Text, is_required: true };
    value(&field, cell, CellKind::Plain, Writing::default())
}

#[test]
fn reads_common_cell_formats() {
    for (cell, wanted) in [("Ya", true), ("no", false), ("1", true), ("TRUE", true), ("否", false), ("Nonaktif", false)]
    {
        assert_eq!(read(Kind::Flag, cell), Ok(wanted.into()), "{cell}");
    }
    const STATUS: Kind = Kind::Choice(&["active", "inactive"]);
    for cell in ["inactive", "Inactive", "Nonaktif", "停用"] {
        assert_eq!(read(STATUS, cell), Ok("inactive".into()), "{cell}");
    }
    for (cell, wanted) in [("3600", 3600), ("75.0", 75), ("1,250,000", 1_250_000), ("1.250,00", 1250), ("0.000", 0)] {
        assert_eq!(read(Kind::Number, cell), Ok(wanted.into()), "{cell}");
    }
    for cell in ["0.125", "0,125", ".500", "1,234.567", "1.234,567", "12.5"] {
        assert_eq!(read(Kind::Number, cell), Err("not_whole"), "{cell}");
    }
    assert_eq!(read(Kind::Number, "-"), Ok(Value::Null), "it is taken away");
    assert_eq!(read(Kind::Decimal, "-"), Ok(Value::Null));
    assert_eq!(read(Kind::Decimal, "12,5"), Ok(12.5.into()));
    assert_eq!(read(Kind::Decimal, "1.200,5"), Ok(1200.5.into()));
    assert_eq!(read(Kind::Decimal, "-0.5"), Ok((-0.5).into()));
    assert_eq!(read(Kind::Text, "-"), Ok("".into()));
}

#[test]
fn what_may_be_thousands_or_a_fraction_is_not_guessed() {
    for cell in ["75.708", "75,708", "1.500", "-1.500"] {
        assert_eq!(read(Kind::Number, cell), Err("ambiguous_number"), "{cell}");
    }
    assert_eq!(read(Kind::Decimal, "1,500"), Err("ambiguous_number"));
    assert_eq!(read(Kind::Decimal, "12.125"), Ok(12.125.into()), "as exports have it");
    let (point, comma) = (Some(Fraction::Point), Some(Fraction::Comma));
    for (kind, cell, fraction, wanted) in [
        (Kind::Number, "75.708", comma, Ok(75_708.into())),
        (Kind::Number, "75.708", point, Err("not_whole")),
        (Kind::Number, "75,708", point, Ok(75_708.into())),
        (Kind::Number, "75,708", comma, Err("not_whole")),
        (Kind::Decimal, "1.500", comma, Ok(1500.0.into())),
        (Kind::Decimal, "1,500", comma, Ok(1.5.into())),
        (Kind::Decimal, "12.5", comma, Ok(12.5.into())),
    ] {
        assert_eq!(read_as(kind, cell, CellKind::Plain, fraction), wanted, "{cell} {fraction:?}");
    }
    for (kind, cell, wanted) in [
        (Kind::Number, "75.708", Err("not_whole")),
        (Kind::Number, "75708", Ok(75_708.into())),
        (Kind::Decimal, "75.708", Ok(75.708.into())),
        (Kind::Number, "25%", Err("invalid_number")),
    ] {
        assert_eq!(read_as(kind, cell, CellKind::Number, comma), wanted, "{cell} is a number in the workbook");
    }
}

#[test]
fn cells_say_what_stands_before_a_fraction() {
    for (cells, wanted) in [
        (["75.708", "3600"], None),
        (["75.708", "12,5"], Some(Fraction::Comma)),
        (["75.708", "1.250.000"], Some(Fraction::Comma)),
        (["75.708", "0.125"], Some(Fraction::Point)),
        (["1,250.75", "x"], Some(Fraction::Point)),
        (["12.5", "12,5"], None),
        (["1.500.00", "1.2.3"], None),
    ] {
        assert_eq!(Fraction::of(cells.into_iter()), wanted, "{cells:?}");
    }
}

#[test]
fn days_are_read_as_people_and_as_excel_write_them() {
    let (day, ambiguous) = ("2026-12-31", "2026-04-03");
    for (cell, wanted) in [
        ("2026-12-31", day),
        ("2026-12-31 00:00:00", day),
        ("2026/12/31", day),
        ("2026年12月31日", day),
        ("31/12/2026", day),
        ("31-12-2026", day),
        ("31.12.26", day),
        ("12/31/2026", day),
        ("31 Desember 2026", day),
        ("31-Des-26", day),
        ("Dec 31, 2026", day),
        ("46387", day),
        ("3/4/2026", ambiguous),
        ("3 Apr 2026", ambiguous),
    ] {
        assert_eq!(read(Kind::Date, cell), Ok(wanted.into()), "{cell}");
    }
    for cell in ["30/02/2026", "31/31/2026", "besok", "12", "2026", "99999", "1/2", "1/2/3/4", "31/12/026"] {
        assert_eq!(read(Kind::Date, cell), Err("unreadable_date"), "{cell}");
    }
}

#[test]
fn a_column_says_which_of_two_numbers_is_the_month() {
    for (cells, wanted) in [
        (["3/4/2026", "5/6/2026"], Order::DayFirst),
        (["3/4/2026", "12/31/2026"], Order::MonthFirst),
        (["31/12/2026", "12/31/2026"], Order::DayFirst),
        (["3/4/2026", "2026-12-31"], Order::DayFirst),
        (["2026-01-31", "12/31/2026"], Order::MonthFirst),
    ] {
        assert_eq!(Order::of(cells.into_iter()), wanted, "{cells:?}");
    }
    assert_eq!(read_day("3/4/2026", Order::MonthFirst).map(|day| day.to_string()), Some("2026-03-04".to_owned()));
}

#[test]
fn what_excel_did_to_a_cell_is_seen() {
    assert_eq!(imei("'490154203237518"), Ok("490154203237518".into()));
    for cell in ["3,56307E+14", "3.56307042441013E+14", "4e+15"] {
        assert_eq!(imei(cell), Err("excel_exponent".into()), "{cell}");
    }
    for cell in ["1E5", "E+14", "B 1 E+14", "1E+5"] {
        assert_eq!(imei(cell), Ok(cell.into()), "{cell}");
    }
    let zeros = |proposal: &str| Err(Wrong { code: "excel_zeros", proposal: Some(proposal.to_owned()) });
    assert_eq!(imei("1234567890128"), zeros("001234567890128"));
    assert_eq!(imei("1234567890129"), Ok("1234567890129".into()), "no check digit is right: it is another number");
    assert_eq!(imei("490154203237518"), Ok("490154203237518".into()));
    assert_eq!(read(Kind::Text, "1234567890128"), Ok("1234567890128".into()), "a telephone number");
}

#[test]
fn a_name_is_what_stands_there() {
    assert_eq!(text(" B 1 KXT "), "B 1 KXT");
    for cell in ["'Aisyah", "1.5E+10", "3,56307E+14"] {
        assert_eq!(read(Kind::Text, cell), Ok(cell.into()), "{cell}");
    }
    let name = Field { name: "name", kind: Kind::Text, is_required: true };
    assert_eq!(value(&name, "-", CellKind::Plain, Writing::default()), Ok("-".into()), "there is always one");
    assert_eq!(read_as(Kind::Text, "-", CellKind::Quoted, None), Ok("-".into()));
}

#[test]
fn what_cannot_be_read_has_a_code() {
    assert_eq!(read(Kind::Flag, "maybe"), Err("invalid"));
    assert_eq!(read(Kind::Number, "-5"), Err("invalid_number"));
    for cell in ["w", "inf", "NaN", "1.2.3", "", "."] {
        assert_eq!(read(Kind::Decimal, cell), Err("not_a_number"), "{cell}");
    }
    assert_eq!(read(Kind::Number, "1.500.00"), Err("invalid_number"));
    assert_eq!(read(Kind::Number, "4294967295"), Err("invalid_number"), "it stands for none");
    assert_eq!(read(Kind::Flag, "-"), Err("invalid"), "there is always one");
    assert_eq!(read(Kind::Choice(&["active"]), "flying"), Err("invalid"));
}
