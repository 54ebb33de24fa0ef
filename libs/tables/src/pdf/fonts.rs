//! The fonts that every PDF carries parts of. How they were made: `fonts/make.py`.

use std::sync::LazyLock;

use harfrust::ShaperData;
use skrifa::{FontRef, GlyphId, MetadataProvider};

/// How heavy a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// A font of the program.
pub(super) struct LoadedFont {
    /// For the PDF.
    pub(super) font: krilla::text::Font,
    /// For shaping.
    pub(super) reference: FontRef<'static>,
    pub(super) shaping: ShaperData,
    /// There is no bold one of it.
    pub(super) is_lone: bool,
}

impl LoadedFont {
    fn of(file: &'static [u8], is_lone: bool) -> Self {
        let reference = FontRef::new(file).expect("the font is part of the program");
        let font = krilla::text::Font::new(file.into(), 0).expect("the font is part of the program");
        Self { font, shaping: ShaperData::new(&reference), reference, is_lone }
    }

    /// The glyph of a character.
    pub(super) fn glyph(&self, c: char) -> Option<GlyphId> {
        self.reference.charmap().map(c)
    }
}

/// All faces there are; [`wanted`] says where to look for a character.
pub(super) static FACES: LazyLock<[LoadedFont; 9]> = LazyLock::new(|| {
    [
        LoadedFont::of(include_bytes!("../../fonts/NotoSans-Regular.ttf"), false),
        LoadedFont::of(include_bytes!("../../fonts/NotoSans-Bold.ttf"), false),
        LoadedFont::of(include_bytes!("../../fonts/NotoSansArabic-Regular.ttf"), false),
        LoadedFont::of(include_bytes!("../../fonts/NotoSansArabic-Bold.ttf"), false),
        LoadedFont::of(include_bytes!("../../fonts/NotoSansSC-Regular.otf"), true),
        LoadedFont::of(include_bytes!("../../fonts/NotoSansThai-Regular.ttf"), true),
        LoadedFont::of(include_bytes!("../../fonts/NotoSansJavanese-Regular.ttf"), true),
        LoadedFont::of(include_bytes!("../../fonts/NotoSansSymbols-Regular.ttf"), true),
        LoadedFont::of(include_bytes!("../../fonts/NotoSansSymbols2-Regular.ttf"), true),
    ]
});

/// The faces in which a character is looked for, by their places in [`FACES`], the best one first.
pub(super) const fn wanted(weight: Weight) -> [usize; 7] {
    match weight {
        Weight::Regular => [0, 4, 2, 5, 6, 7, 8],
        Weight::Bold => [1, 4, 3, 5, 6, 7, 8],
    }
}
