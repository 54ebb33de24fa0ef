//! Files that somebody made, and those that we make.

use std::{
    borrow::Cow,
    io::{Cursor, Write as _},
};

use armada_tables::{
    Cell, Column, Table, csv,
    read::{CellKind, Error, Limits, OtherKind, Row, Sheet, read},
    xlsx,
};
use chrono::DateTime;
use proptest::prelude::*;

fn sheet(file: &[u8]) -> Sheet {
    read(file, None, &Limits::default()).expect("a table")
}

fn cells(sheet: &Sheet) -> Vec<Vec<&str>> {
    sheet.rows.iter().map(|row| row.cells.iter().map(String::as_str).collect()).collect()
}

#[test]
fn detects_delimiters_and_encodings() {
    let utf16 = |text: &str, little: bool| -> Vec<u8> {
        text.encode_utf16().flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
    };
    for file in [
        b"Nama,Kota\r\nZo\xc3\xab,\"a;b\"\r\n".to_vec(),
        b"\xef\xbb\xbfNama;Kota\nZo\xc3\xab;a;\n".to_vec(),
        b"Nama\tKota\nZo\xeb\ta\n".to_vec(),
        b"sep=;\r\nNama;Kota\r\nZo\xeb;a\r\n".to_vec(),
        utf16("\u{feff}Nama\tKota\r\nZoë\ta\r\n", true),
        utf16("\u{feff}Nama,Kota\r\nZoë,a\r\n", false),
        utf16("Nama,Kota\r\nZoë,a\r\n", true),
    ] {
        let read = sheet(&file);
        assert_eq!((read.headings[0].as_str(), read.headings[1].as_str()), ("Nama", "Kota"), "{read:?}");
        assert_eq!(read.rows[0].cells[0], "Zoë", "{read:?}");
        assert!(read.rows[0].cells[1].starts_with('a'), "{read:?}");
    }
    // Commas within texts do not make columns where semicolons do.
    let read = sheet("Nama;Alamat\nA;Jl. Satu, Kota, Jawa\nB;Jl. Dua, Kota, Jawa\n".as_bytes());
    assert_eq!(cells(&read), [["A", "Jl. Satu, Kota, Jawa"], ["B", "Jl. Dua, Kota, Jawa"]]);
}

#[test]
fn letters_of_other_countries_are_read_or_refused() {
    let chinese = b"\xd0\xd5\xc3\xfb,\xb3\xb5\xc5\xc6\n\xd5\xc5\xce\xb0,\xbe\xa9A12345\n".to_vec();
    let read_chinese = sheet(&chinese);
    assert_eq!(
        (read_chinese.headings, cells(&sheet(&chinese))),
        (vec!["姓名".to_owned(), "车牌".to_owned()], vec![vec!["张伟", "京A12345"]])
    );
    let plates = b"Name,Plate\nTruck,\xbe\xa9A12345\nVan,\xd4\xc1B1\n";
    assert_eq!(cells(&sheet(plates)), [["Truck", "京A12345"], ["Van", "粤B1"]]);
    // In Windows-1252, with letters beside each other too.
    for (western, name) in [
        (b"Nom,Gr\xf6\xdfe\nAndr\xe9,x\n".as_slice(), "André"),
        (b"Nama,Kota\nZo\xeb,Malm\xf6\n", "Zoë"),
        (b"Gr\xf6\xdfe,x\nStra\xdfe,y\n", "Straße"),
        (b"Nom,x\n\xabCr\xe9\xe9e\xbb,y\n", "«Créée»"),
        (b"Nombre,x\nMu\xf1oz \x96 Pe\xf1a,y\n", "Muñoz – Peña"),
    ] {
        assert_eq!(cells(&sheet(western))[0][0], name);
    }
    let refused = |file: &[u8]| read(file, None, &Limits::default()) == Err(Error::UnknownEncoding);
    assert!(
        refused(b"\xc8\xec\xff,\xc3\xee\xf0\xee\xe4\n\xc8\xe2\xe0\xed,\xcc\xee\xf1\xea\xe2\xe0\n"),
        "Russian, in Windows-1251"
    );
    assert!(refused(b"\xaa\xd7\xe8\xcd,\xa8\xd1\xa7\xcb\xc7\xd1\xb4\nx,y\n"), "Thai, in Windows-874");
    assert!(refused(b"Nama,Kota\nA\x81b,x\n"), "nothing has this byte in Western Europe");
}

#[test]
fn row_numbers_match_the_spreadsheet() {
    let read = sheet(b"\nNama,Catatan\n\nA,\"dua\nbaris\"\nB,x\n,\nC,y,lebih\n");
    assert_eq!(read.headings, ["Nama", "Catatan", ""]);
    assert_eq!(read.rows.iter().map(|row| row.number).collect::<Vec<_>>(), [4, 5, 7]);
    assert_eq!(cells(&read)[0], ["A", "dua\nbaris", ""]);
}

#[test]
fn numbers_and_dates_are_read_as_displayed() {
    use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};
    let mut book = Workbook::new();
    book.add_worksheet().set_name("Lain").expect("a name").write_string(0, 0, "x").expect("a cell");
    let page = book.add_worksheet().set_name("Isi").expect("a name");
    let date = ExcelDateTime::from_ymd(2026, 1, 5).expect("a date");
    let with = |code: &str| Format::new().set_num_format(code);
    page.write_string(2, 0, "Nilai").expect("a cell");
    page.write_number(3, 0, 490_154_203_237_518.0).expect("a cell");
    page.write_number(4, 0, 6_281_234_567_890_123_456.0).expect("a cell");
    page.write_number_with_format(5, 0, 8_123_456_789.0, &with("00000000000")).expect("a cell");
    page.write_number(6, 0, 0.1 + 0.2).expect("a cell");
    page.write_number_with_format(7, 0, 0.25, &with("0%")).expect("a cell");
    page.write_datetime_with_format(8, 0, &date, &with("dd/mm/yyyy")).expect("a cell");
    let noon = ExcelDateTime::parse_from_str("2026-01-05T12:30:15").expect("a time");
    page.write_datetime_with_format(9, 0, &noon, &with("dd/mm/yyyy hh:mm")).expect("a cell");
    page.write_datetime_with_format(10, 0, &date, &with("yyyy-mm-dd hh:mm:ss")).expect("a cell");
    let hours = ExcelDateTime::from_hms(8, 5, 0).expect("a time");
    page.write_datetime_with_format(11, 0, &hours, &with("hh:mm")).expect("a cell");
    page.write_number_with_format(12, 0, 1.25, &with("[h]:mm:ss")).expect("a cell");
    page.write_boolean(13, 0, true).expect("a cell");
    page.write_number(15, 0, -0.000_001).expect("a cell");
    let file = book.save_to_buffer().expect("a file");
    let found = read(&file, Some("Isi"), &Limits::default()).expect("a table");
    assert_eq!(found.headings, ["Nilai"]);
    assert_eq!(
        cells(&found).concat(),
        [
            "490154203237518",
            "6281234567890120000",
            "08123456789",
            "0.3",
            "25%",
            "2026-01-05",
            "2026-01-05 12:30:15",
            "2026-01-05 00:00:00",
            "08:05:00",
            "30:00:00",
            "TRUE",
            "-0.000001"
        ]
    );
    assert_eq!((found.rows[0].number, found.rows[11].number), (4, 16));
    let is_number = |row: &Row| row.kinds == [CellKind::Number];
    let numbers: Vec<_> = found.rows.iter().map(is_number).collect();
    assert_eq!(numbers, [true, true, true, true, true, false, false, false, false, false, false, true]);
    assert_eq!(
        (found.sheets.as_slice(), found.name.as_str()),
        (["Lain".to_owned(), "Isi".to_owned()].as_slice(), "Isi")
    );
    assert_eq!(sheet(&file).headings, ["x"]);
    assert_eq!(read(&file, Some("Tidak"), &Limits::default()), Err(Error::NoSuchSheet("Tidak".to_owned())));
}

#[test]
fn another_row_may_have_the_headings() {
    let found = sheet(b"Daftar kendaraan\n\nNama , Kota,Lain\nA,B,C\nD,E\n");
    assert_eq!(
        (found.headings.as_slice(), found.heading_row),
        (["Daftar kendaraan", "", ""].map(str::to_owned).as_slice(), 1)
    );
    let headed = found.clone().headed_by(3).expect("there is such a row");
    assert_eq!(
        (headed.headings.as_slice(), headed.heading_row),
        (["Nama", "Kota", "Lain"].map(str::to_owned).as_slice(), 3)
    );
    assert_eq!((headed.rows[0].number, cells(&headed)), (4, vec![vec!["A", "B", "C"], vec!["D", "E", ""]]));
    assert_eq!(found.clone().headed_by(1), Some(found.clone()));
    assert_eq!(found.headed_by(2), None, "it is empty");
}

#[test]
fn hidden_sheets_are_read_when_they_are_named() {
    let mut book = rust_xlsxwriter::Workbook::new();
    book.add_worksheet().set_name("Rahasia").expect("a name").set_hidden(true).write_string(0, 0, "x").expect("a cell");
    book.add_worksheet().set_name("Isi").expect("a name").set_active(true).write_string(0, 0, "y").expect("a cell");
    let file = book.save_to_buffer().expect("a file");
    assert_eq!((sheet(&file).sheets, sheet(&file).headings), (vec!["Isi".to_owned()], vec!["y".to_owned()]));
    assert_eq!(read(&file, Some("Rahasia"), &Limits::default()).expect("a table").headings, ["x"]);
}

#[test]
fn what_is_no_table_is_named() {
    let packed = |name: &str| {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        archive.start_file(name, zip::write::SimpleFileOptions::default()).expect("a part");
        archive.write_all(b"x").expect("it is written");
        archive.finish().expect("a file").into_inner()
    };
    for (file, kind) in [
        (b"%PDF-1.7\n%\xe2\xe3".to_vec(), OtherKind::Pdf),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), OtherKind::Picture),
        (b"\xff\xd8\xff\xe0\0\x10JFIF".to_vec(), OtherKind::Picture),
        (b"RIFF\x24\0\0\0WEBPVP8 ".to_vec(), OtherKind::Picture),
        (b"\0\0\0\x18ftypheic".to_vec(), OtherKind::Picture),
        (b"\xef\xbb\xbf\r\n<!DOCTYPE HTML><html>".to_vec(), OtherKind::WebPage),
        (b"<Table><tr><td>Nama".to_vec(), OtherKind::WebPage),
        (b"{\\rtf1 Nama}".to_vec(), OtherKind::Document),
        (packed("word/document.xml"), OtherKind::Document),
        (packed("content.xml"), OtherKind::Document),
        (packed("kendaraan.csv"), OtherKind::Archive),
        (b"Rar!\x1a\x07".to_vec(), OtherKind::Archive),
    ] {
        assert_eq!(
            read(&file, None, &Limits::default()),
            Err(Error::Other(kind)),
            "{:?}",
            String::from_utf8_lossy(&file)
        );
    }
    assert_eq!(read(&packed("xl/workbook.bin"), None, &Limits::default()), Err(Error::OldOrEncrypted));
    assert_eq!(sheet(b"GIFT,Kota\nA,B\n").headings, ["GIFT", "Kota"]);
}

#[test]
fn limits_hold() {
    let limits = Limits { bytes: 1000, unpacked: 400, text: 400, cells: 100, rows: 3, columns: 4 };
    let csv = |rows: usize, columns: usize| vec![vec!["x"; columns].join(","); rows + 1].join("\n").into_bytes();
    assert!(read(&csv(3, 4), None, &limits).is_ok());
    assert_eq!(read(&csv(4, 4), None, &limits), Err(Error::TooManyRows { max: 3 }));
    assert_eq!(read(&csv(3, 5), None, &limits), Err(Error::TooManyColumns { max: 4 }));
    assert_eq!(read(&[b'x'; 1001], None, &limits), Err(Error::TooLarge { max: 1000 }));
    assert_eq!(read(&[b'x'; 900], None, &limits), Err(Error::TooLarge { max: 400 }));
    assert_eq!(read(b" \n,\n", None, &limits), Err(Error::Empty));
    assert_eq!(read(&[0xd0, 0xcf, 0x11, 0xe0, 0xa1], None, &limits), Err(Error::OldOrEncrypted));
    assert!(matches!(read(b"PK\x03\x04 and no more", None, &limits), Err(Error::Broken(_))));
}

#[test]
fn rejects_zip_bombs() {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("xl/sharedStrings.xml", zip::write::SimpleFileOptions::default()).expect("a part");
    (0..20).for_each(|_| archive.write_all(&[b' '; 1 << 20]).expect("it is written"));
    let bomb = archive.finish().expect("a file").into_inner();
    let limits = Limits { unpacked: 16 << 20, ..Limits::default() };
    assert!(bomb.len() < 100_000, "{}", bomb.len());
    assert_eq!(read(&bomb, None, &limits), Err(Error::TooLarge { max: limits.unpacked }));
}

#[test]
fn sparse_sheets_take_no_memory() {
    let mut book = rust_xlsxwriter::Workbook::new();
    let page = book.add_worksheet();
    page.write_string(0, 0, "Nama").expect("a cell").write_string(1_048_575, 0, "x").expect("a cell");
    let found = sheet(&book.save_to_buffer().expect("a file"));
    assert_eq!((found.rows.len(), found.rows[0].number), (1, 1_048_576));
    let mut book = rust_xlsxwriter::Workbook::new();
    book.add_worksheet().write_string(0, 16_383, "x").expect("a cell");
    let found = read(&book.save_to_buffer().expect("a file"), None, &Limits::default());
    assert_eq!(found, Err(Error::TooManyColumns { max: 200 }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn reads_back_what_was_written(
        rows in proptest::collection::vec(("[=+@;,\t\"\n '\\-a-z]{0,8}x|[é车ش🚚😀a-z0-9 ]{0,10}x", 0u64..10_000_000_000_000_000, 0i64..4_000_000_000), 1..12)
    ) {
        let columns = ["Nama", "Nomor", "Waktu"].map(|name| Column { heading: name.to_owned(), width: 10.0, numeric: false });
        let table = Table { title: "Isi".to_owned(), columns: columns.into() };
        let mut book = xlsx::Writer::new(table.clone()).expect("a workbook");
        let mut text = csv::Writer::with_head(Vec::new(), &table).expect("a file");
        let mut wanted = Vec::new();
        for (name, number, seconds) in &rows {
            let number = number / 10;
            let time = DateTime::from_timestamp(*seconds, 0).expect("a time").naive_utc();
            let cells = || [Cell::Text(Cow::Borrowed(name)), Cell::Number(number as f64), Cell::Time(time)];
            book.row(cells()).expect("a row");
            text.row(cells()).expect("a row");
            wanted.push([name.clone(), number.to_string(), time.format("%Y-%m-%d %H:%M:%S").to_string()]);
        }
        let mut file = Vec::new();
        book.finish(&mut file).expect("a file");
        for file in [file, text.finish().expect("a file")] {
            let read = sheet(&file);
            prop_assert_eq!(&read.headings, &["Nama", "Nomor", "Waktu"]);
            let found: Vec<_> = read.rows.iter().map(|row| row.cells.clone()).collect();
            prop_assert_eq!(&found, &wanted);
        }
    }

    #[test]
    fn arbitrary_input_does_not_panic(file in proptest::collection::vec(any::<u8>(), 0..400)) {
        let found = read(&file, None, &Limits::default());
        if let Ok(sheet) = found && let Some(last) = sheet.rows.last() {
            let (columns, number) = (sheet.headings.len(), last.number);
            let headed = sheet.headed_by(number).expect("there is such a row");
            prop_assert!(headed.rows.is_empty() && headed.headings.len() == columns);
        }
        let _ = read(&[b"PK\x03\x04".as_slice(), &file].concat(), None, &Limits::default());
    }
}
