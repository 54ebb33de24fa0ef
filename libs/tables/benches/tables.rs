//! What files of 1,000, 5,000 and 10,000 rows take: `cargo bench -p armada-tables`. A kind of file and a number of rows as
//! arguments write that one alone, and tell the memory of that alone: `cargo bench -p armada-tables -- pdf 10000 OUT`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::{
    borrow::Cow,
    env, fs,
    io::{self, Write},
    time::Instant,
};

use armada_tables::{Cell, Column, Table, csv, pdf, xlsx};
use chrono::{DateTime, Utc};

const HEADINGS: [&str; 8] = [
    "Nama",
    "Kode kendaraan",
    "Jenis kendaraan",
    "IMEI",
    "Status",
    "Batas parkir (detik)",
    "Dibuat (Asia/Jakarta)",
    "车主",
];

fn table() -> Table {
    let column =
        |heading: &str| Column { heading: heading.to_owned(), width: 20.0, numeric: heading.starts_with("Batas") };
    Table { title: "Perangkat".to_owned(), columns: HEADINGS.map(column).into() }
}

fn row(number: usize) -> [Cell<'static>; 8] {
    let text = |text: String| Cell::Text(Cow::Owned(text));
    let names =
        ["Truk Pengangkut Batu", "Микроавтобус", "Φορτηγό", "运输车辆", "شاحنة النقل", "Bus kota Jawa Tengah Selatan"];
    [
        text(format!("{} {number}", names[number % names.len()])),
        text(format!("B {} XYZ", 1000 + number % 9000)),
        text(["Truk", "Bus", "Mobil penumpang"][number % 3].to_owned()),
        text(format!("35{:013}", number as u64 * 7_919_919)),
        text("Aktif".to_owned()),
        Cell::Number((number * 37 % 90_000) as f64),
        Cell::Time(DateTime::from_timestamp(1_700_000_000 + number as i64 * 61, 0).unwrap().naive_utc()),
        text(["张伟", "李娜", "Budi Santoso", "Siti Aminah binti Abdullah", ""][number % 5].to_owned()),
    ]
}

fn write(kind: &str, rows: usize) -> Vec<u8> {
    let mut file = Vec::new();
    match kind {
        "csv" => {
            let mut writer = csv::Writer::with_head(&mut file, &table()).unwrap();
            (0..rows).for_each(|number| writer.row(row(number)).unwrap());
            writer.finish().unwrap();
        }
        "xlsx" => {
            let mut writer = xlsx::Writer::new(table()).unwrap();
            (0..rows).for_each(|number| writer.row(row(number)).unwrap());
            writer.finish(&mut file).unwrap();
        }
        _ => {
            let mut writer = pdf::Writer::new(pdf::Document {
                table: table(),
                details: vec![
                    ("Tenant".to_owned(), "PT Contoh Angkutan".to_owned()),
                    ("Filter".to_owned(), "Status: Aktif; Jenis kendaraan: Truk, Bus".to_owned()),
                    ("Dibuat".to_owned(), "2026-11-22 19:29:13 (Asia/Jakarta)".to_owned()),
                ],
                language: "id".to_owned(),
                made_at: DateTime::<Utc>::from_timestamp(1_700_000_000, 0).unwrap().fixed_offset(),
                page_label: "Halaman {page} dari {pages}".to_owned(),
                empty: "Tidak ada data.".to_owned(),
                missing: String::new(),
                separators: ('.', ','),
            });
            (0..rows).for_each(|number| writer.row(row(number)).unwrap());
            file = writer.finish().unwrap();
        }
    }
    file
}

/// The most memory that this process ever had, in kB.
fn memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.unwrap_or("unknown").trim().to_owned()
}

fn main() -> io::Result<()> {
    let wanted: Vec<_> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    for kind in ["csv", "xlsx", "pdf"] {
        for rows in [1000, 5000, 10_000] {
            if !wanted.is_empty() && wanted[..2] != [kind.to_owned(), rows.to_string()] {
                continue;
            }
            let start = Instant::now();
            let file = write(kind, rows);
            println!("{kind} {rows} rows: {:?}, {} bytes, {} at most", start.elapsed(), file.len(), memory());
            if let Some(path) = wanted.get(2) {
                fs::File::create(path)?.write_all(&file)?;
            }
        }
    }
    Ok(())
}
