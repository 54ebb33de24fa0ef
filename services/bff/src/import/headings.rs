//! What headings mean: the names of the contract, the words of templates and exports, and those of the trade, which
//! `headings.json` has. Case, dots, spaces and the order of words mean nothing.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::LazyLock,
};

use armada_runtime::text::fold;
use armada_tables::read::Sheet;
use serde::Deserialize;

use super::columns::{Field, Meaning};
use crate::http::language::{self, LANGUAGES};

/// Rows among which the headings are looked for.
pub const HEADING_ROWS: usize = 30;
/// Bytes of a heading: what is longer is a text.
const HEADING_MAX: usize = 200;
/// So many known headings make a row one of headings, wherever it is.
const ENOUGH: usize = 2;
/// How much better any other match is than one without what stands in brackets.
const IN_BRACKETS: u8 = 3;

/// Words by the tag of their language.
type Words = BTreeMap<String, Vec<String>>;

/// The words of the trade.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trade {
    /// Other spellings of a word.
    spellings: HashMap<String, Vec<String>>,
    /// Above columns that count the rows.
    running_number: Words,
    /// By the name of a list and of a field in the contract.
    pub fields: BTreeMap<String, BTreeMap<String, Words>>,
}

/// What the embedded file says.
pub static TRADE: LazyLock<Trade> = LazyLock::new(|| {
    serde_json::from_str(include_str!("headings.json")).expect("the embedded headings are well-formed")
});

/// By each spelling the word that it stands for.
static SPELLINGS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let of = |(word, others): (&'static String, &'static Vec<String>)| {
        others.iter().map(|other| (other.as_str(), word.as_str()))
    };
    TRADE.spellings.iter().flat_map(of).collect()
});

/// What stands above a column, as far as it is understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Understood {
    /// What the column is, where that is beyond doubt.
    pub meaning: Option<Meaning>,
    /// What it may be, where it may be several things or where several columns may be it: a person chooses.
    pub candidates: Vec<Meaning>,
    /// It counts the rows.
    pub is_running_number: bool,
}

/// What the columns of one list can be called.
pub struct Known {
    meanings: Vec<Meaning>,
    /// By a form of a heading: how good that match is, of what, and whether the heading has more in brackets.
    by_form: HashMap<String, Vec<(u8, usize, bool)>>,
}

impl Known {
    /// Of a list with these fields.
    pub fn new(subject: &str, fields: &'static [Field]) -> Self {
        let meanings: Vec<_> =
            [Meaning::Id, Meaning::Action].into_iter().chain(fields.iter().map(Meaning::Field)).collect();
        let mut known = Self { meanings: meanings.clone(), by_form: HashMap::new() };
        for (at, meaning) in meanings.into_iter().enumerate() {
            let column = match meaning {
                Meaning::Field(field) => field.column(),
                _ => meaning.name(),
            };
            for (rank, name) in [(0, meaning.name()), (1, column)] {
                let words = LANGUAGES.iter().filter_map(|language| language::known_word(*language, subject, name));
                words.chain([name]).for_each(|word| known.add(word, rank, at));
            }
            let trade = TRADE.fields.get(subject).and_then(|fields| fields.get(meaning.name()));
            trade.into_iter().flat_map(BTreeMap::values).flatten().for_each(|word| known.add(word, 2, at));
        }
        known
    }

    fn add(&mut self, heading: &str, rank: u8, at: usize) {
        for (form, is_cut) in forms(heading) {
            let rank = if is_cut { rank + IN_BRACKETS } else { rank };
            self.by_form.entry(form).or_default().push((rank, at, is_cut));
        }
    }

    /// What a heading may mean, the best matches alone, and how good those are.
    fn of(&self, heading: &str) -> (u8, BTreeSet<usize>) {
        if heading.len() > HEADING_MAX {
            return (u8::MAX, BTreeSet::new());
        }
        let mut found = BTreeSet::new();
        for (form, is_cut) in forms(heading) {
            let known = self.by_form.get(&form).into_iter().flatten();
            // Where both say something in brackets, it is not the same: a limit in minutes is none in seconds.
            let known = known.filter(|(.., is_known_cut)| !(is_cut && *is_known_cut));
            found.extend(known.map(|(rank, at, _)| (if is_cut { rank + IN_BRACKETS } else { *rank }, *at)));
        }
        let best = found.first().map_or(u8::MAX, |(rank, _)| *rank);
        (best, found.into_iter().filter(|(rank, _)| *rank == best).map(|(_, at)| at).collect())
    }

    /// What headings mean. Where one may be several things, it is what no other one surely is.
    pub fn understood(&self, headings: &[String]) -> Vec<Understood> {
        let ranked: Vec<_> = headings.iter().map(|heading| self.of(heading)).collect();
        // Exports may have an id, and the name of what has it: the id says more.
        let is_said_better = |(rank, found): &(u8, BTreeSet<usize>)| {
            *rank == 1 && ranked.iter().any(|(other, better)| *other == 0 && !better.is_disjoint(found))
        };
        let left =
            |ranked: &(u8, BTreeSet<usize>)| if is_said_better(ranked) { BTreeSet::new() } else { ranked.1.clone() };
        let mut found: Vec<_> = ranked.iter().map(left).collect();
        let sure: BTreeSet<_> = found.iter().filter(|found| found.len() == 1).flatten().copied().collect();
        for candidates in found.iter_mut().filter(|candidates| candidates.len() > 1) {
            candidates.retain(|at| !sure.contains(at));
        }
        let claims = |at: &usize| found.iter().filter(|candidates| candidates.contains(at)).count();
        let understood = headings.iter().zip(&found).map(|(heading, candidates)| match candidates.first() {
            Some(at) if candidates.len() == 1 && claims(at) == 1 => {
                Understood { meaning: self.meanings.get(*at).copied(), ..Understood::default() }
            }
            Some(_) => Understood {
                candidates: candidates.iter().filter_map(|at| self.meanings.get(*at)).copied().collect(),
                ..Understood::default()
            },
            None => Understood { is_running_number: is_running_number(heading), ..Understood::default() },
        });
        understood.collect()
    }

    /// The number of the row that has the headings, as far as that can be told: the one with the most that are known.
    pub fn heading_row(&self, sheet: &Sheet) -> usize {
        let below = sheet.rows.iter().take(HEADING_ROWS).map(|row| (row.number, &row.cells));
        let rows: Vec<_> = [(sheet.heading_row, &sheet.headings)].into_iter().chain(below).collect();
        let known = |cells: &[String]| cells.iter().flat_map(|cell| self.of(cell).1).collect::<BTreeSet<_>>().len();
        let mut best = (ENOUGH - 1, None);
        for (number, cells) in &rows {
            let count = known(cells);
            if count > best.0 {
                best = (count, Some(*number));
            }
        }
        // A title stands alone in its row.
        let filled = |cells: &[String]| cells.iter().filter(|cell| !cell.trim().is_empty()).count();
        let wide = || rows.iter().find(|(_, cells)| filled(cells) > 1 || known(cells) > 0).map(|(number, _)| *number);
        best.1.or_else(wide).unwrap_or(sheet.heading_row)
    }
}

fn is_running_number(heading: &str) -> bool {
    let known = TRADE.running_number.values().flatten();
    let forms = forms(heading);
    known.flat_map(|word| self::forms(word)).any(|form| forms.contains(&form))
}

/// In what forms a heading is compared: its words put together, and in another order; and the same without what stands in
/// brackets, which the flag says.
fn forms(heading: &str) -> BTreeSet<(String, bool)> {
    let whole = words(heading);
    let bare = words(&without_brackets(heading));
    let is_cut = whole != bare;
    let mut forms = BTreeSet::new();
    for (mut words, is_cut) in [(whole, false), (bare, true)].into_iter().take(if is_cut { 2 } else { 1 }) {
        if words.is_empty() {
            continue;
        }
        forms.insert((words.concat(), is_cut));
        words.sort_unstable();
        forms.insert((words.join(" "), is_cut));
    }
    forms
}

/// Its words in small letters, each in one spelling. One begins where a small letter stands before a capital.
fn words(heading: &str) -> Vec<String> {
    let mut apart = String::with_capacity(heading.len() + 8);
    let mut is_small = false;
    for c in heading.chars() {
        if !c.is_alphanumeric() || is_small && c.is_uppercase() {
            apart.push(' ');
        }
        is_small = c.is_lowercase();
        apart.extend(Some(c).filter(|c| c.is_alphanumeric()));
    }
    let spelt = |word: &str| SPELLINGS.get(word).map_or_else(|| word.to_owned(), |known| (*known).to_owned());
    fold(&apart).split_whitespace().map(spelt).collect()
}

fn without_brackets(heading: &str) -> String {
    let mut depth = 0_usize;
    let mut bare = String::new();
    for c in heading.chars() {
        match c {
            '(' | '（' | '[' => depth += 1,
            ')' | '）' | ']' => depth = depth.saturating_sub(1),
            c if depth == 0 => bare.push(c),
            _ => {}
        }
    }
    bare
}
