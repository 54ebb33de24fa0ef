//! PDFs as another program reads them.

use std::borrow::Cow;

use armada_tables::{
    Cell, Column, Table,
    pdf::{Document, Error, ROWS_MAX, Writer},
};
use chrono::{DateTime, Utc};
use lopdf::{Dictionary, Object};
use proptest::prelude::*;

fn document(columns: &[(&str, bool)]) -> Document {
    let columns =
        columns.iter().map(|(name, numeric)| Column { heading: (*name).to_owned(), width: 10.0, numeric: *numeric });
    Document {
        table: Table { title: "Perangkat".to_owned(), columns: columns.collect() },
        details: vec![
            ("Tenant".to_owned(), "acme 运输".to_owned()),
            ("Filter".to_owned(), "Status: Aktif".to_owned()),
            ("Dibuat".to_owned(), "2026-11-22 19:29:13 (Asia/Jakarta)".to_owned()),
        ],
        language: "id".to_owned(),
        made_at: DateTime::<Utc>::from_timestamp(1_795_000_000, 0).expect("a time").fixed_offset(),
        page_label: "Halaman {page} dari {pages}".to_owned(),
        empty: "Tidak ada data.".to_owned(),
        missing: "Tidak tercetak".to_owned(),
        separators: ('.', ','),
    }
}

fn text(text: &str) -> Cell<'_> {
    Cell::Text(Cow::Borrowed(text))
}

/// A PDF of rows with one text each.
fn of_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
    let mut writer = Writer::new(document(&[("Nama", false)]));
    texts.into_iter().for_each(|cell| writer.row([text(cell)]).expect("there is room"));
    writer.finish().expect("a file")
}

/// The text of each page, without spaces: for this reader, each run of a font is a line of its own.
fn pages(file: &[u8]) -> Vec<String> {
    let read = lopdf::Document::load_mem(file).expect("a PDF");
    read.get_pages().keys().map(|page| without_spaces(&read.extract_text(&[*page]).expect("its text"))).collect()
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn every_page_has_header_and_page_number() {
    let mut writer = Writer::new(document(&[("Nama", false), ("Batas", true)]));
    for number in 0..200 {
        writer
            .row([text(&format!("Truk {number}.")), Cell::Number(1000.0 + f64::from(number))])
            .expect("there is room");
    }
    let pages = pages(&writer.finish().expect("a file"));
    assert!(pages.len() > 3, "{}", pages.len());
    for (at, page) in pages.iter().enumerate() {
        assert!(page.contains("Nama") && page.contains("Batas"), "{page}");
        assert!(page.contains(&format!("Halaman{}dari{}", at + 1, pages.len())), "{page}");
        assert_eq!(page.contains("acme运输"), at == 0, "{page}");
        assert_eq!(page.contains("2026-11-2219:29:13(Asia/Jakarta)"), at == 0, "{page}");
    }
    for number in 0..200 {
        let row = format!("Truk{number}.");
        assert_eq!(pages.iter().filter(|page| page.contains(&row)).count(), 1, "{row}");
    }
    assert!(pages[0].contains("1.000"), "{}", pages[0]);
}

#[test]
fn text_of_all_scripts_can_be_extracted() {
    let names = [
        "Sepeda motor Tanjung Priok",
        "Piranti kangge nglacak",
        "运输车辆 張偉",
        "Микроавтобус",
        "Φορτηγό",
        "Nguyễn Văn Đức",
        "รถ กทม",
        "ꦗꦮ",
        "⚠ ✓ ★ → ⛽ ♻ ☎",
    ];
    let read = pages(&of_texts(names)).concat();
    for name in names {
        assert!(read.contains(&without_spaces(name)), "{name}: {read}");
    }
}

/// This reader knows nothing of texts that stand behind several glyphs, but the page would say which have none.
#[test]
fn thai_javanese_and_symbols_have_glyphs() {
    let file = of_texts(["รถบรรทุกน้ำมัน", "ꦠꦿꦸꦏ꧀ꦥꦭꦶꦁꦒꦺꦝꦺ", "⚠ ✓ ✗ ★ → ⛽ ♻ ☎ ⏱ ①"]);
    let page = pages(&file).concat();
    assert!(!page.contains("Tidaktercetak"), "{page}");
    assert!(is_embedded(&file, "NotoSansThai") && is_embedded(&file, "NotoSansJavanese"));
}

/// Whether the file of a font is part of the PDF.
fn is_embedded(file: &[u8], name: &str) -> bool {
    let read = lopdf::Document::load_mem(file).expect("a PDF");
    read.objects.values().filter_map(|object| object.as_dict().ok()).any(|font: &Dictionary| {
        let named =
            font.get(b"FontName").and_then(Object::as_name).is_ok_and(|it| String::from_utf8_lossy(it).contains(name));
        named && [b"FontFile2".as_slice(), b"FontFile3"].iter().any(|key| font.has(key))
    })
}

#[test]
fn embeds_only_needed_fonts() {
    let latin = of_texts(["Truk"]);
    assert!(is_embedded(&latin, "NotoSans-Regular") && !is_embedded(&latin, "Arabic"));
    let arabic = of_texts(["شاحنة"]);
    assert!(is_embedded(&arabic, "NotoSansArabic-Regular"));
    assert!(latin.len() < 100_000, "{}", latin.len());
}

#[test]
fn missing_glyph_is_a_box_with_its_text() {
    let file = of_texts(["A🦄B", "𐤀🦄"]);
    let read = lopdf::Document::load_mem(&file).expect("a PDF");
    let content = read.get_page_content(read.get_pages()[&1]);
    // The box, and for who copies it the character as UTF-16.
    assert!(
        content.windows(10).any(|part| part.eq_ignore_ascii_case(b"D83EDD84>>")) || has_text(&read, "🦄"),
        "no unicorn"
    );
    let page = pages(&file).concat();
    assert!(page.contains("Tidaktercetak:U+10900,U+1F984"), "the page says what the boxes stand for: {page}");
}

fn has_text(read: &lopdf::Document, wanted: &str) -> bool {
    read.extract_text(&[1]).is_ok_and(|text| text.contains(wanted))
}

#[test]
fn document_has_title_and_language() {
    let read = lopdf::Document::load_mem(&of_texts(["Truk"])).expect("a PDF");
    let catalog = read.catalog().expect("a catalogue");
    assert_eq!(catalog.get(b"Lang").and_then(Object::as_str).ok(), Some(b"id".as_slice()));
    assert!(catalog.has(b"StructTreeRoot"), "it is tagged");
    let info = read.trailer.get(b"Info").and_then(Object::as_reference).and_then(|info| read.get_dictionary(info));
    let title = info.and_then(|info| info.get(b"Title")).and_then(lopdf::decode_text_string).expect("a title");
    assert_eq!(title, "Perangkat");
    let empty = pages(&of_texts([])).concat();
    assert!(empty.contains("Tidakadadata.") && empty.contains("Halaman1dari1"), "{empty}");
}

#[test]
fn long_texts_are_wrapped_and_cut() {
    let long = "Jalan Raya Pelabuhan Tanjung Priok nomor seratus dua puluh ".repeat(100);
    let read = pages(&of_texts([&*long, &"x".repeat(3000), "Truk"])).concat();
    assert!(read.matches('…').count() == 2 && read.contains("Truk"), "{read}");
    assert!(read.len() < 6000, "{}", read.len());
}

#[test]
fn wide_tables_lie_on_their_side() {
    let width = |columns: usize| {
        let mut writer = Writer::new(document(&vec![("Nama kendaraan", false); columns]));
        writer.row((0..columns).map(|_| text("Truk Pengangkut Batu"))).expect("there is room");
        let read = lopdf::Document::load_mem(&writer.finish().expect("a file")).expect("a PDF");
        let page = read.get_dictionary(read.get_pages()[&1]).expect("a page");
        page.get(b"MediaBox").and_then(Object::as_array).expect("its size")[2].as_float().expect("a number").round()
    };
    assert_eq!([width(2), width(8), width(20)], [595.0, 842.0, 1191.0]);
}

#[test]
fn limits_rows_of_a_pdf() {
    let mut writer = Writer::new(document(&[("Nama", false)]));
    for _ in 0..ROWS_MAX {
        writer.row([text("Truk")]).expect("there is room");
    }
    assert!(matches!(writer.row([text("Truk")]), Err(Error::TooManyRows)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_text_makes_a_valid_file(texts in proptest::collection::vec(any::<String>(), 1..20), odd in "[\u{0}-\u{20}\u{300}\u{5d0}\u{627}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{fe0f}\u{feff}\u{e000}\u{ffff}\u{1f468}\u{1f3fd}\u{10ffff}a]{0,40}") {
        let file = of_texts(texts.iter().map(String::as_str).chain([&*odd]));
        prop_assert!(!pages(&file).is_empty());
    }
}
