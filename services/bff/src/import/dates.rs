//! Days as people write them, and as Excel counts them.

use std::ops::RangeInclusive;

use armada_runtime::text::fold;
use chrono::{Days, NaiveDate};

/// The days that Excel counts so: 1954 to 2119. What is less or more is no day of any paper.
const EXCEL_DAYS: RangeInclusive<u64> = 20_000..=80_000;
/// Excel's day 0, as far as it counts right: from March 1900 on.
const EXCEL_EPOCH: Option<NaiveDate> = NaiveDate::from_ymd_opt(1899, 12, 30);
/// How the months begin in Indonesian, Javanese and English.
const MONTHS: [&[&str]; 12] = [
    &["jan"],
    &["feb", "peb"],
    &["mar"],
    &["apr"],
    &["mei", "may"],
    &["jun"],
    &["jul"],
    &["agu", "agt", "ags", "aug"],
    &["sep"],
    &["okt", "oct"],
    &["nov", "nop"],
    &["des", "dec", "dhe"],
];

/// What stands first where the day and the month are both numbers and the year is last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// `31/12/2026`, as in Indonesia and most of the world: what cannot be told is read so.
    #[default]
    DayFirst,
    /// `12/31/2026`.
    MonthFirst,
}

impl Order {
    /// What the cells of a column say: the other order only where some of them can be read in no other way, and none in
    /// this one alone.
    pub fn of<'a>(cells: impl Iterator<Item = &'a str>) -> Self {
        let (mut day_first, mut month_first) = (false, false);
        for cell in cells {
            let Some((first, second)) = numbers_before_year(cell) else { continue };
            day_first |= first > 12;
            month_first |= second > 12;
        }
        if month_first && !day_first { Self::MonthFirst } else { Self::DayFirst }
    }
}

fn numbers_before_year(cell: &str) -> Option<(u32, u32)> {
    match parts(cell)?.as_slice() {
        [Part::Number(first, 1 | 2), Part::Number(second, 1 | 2), Part::Number(_, 4 | 2)] => Some((*first, *second)),
        _ => None,
    }
}

/// A number with its digits, or a month by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Number(u32, usize),
    Month(u32),
}

/// The day that a cell says.
pub fn read(cell: &str, order: Order) -> Option<NaiveDate> {
    if cell.bytes().all(|c| c.is_ascii_digit()) {
        let days = cell.parse().ok().filter(|days| EXCEL_DAYS.contains(days))?;
        return EXCEL_EPOCH?.checked_add_days(Days::new(days));
    }
    match *parts(cell)?.as_slice() {
        [Part::Number(year, 4), Part::Number(month, _), Part::Number(day, _)] => date(year, 4, month, day),
        [Part::Number(day, _), Part::Month(month), Part::Number(year, digits)]
        | [Part::Month(month), Part::Number(day, _), Part::Number(year, digits)] => date(year, digits, month, day),
        [Part::Number(first, _), Part::Number(second, _), Part::Number(year, digits)] => {
            let day_first = || date(year, digits, second, first);
            let month_first = || date(year, digits, first, second);
            match order {
                Order::DayFirst => day_first().or_else(month_first),
                Order::MonthFirst => month_first().or_else(day_first),
            }
        }
        _ => None,
    }
}

fn date(year: u32, digits: usize, month: u32, day: u32) -> Option<NaiveDate> {
    let year = match digits {
        4 => year,
        // Papers of the last century are over.
        2 => 2000 + year,
        _ => return None,
    };
    NaiveDate::from_ymd_opt(year.try_into().ok()?, month, day)
}

/// Numbers and months, whatever is between them. A workbook may have midnight behind a day.
fn parts(cell: &str) -> Option<Vec<Part>> {
    let cell = fold(cell);
    let day = cell
        .split_once(':')
        .map_or(cell.as_str(), |(before, _)| before.rsplit_once([' ', 't']).map_or("", |(day, _)| day));
    let day = day.replace(['年', '月'], " ").replace('日', "");
    let words = day.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(part).collect()
}

fn part(word: &str) -> Option<Part> {
    if word.bytes().all(|c| c.is_ascii_digit()) {
        return Some(Part::Number(word.parse().ok()?, word.len()));
    }
    let is_it = |names: &&[&str]| names.iter().any(|name| word.starts_with(name));
    let month = MONTHS.iter().position(is_it).filter(|_| word.chars().all(char::is_alphabetic))?;
    Some(Part::Month(month as u32 + 1))
}
