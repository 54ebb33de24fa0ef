//! Files that were made to take what they can: each is refused, or read, in little memory.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    fmt::Write as _,
    io::{Cursor, Write as _},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use armada_tables::read::{Error, Limits, Sheet, read};
use zip::{ZipWriter, write::SimpleFileOptions};

/// As the edge reads files of people.
const LIMITS: Limits =
    Limits { bytes: 8 << 20, unpacked: 48 << 20, text: 16 << 20, cells: 1_000_000, rows: 10_000, columns: 200 };
/// What reading any file may take, in bytes.
const MEMORY_MAX: usize = 150 << 20;

/// Counts what is taken from the system's allocator, and the most of it at a time.
struct Counting;

static TAKEN: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);
/// One test at a time: they count the memory of the whole program.
static ALONE: Mutex<()> = Mutex::new(());

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[allow(unsafe_code, reason = "an allocator cannot be written without")]
// SAFETY: every call is the system's allocator's, with what it was called with.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let taken = TAKEN.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(taken, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        TAKEN.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }
}

/// Reads a file, and how much memory that took.
fn measured(file: &[u8]) -> (Result<Sheet, Error>, usize) {
    let before = TAKEN.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let sheet = read(file, None, &LIMITS);
    (sheet, MOST.load(Ordering::Relaxed) - before)
}

/// A workbook of one sheet, from the parts that matter.
fn workbook(styles: &str, shared: &str, sheet: &str) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relation = |id: u8, kind: &str, target: &str| {
        format!(r#"<Relationship Id="rId{id}" Type="{RELATIONS}/{kind}" Target="{target}"/>"#)
    };
    let relations = [
        relation(1, "worksheet", "worksheets/sheet1.xml"),
        relation(2, "styles", "styles.xml"),
        relation(3, "sharedStrings", "sharedStrings.xml"),
    ];
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let parts = [
        (
            "_rels/.rels",
            format!(
                r#"<Relationships xmlns="{package}">{}</Relationships>"#,
                relation(1, "officeDocument", "xl/workbook.xml")
            ),
        ),
        (
            "xl/workbook.xml",
            format!(
                r#"<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets><sheet name="Isi" sheetId="1" r:id="rId1"/></sheets></workbook>"#
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!(r#"<Relationships xmlns="{package}">{}</Relationships>"#, relations.concat()),
        ),
        ("xl/styles.xml", format!(r#"<styleSheet xmlns="{MAIN}">{styles}</styleSheet>"#)),
        ("xl/sharedStrings.xml", format!(r#"<sst xmlns="{MAIN}">{shared}</sst>"#)),
        (
            "xl/worksheets/sheet1.xml",
            format!(r#"<worksheet xmlns="{MAIN}"><sheetData>{sheet}</sheetData></worksheet>"#),
        ),
    ];
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive.start_file(name, SimpleFileOptions::default()).expect("a part");
        archive.write_all(text.as_bytes()).expect("it is written");
    }
    archive.finish().expect("a file").into_inner()
}

/// The name of a column, of one or two letters.
fn column(number: u8) -> String {
    let letter = |number: u8| char::from(b'A' + number);
    match number.checked_sub(26) {
        None => letter(number).to_string(),
        Some(rest) => format!("{}{}", letter(rest / 26), letter(rest % 26)),
    }
}

#[test]
fn what_a_workbook_says_once_is_not_copied_without_end() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for (length, wanted) in
        [(8 << 20, Error::CellTooLong { max: 32_767 }), (32_000, Error::TooLarge { max: LIMITS.text })]
    {
        let shared = format!("<si><t>{}</t></si>", "x".repeat(length));
        let row = |row: u32| {
            let cell = |number| format!(r#"<c r="{}{row}" t="s"><v>0</v></c>"#, column(number));
            format!(r#"<row r="{row}">{}</row>"#, (0..200).map(cell).collect::<String>())
        };
        let (found, memory) = measured(&workbook("", &shared, &(1..=10).map(row).collect::<String>()));
        assert_eq!(found, Err(wanted));
        assert!(memory < MEMORY_MAX, "{memory}");
    }

    // A format of 60,000 characters, and 20,000 styles that refer to it.
    let code = "0".repeat(60_000);
    let styles = format!(
        r#"<numFmts count="1"><numFmt numFmtId="200" formatCode="{code}"/></numFmts><cellXfs>{}</cellXfs>"#,
        r#"<xf numFmtId="200"/>"#.repeat(20_000)
    );
    let (found, memory) = measured(&workbook(&styles, "", r#"<row r="1"><c r="A1" s="0"><v>1</v></c></row>"#));
    assert!(matches!(found, Err(Error::TooLarge { .. })), "{found:?}");
    assert!(memory < MEMORY_MAX, "{memory}");
}

#[test]
fn cells_are_counted_although_they_are_empty() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut rows = String::new();
    for row in 1..=20_000 {
        let _ = write!(rows, r#"<row r="{row}">{}</row>"#, r#"<c s="0"/>"#.repeat(60));
    }
    let (found, memory) = measured(&workbook("", "", &rows));
    assert_eq!(found, Err(Error::TooManyCells { max: LIMITS.cells }));
    assert!(memory < MEMORY_MAX, "{memory}");

    let (found, memory) = measured(&workbook("", &"<si/>".repeat(3_000_000), ""));
    assert_eq!(found, Err(Error::TooManyCells { max: LIMITS.cells }));
    assert!(memory < MEMORY_MAX, "{memory}");

    for delimiter in [",", ";", "\t"] {
        for file in [delimiter.repeat(8 << 20), format!("a{delimiter}b\n{}", delimiter.repeat(8_000_000))] {
            let (found, memory) = measured(file.as_bytes());
            // A line of nothing but tabs is an empty one where tabs separate nothing.
            assert!(found.as_ref().map_or(true, |sheet| sheet.rows.is_empty()), "{delimiter:?}: {found:?}");
            assert!(memory < MEMORY_MAX, "{memory}");
        }
        let lines = format!("a{delimiter}b\n{}", format!("{}\n", delimiter.repeat(10)).repeat(700_000));
        let (found, memory) = measured(lines.as_bytes());
        assert_eq!(found, Err(Error::TooManyCells { max: LIMITS.cells }));
        assert!(memory < MEMORY_MAX, "{memory}");
    }
}

#[test]
fn a_number_has_no_more_zeros_than_anybody_writes() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let styles = format!(
        r#"<numFmts count="1"><numFmt numFmtId="200" formatCode="{}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>"#,
        "0".repeat(70_000)
    );
    let (found, _) = measured(&workbook(&styles, "", r#"<row r="1"><c r="A1" s="0"><v>1</v></c></row>"#));
    let sheet = found.expect("a table");
    assert_eq!(sheet.headings[0].len(), 64);
}

/// The next of a sequence that is the same in each run: xorshift64 (Marsaglia, 2003).
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as usize
}

/// Files that are nearly right: bytes of good ones replaced, cut out and doubled. `FUZZ_ROUNDS` has more of them.
#[test]
fn files_that_are_nearly_right_are_read_or_refused() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let rounds = std::env::var("FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(3_000);
    let styles = r#"<numFmts count="1"><numFmt numFmtId="200" formatCode="0000"/></numFmts><cellXfs><xf numFmtId="14"/><xf numFmtId="200"/></cellXfs>"#;
    let shared = "<si><t>Nama</t></si><si><r><t>Truk</t></r><r><t> 1</t></r></si>";
    let sheet = r#"<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Kota</t></is></c></row><row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="0"><v>45000.5</v></c><c r="C2" t="b"><v>1</v></c><c r="D2" t="e"><v>#REF!</v></c><c r="E2" s="1"><v>7</v></c></row>"#;
    let plain = "sep=;\r\nNama;Kota;\"Alamat\nkedua\"\r\nTruk;\"a\"\"b\";=1+2\r\n".as_bytes().to_vec();
    let wide: Vec<u8> = "Nama\tKota\r\n车\té\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut state = 0x9E37_79B9_7F4A_7C15;
    for round in 0..rounds {
        let mut file = match round % 4 {
            0 => plain.clone(),
            1 => wide.clone(),
            2 => workbook(styles, shared, sheet),
            // Changed before it is packed, so that the reader of XML sees it and not only that of the archive.
            _ => {
                let mut parts = [styles, shared, sheet].map(|part| part.as_bytes().to_vec());
                let part = &mut parts[next(&mut state) % 3];
                for _ in 0..=next(&mut state) % 4 {
                    change(part, &mut state);
                }
                let [styles, shared, sheet] = parts.map(|part| String::from_utf8_lossy(&part).into_owned());
                workbook(&styles, &shared, &sheet)
            }
        };
        if round % 4 != 3 {
            for _ in 0..=next(&mut state) % 6 {
                change(&mut file, &mut state);
            }
        }
        let (found, memory) = measured(&file);
        assert!(memory < MEMORY_MAX, "round {round} took {memory}");
        if let Ok(sheet) = found {
            let wide = |sheet: &Sheet| sheet.rows.iter().all(|row| row.cells.len() == sheet.headings.len());
            assert!(wide(&sheet), "round {round}");
            let lower = sheet.rows.get(next(&mut state) % 4).map(|row| row.number);
            assert!(
                lower.is_none_or(|number| sheet.headed_by(number).is_some_and(|sheet| wide(&sheet))),
                "round {round}"
            );
        }
    }
}

fn change(bytes: &mut Vec<u8>, state: &mut u64) {
    if bytes.is_empty() {
        return;
    }
    let at = next(state) % bytes.len();
    let length = (next(state) % 16).min(bytes.len() - at);
    match next(state) % 5 {
        0 => bytes[at] = next(state) as u8,
        1 => bytes[at] ^= 1 << (next(state) % 8),
        2 => drop(bytes.drain(at..at + length)),
        3 => {
            let piece = bytes[at..at + length].to_vec();
            let copies = piece.repeat(1 + next(state) % 40);
            bytes.splice(at..at, copies);
        }
        _ => {
            let odd: [&[u8]; 8] = [b"99999999999", b"-1", b"\"", b"<", b"\xff\xfe", b"&#0;", b"1e400", b"XFD1048577"];
            bytes.splice(at..at + length, odd[next(state) % odd.len()].iter().copied());
        }
    }
}
