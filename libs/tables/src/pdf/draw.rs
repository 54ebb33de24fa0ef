//! Draws what the layout says, and says what it is: a heading, paragraphs and a table.

use std::num::NonZeroU16;

use chrono::{Datelike, Timelike};
use krilla::{
    Document as Pdf, SerializeSettings,
    color::rgb,
    configure::{Accessibility, ConfigurationBuilder},
    destination::XyzDestination,
    error::KrillaResult,
    geom::{PathBuilder, Point, Rect},
    metadata::{DateTime, Metadata},
    outline::{Outline, OutlineNode},
    page::PageSettings,
    paint::{Fill, Stroke},
    surface::Surface,
    tagging::{Artifact, ArtifactType, ContentTag, Identifier, SpanTag, TableHeaderScope, Tag, TagGroup, TagTree},
};

use super::{
    document::Document,
    fonts::{FACES, Weight},
    layout::{DETAIL, LEADING, Layout, Lines, MARGIN, PADDING, TITLE},
    text::Typesetter,
};

/// Red, green, blue.
type Ink = [u8; 3];

const INK: Ink = [27, 31, 38];
const GREY: Ink = [91, 99, 112];
const HEAD: Ink = [232, 236, 242];
const STRIPE: Ink = [246, 248, 250];
const RULE: Ink = [198, 205, 214];
/// The foot's font.
const SMALL: f32 = 7.5;

/// The whole file.
pub(super) fn draw(typesetter: &mut Typesetter, document: &Document, layout: &Layout) -> KrillaResult<Vec<u8>> {
    let configuration = ConfigurationBuilder::new().with_accessibility_validator(Accessibility::UA1).finish();
    let settings =
        SerializeSettings { configuration: configuration.unwrap_or_default(), ..SerializeSettings::default() };
    let mut pdf = Pdf::new_with(settings);
    pdf.set_metadata(metadata(document));
    let start = XyzDestination::new(0, Point::from_xy(0.0, 0.0));
    let mut outline = Outline::new();
    outline.push_child(OutlineNode::new(document.table.title.clone(), start));
    pdf.set_outline(outline);

    let mut tags = TagTree::new().with_lang(Some(document.language.clone()));
    let (mut head, mut body) = (TagGroup::new(Tag::THead), TagGroup::new(Tag::TBody));
    for (number, rows) in layout.pages.iter().enumerate() {
        let Some(settings) = PageSettings::from_wh(layout.paper.0, layout.paper.1) else { continue };
        let mut page = pdf.start_page_with(settings);
        let mut pen = Pen { surface: page.surface(), typesetter, document, layout, at: MARGIN };
        if number == 0 {
            pen.top(&mut tags);
            head.push(pen.head());
        } else {
            pen.repeated_head();
        }
        for row in rows.clone() {
            body.push(pen.row(row));
        }
        if rows.is_empty() {
            body.push(pen.no_rows());
        }
        pen.footer(number + 1);
    }
    let mut table = TagGroup::new(Tag::Table);
    table.push(head);
    table.push(body);
    tags.push(table);
    pdf.set_tag_tree(tags);
    pdf.finish()
}

fn metadata(document: &Document) -> Metadata {
    let made = document.made_at;
    let offset = made.offset().local_minus_utc() / 60;
    let small = |number: u32| u8::try_from(number).unwrap_or_default();
    let time = DateTime::new(u16::try_from(made.year()).unwrap_or_default())
        .month(small(made.month()))
        .day(small(made.day()))
        .hour(small(made.hour()))
        .minute(small(made.minute()))
        .second(small(made.second()))
        .utc_offset_hour(i8::try_from(offset / 60).unwrap_or_default())
        .utc_offset_minute(small(offset.unsigned_abs() % 60));
    let details = document.details.iter().map(|(name, text)| format!("{name}: {text}"));
    Metadata::new()
        .title(document.table.title.clone())
        .description(details.collect::<Vec<_>>().join("\n"))
        .language(document.language.clone())
        .creation_date(time)
}

/// How a text stands in its place.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// Draws one page from its top to its foot.
struct Pen<'a, 'p> {
    surface: Surface<'p>,
    typesetter: &'a mut Typesetter,
    document: &'a Document,
    layout: &'a Layout,
    /// How far down it is.
    at: f32,
}

impl Pen<'_, '_> {
    /// Title and details.
    fn top(&mut self, tags: &mut TagTree) {
        let layout = self.layout;
        let level = NonZeroU16::MIN;
        let mut heading = TagGroup::new(Tag::Hn(level, Some(self.document.table.title.clone())));
        heading.push(self.content(|pen| {
            for line in layout.title.iter() {
                pen.line(&layout.title.text, line, (MARGIN, TITLE), Weight::Bold, INK);
                pen.at += TITLE * LEADING;
            }
        }));
        tags.push(heading);
        for (name, text) in &layout.details {
            let mut paragraph = TagGroup::new(Tag::P);
            paragraph.push(self.content(|pen| {
                let indent = MARGIN + pen.typesetter.width(name, Weight::Bold) * DETAIL;
                pen.line(name, 0..name.len(), (MARGIN, DETAIL), Weight::Bold, GREY);
                for line in text.iter() {
                    pen.line(&text.text, line, (indent, DETAIL), Weight::Regular, INK);
                    pen.at += DETAIL * LEADING;
                }
            }));
            tags.push(paragraph);
        }
        self.at = MARGIN + layout.top();
    }

    /// The head of the table, as it stands on the first page.
    fn head(&mut self) -> TagGroup {
        self.head_ground();
        let mut row = TagGroup::new(Tag::TR);
        let layout = self.layout;
        for (column, lines) in layout.head.iter().enumerate() {
            let mut cell = TagGroup::new(Tag::TH(TableHeaderScope::Column));
            cell.push(self.content(|pen| pen.cell(column, lines, Weight::Bold)));
            row.push(cell);
        }
        self.at += layout.head_height();
        row
    }

    /// The same on another page, where it is no part of what is read aloud.
    fn repeated_head(&mut self) {
        self.head_ground();
        let layout = self.layout;
        self.artifact(ArtifactType::PaginationOther, |pen| {
            for (column, lines) in layout.head.iter().enumerate() {
                pen.cell(column, lines, Weight::Bold);
            }
        });
        self.at += layout.head_height();
    }

    fn head_ground(&mut self) {
        let height = self.layout.head_height();
        self.artifact(ArtifactType::Layout, |pen| {
            pen.fill(pen.at, height, HEAD);
            pen.fill(pen.at + height - 0.7, 0.7, GREY);
        });
    }

    fn row(&mut self, number: usize) -> TagGroup {
        let layout = self.layout;
        let height = layout.row_height(number);
        self.artifact(ArtifactType::Layout, |pen| {
            if number % 2 == 1 {
                pen.fill(pen.at, height, STRIPE);
            }
            pen.fill(pen.at + height - 0.4, 0.4, RULE);
        });
        let mut row = TagGroup::new(Tag::TR);
        for (column, lines) in layout.row(number).iter().enumerate() {
            let mut cell = TagGroup::new(Tag::TD);
            cell.push(self.content(|pen| pen.cell(column, lines, Weight::Regular)));
            row.push(cell);
        }
        self.at += height;
        row
    }

    /// What says that there are no rows.
    fn no_rows(&mut self) -> TagGroup {
        self.at += PADDING.1;
        let text = super::text::plain(&self.document.empty);
        let size = self.layout.size;
        let mut cell = TagGroup::new(Tag::TD);
        cell.push(self.content(|pen| {
            pen.line(&text, 0..text.len(), (MARGIN + PADDING.0, size), Weight::Regular, GREY);
        }));
        TagGroup::with_children(Tag::TR, vec![cell.into()])
    }

    /// What is at the foot of every page.
    fn footer(&mut self, page: usize) {
        let label = self.document.page_label.replace("{page}", &page.to_string());
        let label = super::text::plain(&label.replace("{pages}", &self.layout.pages.len().to_string()));
        let title = super::text::plain(&self.document.table.title);
        let right = self.layout.paper.0 - MARGIN;
        let width = self.typesetter.width(&label, Weight::Regular) * SMALL;
        self.at = self.layout.paper.1 - MARGIN - SMALL * LEADING;
        self.artifact(ArtifactType::Footer, |pen| {
            pen.line(&title, 0..title.len(), (MARGIN, SMALL), Weight::Regular, GREY);
            pen.line(&label, 0..label.len(), (right - width, SMALL), Weight::Regular, GREY);
        });
    }

    fn cell(&mut self, column: usize, lines: &Lines, weight: Weight) {
        let (layout, top) = (self.layout, self.at);
        let left = MARGIN + layout.widths[..column].iter().sum::<f32>() + PADDING.0;
        let room = layout.widths[column] - 2.0 * PADDING.0;
        let side = if self.document.table.columns[column].numeric { Side::Right } else { Side::Left };
        self.at += PADDING.1;
        for line in lines.iter() {
            let x = match side {
                Side::Left => left,
                Side::Right => left + room - self.typesetter.width(&lines.text[line.clone()], weight) * layout.size,
            };
            self.line(&lines.text, line, (x, layout.size), weight, INK);
            self.at += layout.size * LEADING;
        }
        self.at = top;
    }

    /// A line of a text, below where the pen is.
    fn line(&mut self, text: &str, line: std::ops::Range<usize>, (mut x, size): (f32, f32), weight: Weight, ink: Ink) {
        // The middle of letters in the middle of the line.
        let y = self.at + size * (LEADING + 0.72) / 2.0;
        self.surface.set_fill(Some(filled(ink)));
        for run in self.typesetter.line(text, line, weight) {
            let face = &FACES[run.face];
            let bold = weight == Weight::Bold && face.is_lone;
            let stroke = || Stroke { paint: filled(ink).paint, width: size / 32.0, ..Stroke::default() };
            self.surface.set_stroke(bold.then(stroke));
            self.surface.draw_glyphs(
                Point::from_xy(x, y),
                &run.glyphs,
                face.font.clone(),
                &text[run.text],
                size,
                false,
            );
            x += run.width * size;
        }
    }

    /// A bar over the whole width of the table.
    fn fill(&mut self, top: f32, height: f32, color: Ink) {
        let width = self.layout.widths.iter().sum();
        let mut path = PathBuilder::new();
        if let Some(rect) = Rect::from_xywh(MARGIN, top, width, height) {
            path.push_rect(rect);
        }
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(filled(color)));
        if let Some(path) = path.finish() {
            self.surface.draw_path(&path);
        }
    }

    /// Draws what is part of the document.
    fn content(&mut self, draw: impl FnOnce(&mut Self)) -> Identifier {
        let identifier = self.surface.start_tagged(ContentTag::Span(SpanTag::empty()));
        draw(self);
        self.surface.end_tagged();
        identifier
    }

    /// Draws what only belongs to the page.
    fn artifact(&mut self, kind: ArtifactType, draw: impl FnOnce(&mut Self)) {
        self.surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(kind)));
        draw(self);
        self.surface.end_tagged();
    }
}

fn filled([red, green, blue]: Ink) -> Fill {
    Fill { paint: rgb::Color::new(red, green, blue).into(), ..Fill::default() }
}
