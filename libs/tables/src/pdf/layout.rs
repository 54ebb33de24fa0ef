//! Where everything stands: the size of the paper, the width of each column, the lines of each cell, the rows of each
//! page. All lengths are points.

use std::ops::Range;

use super::{
    document::Document,
    fonts::Weight,
    text::{Typesetter, plain},
};

/// From the edge of the paper.
pub(super) const MARGIN: f32 = 36.0;
/// What the foot takes of a page.
const FOOT: f32 = 18.0;
/// Between a cell and the lines around it.
pub(super) const PADDING: (f32, f32) = (4.0, 2.5);
/// From line to line, in units of the font's size.
pub(super) const LEADING: f32 = 1.35;
/// Lines of a cell; what is more is left out.
const LINES_MAX: usize = 8;
/// The title's and the details' font.
pub(super) const TITLE: f32 = 15.0;
pub(super) const DETAIL: f32 = 8.5;
/// What a column must be able to hold in one line, if there is something as long: as much as an id.
const WORD_MAX: f32 = 19.0;
/// Rows that are looked at for how narrow a column may be.
const SAMPLE: usize = 400;
/// How much wider than what it shows a column may be.
const STRETCH: f32 = 1.6;

const A4: (f32, f32) = (595.28, 841.89);
const A3_ACROSS: (f32, f32) = (1190.55, 841.89);
/// Paper and font, from what is best to what holds most.
const FORMS: [((f32, f32), f32); 5] =
    [(A4, 8.0), ((A4.1, A4.0), 8.0), ((A4.1, A4.0), 7.0), (A3_ACROSS, 8.0), (A3_ACROSS, 7.0)];

/// A text and its lines.
pub(super) struct Lines {
    pub(super) text: Box<str>,
    /// Empty for one line that is all of the text.
    lines: Vec<Range<usize>>,
}

impl Lines {
    pub(super) fn iter(&self) -> impl Iterator<Item = Range<usize>> {
        let whole = self.lines.is_empty().then_some(0..self.text.len());
        self.lines.iter().cloned().chain(whole)
    }

    fn count(&self) -> usize {
        self.lines.len().max(1)
    }
}

/// Where everything stands.
pub(super) struct Layout {
    pub(super) paper: (f32, f32),
    /// The font of the table.
    pub(super) size: f32,
    /// The width of each column, with its padding.
    pub(super) widths: Vec<f32>,
    pub(super) title: Lines,
    pub(super) details: Vec<(String, Lines)>,
    pub(super) head: Vec<Lines>,
    pub(super) cells: Vec<Lines>,
    /// The rows of each page.
    pub(super) pages: Vec<Range<usize>>,
}

impl Layout {
    pub(super) fn of(typesetter: &mut Typesetter, document: &Document, cells: Vec<Box<str>>) -> Self {
        let headings: Vec<_> = document.table.columns.iter().map(|column| plain(&column.heading)).collect();
        let (paper, size, widths) = fitted(typesetter, &headings, &cells);
        let inner = |column: usize| (widths[column] - 2.0 * PADDING.0) / size;
        let head: Vec<_> = headings
            .iter()
            .enumerate()
            .map(|(column, heading)| set(typesetter, heading.as_str().into(), Weight::Bold, inner(column), LINES_MAX))
            .collect();
        let columns = widths.len();
        let cells = cells
            .into_iter()
            .enumerate()
            .map(|(at, text)| set(typesetter, text, Weight::Regular, inner(at % columns), LINES_MAX))
            .collect();

        let across = paper.0 - 2.0 * MARGIN;
        let title = plain(&document.table.title).into_boxed_str();
        let title = set(typesetter, title, Weight::Bold, across / TITLE, 2);
        let details = document.details.iter().map(|(name, text)| {
            let name = format!("{}: ", plain(name));
            let room = across / DETAIL - typesetter.width(&name, Weight::Bold);
            let lines = set(typesetter, plain(text).into_boxed_str(), Weight::Regular, room, 3);
            (name, lines)
        });
        let details = details.collect();
        let mut layout = Self { paper, size, widths, title, details, head, cells, pages: Vec::new() };
        layout.pages = layout.paginate();
        layout
    }

    /// The height of title and details.
    pub(super) fn top(&self) -> f32 {
        let details: usize = self.details.iter().map(|(_, lines)| lines.count()).sum();
        self.title.count() as f32 * TITLE * LEADING + details as f32 * DETAIL * LEADING + 10.0
    }

    pub(super) fn head_height(&self) -> f32 {
        self.height(&self.head)
    }

    pub(super) fn row(&self, row: usize) -> &[Lines] {
        let columns = self.widths.len();
        &self.cells[row * columns..(row + 1) * columns]
    }

    pub(super) fn row_height(&self, row: usize) -> f32 {
        self.height(self.row(row))
    }

    fn height(&self, cells: &[Lines]) -> f32 {
        let lines = cells.iter().map(Lines::count).max().unwrap_or(1);
        lines as f32 * self.size * LEADING + 2.0 * PADDING.1
    }

    fn paginate(&self) -> Vec<Range<usize>> {
        let rows = self.cells.len().checked_div(self.widths.len()).unwrap_or_default();
        let whole = self.paper.1 - 2.0 * MARGIN - FOOT - self.head_height();
        let (mut pages, mut start, mut left) = (Vec::new(), 0, whole - self.top());
        for row in 0..rows {
            let height = self.row_height(row);
            if height > left && row > start {
                pages.push(start..row);
                (start, left) = (row, whole);
            }
            left -= height;
        }
        pages.push(start..rows);
        pages
    }
}

/// A text in lines of a width in units of the font's size; what is too much for `max` lines is left out, and seen to be.
fn set(typesetter: &mut Typesetter, text: Box<str>, weight: Weight, width: f32, max: usize) -> Lines {
    // A letter is at least a fifth as wide as the font is high, or so: most texts are short, and need no measure.
    if !text.contains('\n') && typesetter.width(&text, weight) <= width {
        return Lines { text, lines: Vec::new() };
    }
    let mut lines = typesetter.lines(&text, weight, width);
    if lines.len() <= max {
        return Lines { text, lines };
    }
    lines.truncate(max);
    let Some(last) = lines.last_mut() else { return Lines { text, lines } };
    let mut cut = text[last.clone()].to_owned();
    while !cut.is_empty() && typesetter.width(&format!("{cut}…"), weight) > width {
        cut.pop();
    }
    let text = format!("{}{}…", &text[..last.start], cut.trim_end());
    last.end = text.len();
    Lines { text: text.into(), lines }
}

/// What a column wants, in units of the font's size.
#[derive(Default, Clone)]
struct ColumnWidths {
    /// For all that it shows.
    all: f32,
    /// For nearly all.
    most: f32,
    /// For its longest word.
    word: f32,
}

/// The first form that holds the table, and the widths of its columns.
fn fitted(typesetter: &mut Typesetter, headings: &[String], cells: &[Box<str>]) -> ((f32, f32), f32, Vec<f32>) {
    let column_widths = column_widths(typesetter, headings, cells);
    let padding = 2.0 * PADDING.0 * column_widths.len() as f32;
    let sum = |of: fn(&ColumnWidths) -> f32| column_widths.iter().map(of).sum::<f32>();
    let fits = |(paper, size): &((f32, f32), f32), wanted: f32| wanted * size + padding <= paper.0 - 2.0 * MARGIN;
    let narrow = FORMS[..2].iter().find(|form| fits(form, sum(|wish| wish.most)));
    // Half of what is wanted, when words stay whole: cells of two or three lines.
    let wrapped = || FORMS[1..].iter().find(|form| fits(form, sum(|wish| wish.word).max(sum(|wish| wish.most) * 0.6)));
    let &(paper, size) = narrow.or_else(wrapped).unwrap_or(&FORMS[FORMS.len() - 1]);
    let room = (paper.0 - 2.0 * MARGIN - padding) / size;
    let widths = shared(&column_widths, room).into_iter().map(|width| width * size + 2.0 * PADDING.0);
    (paper, size, widths.collect())
}

/// The room of a line, shared by the columns.
fn shared(column_widths: &[ColumnWidths], room: f32) -> Vec<f32> {
    let sum = |of: fn(&ColumnWidths) -> f32| column_widths.iter().map(of).sum::<f32>();
    let between = |from: fn(&ColumnWidths) -> f32, to: fn(&ColumnWidths) -> f32| {
        let part = (room - sum(from)) / (sum(to) - sum(from)).max(f32::EPSILON);
        column_widths.iter().map(|wish| from(wish) + part * (to(wish) - from(wish))).collect()
    };
    if sum(|wish| wish.all) <= room {
        let stretch = (room / sum(|wish| wish.all).max(f32::EPSILON)).min(STRETCH);
        return column_widths.iter().map(|wish| wish.all * stretch).collect();
    }
    if sum(|wish| wish.most) <= room {
        return between(|wish| wish.most, |wish| wish.all);
    }
    if sum(|wish| wish.word) <= room {
        return between(|wish| wish.word, |wish| wish.most);
    }
    column_widths.iter().map(|wish| wish.word * room / sum(|wish| wish.word)).collect()
}

fn column_widths(typesetter: &mut Typesetter, headings: &[String], cells: &[Box<str>]) -> Vec<ColumnWidths> {
    let columns = headings.len();
    let rows = cells.len().checked_div(columns).unwrap_or_default();
    let wish = |(column, heading): (usize, &String)| {
        let widths = cells.iter().skip(column).step_by(columns);
        let mut widths: Vec<_> = widths.map(|cell| widest(typesetter, cell, Weight::Regular)).collect();
        widths.sort_by(f32::total_cmp);
        let last = rows.saturating_sub(1);
        let [most, all] = [last - last / 20, last].map(|at| widths.get(at).copied().unwrap_or_default());
        let mut word = words(typesetter, heading, Weight::Bold);
        for row in (0..rows).step_by(rows.div_ceil(SAMPLE).max(1)) {
            word = word.max(words(typesetter, &cells[row * columns + column], Weight::Regular));
        }
        // A heading may take two lines.
        let heading = widest(typesetter, heading, Weight::Bold) / 2.0;
        let word = word.min(WORD_MAX);
        let most = most.max(word).max(heading);
        ColumnWidths { all: all.max(most), most, word }
    };
    headings.iter().enumerate().map(wish).collect()
}

/// How wide the widest line of a text is.
fn widest(typesetter: &mut Typesetter, text: &str, weight: Weight) -> f32 {
    text.split('\n').map(|line| typesetter.width(line, weight)).fold(0.0, f32::max)
}

/// How wide its longest word is.
fn words(typesetter: &mut Typesetter, text: &str, weight: Weight) -> f32 {
    let (mut longest, mut start) = (0.0_f32, 0);
    for (end, _) in unicode_linebreak::linebreaks(text) {
        longest = longest.max(typesetter.width(text[start..end].trim_end(), weight));
        start = end;
    }
    longest
}
