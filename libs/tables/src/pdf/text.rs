//! Texts as glyphs: fallback from font to font, both directions of writing, and lines.

use std::ops::Range;

use harfrust::{Direction, Script, ShapeOptions, ShapePlan, Shaper, UnicodeBuffer, script};
use krilla::text::{GlyphId, KrillaGlyph};
use unicode_bidi::{BidiInfo, Level};

use super::fonts::{FACES, Weight, wanted};

/// Stands where no font has a character.
const BOX: char = '□';

/// Glyphs of one face that follow each other.
pub(super) struct Run {
    /// Its place in [`FACES`].
    pub(super) face: usize,
    /// What it says; the glyphs' ranges are within it.
    pub(super) text: Range<usize>,
    pub(super) glyphs: Vec<KrillaGlyph>,
    /// In units of the font's size.
    pub(super) width: f32,
}

/// Makes glyphs of text. One serves a whole document.
pub(super) struct Typesetter {
    shapers: Vec<Shaper<'static>>,
    /// Making one takes longer than using it.
    plans: Vec<(usize, Direction, Option<Script>, ShapePlan)>,
    buffer: Option<UnicodeBuffer>,
}

impl Typesetter {
    pub(super) fn new() -> Self {
        let shapers = FACES.iter().map(|face| face.shaping.shaper(&face.reference).build());
        Self { shapers: shapers.collect(), plans: Vec::new(), buffer: None }
    }

    /// How wide a line is, in units of the font's size.
    pub(super) fn width(&mut self, line: &str, weight: Weight) -> f32 {
        self.line(line, 0..line.len(), weight).iter().map(|run| run.width).sum()
    }

    /// A line of a text, from the left to the right. What it says is looked up in the whole text, which may begin in
    /// another direction.
    pub(super) fn line(&mut self, text: &str, line: Range<usize>, weight: Weight) -> Vec<Run> {
        let mut runs = Vec::new();
        for (part, level) in levels(text, line) {
            let first = runs.len();
            for (range, face) in faces(text, part, weight) {
                runs.push(match face {
                    Some(face) => self.shape(text, range, face, level),
                    None => missing_glyphs(text, range, weight),
                });
            }
            if level.is_rtl() {
                runs[first..].reverse();
            }
        }
        runs
    }

    fn shape(&mut self, text: &str, range: Range<usize>, face: usize, level: Level) -> Run {
        let mut buffer = self.buffer.take().unwrap_or_default();
        buffer.push_str(&text[range.clone()]);
        let direction = if level.is_rtl() { Direction::RightToLeft } else { Direction::LeftToRight };
        buffer.guess_segment_properties();
        buffer.set_direction(direction);
        let script = Some(buffer.script()).filter(|script| *script != script::UNKNOWN);
        let known = self.plans.iter().position(|plan| (plan.0, plan.1, plan.2) == (face, direction, script));
        let plan = known.unwrap_or_else(|| {
            let plan = ShapePlan::new(&self.shapers[face], direction, script, buffer.language().as_ref(), &[]);
            self.plans.push((face, direction, script, plan));
            self.plans.len() - 1
        });
        let shaped = self.shapers[face].shape(buffer, ShapeOptions::new().plan(Some(&self.plans[plan].3)));

        let units = FACES[face].font.units_per_em();
        let mut starts: Vec<_> = shaped.glyph_infos().iter().map(|info| info.cluster as usize).collect();
        starts.sort_unstable();
        let end = |start: usize| {
            let next = starts.partition_point(|other| *other <= start);
            starts.get(next).copied().unwrap_or(range.len())
        };
        let placed = shaped.glyph_infos().iter().zip(shaped.glyph_positions());
        let glyphs: Vec<_> = placed
            .map(|(info, place)| {
                let start = info.cluster as usize;
                KrillaGlyph {
                    glyph_id: GlyphId::new(info.glyph_id),
                    text_range: start..end(start),
                    x_advance: place.x_advance as f32 / units,
                    x_offset: place.x_offset as f32 / units,
                    y_offset: place.y_offset as f32 / units,
                    y_advance: place.y_advance as f32 / units,
                    location: None,
                }
            })
            .collect();
        self.buffer = Some(shaped.clear());
        Run { face, text: range, width: glyphs.iter().map(|glyph| glyph.x_advance).sum(), glyphs }
    }

    /// The lines of a text in a column of this width, in units of the font's size.
    pub(super) fn lines(&mut self, text: &str, weight: Weight, width: f32) -> Vec<Range<usize>> {
        let mut lines = Vec::new();
        let (mut start, mut end, mut filled) = (0, 0, 0.0);
        for (next, opportunity) in unicode_linebreak::linebreaks(text) {
            let word = self.width(text[end..next].trim_end(), weight);
            if filled + word > width && start < end {
                lines.push(start..end);
                (start, filled) = (end, 0.0);
            }
            if word > width {
                // A word that fits in no line is broken where the line is full.
                for at in self.break_points(text, end..next, weight, width) {
                    lines.push(start..at);
                    start = at;
                }
                filled = self.width(&text[start..next], weight);
            } else {
                filled += self.width(&text[end..next], weight);
            }
            end = next;
            if opportunity == unicode_linebreak::BreakOpportunity::Mandatory {
                lines.push(start..end);
                (start, filled) = (end, 0.0);
            }
        }
        for line in &mut lines {
            line.end = line.start + text[line.clone()].trim_end().len();
        }
        lines
    }

    /// Where to break a word, so that each part fits.
    fn break_points(&mut self, text: &str, word: Range<usize>, weight: Weight, width: f32) -> Vec<usize> {
        let mut advances: Vec<_> = (self.line(text, word, weight).iter())
            .flat_map(|run| {
                let start = run.text.start;
                run.glyphs.iter().map(move |glyph| (start + glyph.text_range.start, glyph.x_advance))
            })
            .collect();
        advances.sort_by_key(|(at, _)| *at);
        let (mut break_points, mut filled, mut first) = (Vec::new(), 0.0, true);
        for clusters in advances.chunk_by(|a, b| a.0 == b.0) {
            let advance: f32 = clusters.iter().map(|(_, advance)| advance).sum();
            if filled + advance > width && !first {
                break_points.push(clusters[0].0);
                filled = 0.0;
            }
            first = false;
            filled += advance;
        }
        break_points
    }
}

/// The parts of a line that are written in one direction, from the left to the right.
fn levels(text: &str, line: Range<usize>) -> Vec<(Range<usize>, Level)> {
    if !text.chars().any(may_be_rtl) {
        return vec![(line, Level::ltr())];
    }
    let info = BidiInfo::new(text, None);
    let Some(paragraph) = info.paragraphs.iter().find(|paragraph| paragraph.range.contains(&line.start)) else {
        return vec![(line, Level::ltr())];
    };
    let (levels, runs) = info.visual_runs(paragraph, line);
    runs.into_iter().map(|run| (run.clone(), levels[run.start])).collect()
}

/// Hebrew, Arabic and their like begin here; marks of direction are among the punctuation.
fn may_be_rtl(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Whether a character changes the one before it, or nothing that is seen: it stays with that one.
fn is_attached(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{64b}'..='\u{65f}' | '\u{670}')
        || matches!(c, '\u{20d0}'..='\u{20ff}' | '\u{1f3fb}'..='\u{1f3ff}')
        || is_unseen(c)
}

/// Whether a character is nothing by itself: fonts hide it.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
}

/// Cuts a part of a text where the face changes; none where no face has the characters.
fn faces(text: &str, part: Range<usize>, weight: Weight) -> Vec<(Range<usize>, Option<usize>)> {
    let mut runs: Vec<(Range<usize>, Option<usize>)> = Vec::new();
    for (at, c) in text[part.clone()].char_indices() {
        let (start, end) = (part.start + at, part.start + at + c.len_utf8());
        let find = || wanted(weight).into_iter().find(|face| FACES[*face].glyph(c).is_some());
        // What no face has shows as a box, unless it is nothing to see, or belongs to a box.
        let stays = |face: Option<usize>| {
            is_attached(c) && face.is_none_or(|face| is_unseen(c) || FACES[face].glyph(c).is_some())
        };
        match runs.last_mut() {
            Some((range, face)) if stays(*face) || *face == find() => range.end = end,
            _ => runs.push((start..end, find())),
        }
    }
    runs
}

/// The characters of a text that show as boxes.
pub(super) fn missing(text: &str) -> impl Iterator<Item = char> {
    let is_known = |c: char| wanted(Weight::Regular).into_iter().any(|face| FACES[face].glyph(c).is_some());
    text.chars().filter(move |c| !c.is_ascii() && !is_unseen(*c) && !c.is_whitespace() && !is_known(*c))
}

/// A box for each character that no face has. The file still knows what it stands for.
fn missing_glyphs(text: &str, range: Range<usize>, weight: Weight) -> Run {
    let face = wanted(weight).into_iter().find(|face| FACES[*face].glyph(BOX).is_some()).unwrap_or_default();
    let glyph = FACES[face].glyph(BOX).unwrap_or_default();
    let advance = skrifa::MetadataProvider::glyph_metrics(
        &FACES[face].reference,
        skrifa::instance::Size::unscaled(),
        skrifa::instance::LocationRef::default(),
    )
    .advance_width(glyph)
    .unwrap_or_default()
        / FACES[face].font.units_per_em();
    let mut glyphs: Vec<KrillaGlyph> = Vec::new();
    for (at, c) in text[range.clone()].char_indices() {
        let end = at + c.len_utf8();
        match glyphs.last_mut() {
            Some(last) if is_attached(c) => last.text_range.end = end,
            _ => glyphs.push(KrillaGlyph {
                glyph_id: GlyphId::new(glyph.to_u32()),
                text_range: at..end,
                x_advance: advance,
                x_offset: 0.0,
                y_offset: 0.0,
                y_advance: 0.0,
                location: None,
            }),
        }
    }
    Run { face, text: range, width: advance * glyphs.len() as f32, glyphs }
}

/// A text as it can be shown: line ends are `\n`, and what is no character at all becomes one that shows as a box.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '\n' if before == '\r' => {}
            '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{b}' | '\u{c}' => plain.push('\n'),
            '\t' => plain.push(' '),
            c if c.is_control() || c == '\u{feff}' || u32::from(c) & 0xfffe == 0xfffe => plain.push('\u{fffd}'),
            c => plain.push(c),
        }
        before = c;
    }
    plain.truncate(plain.trim_end().len());
    plain
}
