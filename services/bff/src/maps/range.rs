//! Parts of a file (RFC 9110, section 14): one of them at a time, which is what readers of PMTiles ask for.

/// What is wanted of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// All of it.
    Whole,
    /// The bytes from the first to the last one.
    Part {
        /// The place of the first.
        first: u64,
        /// The place of the last.
        last: u64,
    },
    /// A part that it does not have.
    Nothing,
}

/// What a `Range` says of a file of this size. What is no single range of bytes is passed over, as the standard allows.
pub fn wanted(range: Option<&str>, size: u64) -> Wanted {
    let spec = range.and_then(|range| range.trim().strip_prefix("bytes="));
    let Some((first, last)) = spec.and_then(|spec| spec.split_once('-')) else { return Wanted::Whole };
    let part = |first: u64, last: u64| if first < size { Wanted::Part { first, last } } else { Wanted::Nothing };
    match (place(first), place(last)) {
        (Ok(Some(first)), Ok(Some(last))) if first <= last => part(first, last.min(size.saturating_sub(1))),
        (Ok(Some(first)), Ok(None)) => part(first, size.saturating_sub(1)),
        (Ok(None), Ok(Some(0))) => Wanted::Nothing,
        (Ok(None), Ok(Some(length))) => part(size.saturating_sub(length), size.saturating_sub(1)),
        _ => Wanted::Whole,
    }
}

/// A number of digits alone; none where there is nothing.
fn place(text: &str) -> Result<Option<u64>, ()> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(());
    }
    // More than can be counted is beyond the end of every file.
    Ok(Some(text.parse().unwrap_or(u64::MAX)))
}
