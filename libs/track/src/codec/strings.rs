//! A table of the distinct texts of a frame or block.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::{
    position::report::Text,
    wire::{
        bytes::{Reader, put_varint},
        error::CodecError,
    },
};

/// Collects texts; each distinct one is stored once.
#[derive(Default)]
pub(crate) struct StringTable<'a> {
    index: HashMap<&'a str, usize, RandomState>,
    texts: Vec<&'a str>,
}

impl<'a> StringTable<'a> {
    /// The number of the text in the table.
    pub(crate) fn add(&mut self, text: &'a str) -> i64 {
        let texts = &mut self.texts;
        let index = *self.index.entry(text).or_insert_with(|| {
            texts.push(text);
            texts.len() - 1
        });
        index as i64
    }

    /// Appends the count, the lengths and the texts.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        put_varint(out, self.texts.len() as u64);
        for text in &self.texts {
            put_varint(out, text.len() as u64);
        }
        for text in &self.texts {
            out.extend_from_slice(text.as_bytes());
        }
    }
}

/// Reads what [`StringTable::write`] wrote.
pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Vec<Text>, CodecError> {
    let count = reader.count(reader.rest().len())?;
    let lengths = (0..count).map(|_| reader.count(reader.rest().len())).collect::<Result<Vec<_>, _>>()?;
    lengths
        .into_iter()
        .map(|length| {
            let text =
                std::str::from_utf8(reader.take(length)?).map_err(|_| CodecError::Corrupt("a text is not UTF-8"))?;
            Ok(Text::from(text))
        })
        .collect()
}

/// The texts of these numbers.
pub(crate) fn pick(table: &[Text], numbers: &[i64]) -> Result<Vec<Text>, CodecError> {
    let text = |&number: &i64| usize::try_from(number).ok().and_then(|number| table.get(number)).cloned();
    numbers.iter().map(|number| text(number).ok_or(CodecError::Corrupt("a text that is not in the table"))).collect()
}
