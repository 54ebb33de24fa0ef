//! Numbers as people write them: with a point or a comma before what is less than one, and with the other mark between
//! thousands. One mark before three digits (`75.708`) may be either, which other cells tell.

/// What stands before what is less than one; the other mark is between thousands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fraction {
    /// `1,250.75`
    Point,
    /// `1.250,75`
    Comma,
}

impl Fraction {
    const BOTH: [Self; 2] = [Self::Point, Self::Comma];

    /// What cells say that can be read in one way alone; none where there are none, or where they do not agree.
    pub fn of<'a>(cells: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut told = cells.filter_map(Self::told);
        let first = told.next()?;
        told.all(|other| other == first).then_some(first)
    }

    /// What a cell says in which there is no doubt.
    fn told(cell: &str) -> Option<Self> {
        let has_marks = cell.contains(['.', ',']);
        match Self::BOTH.map(|fraction| fraction.read(cell)) {
            [Some(_), None] if has_marks => Some(Self::Point),
            [None, Some(_)] if has_marks => Some(Self::Comma),
            _ => None,
        }
    }

    /// A number that is written so: digits with groups of three, or without.
    fn read(self, cell: &str) -> Option<f64> {
        let (mark, between) = match self {
            Self::Point => ('.', ','),
            Self::Comma => (',', '.'),
        };
        let sign = if cell.starts_with('-') { "-" } else { "" };
        let digits = cell.strip_prefix(['-', '+']).unwrap_or(cell);
        let (whole, rest) = digits.split_once(mark).unwrap_or((digits, ""));
        let is_number = |text: &str| text.bytes().all(|c| c.is_ascii_digit());
        let mut groups = whole.split(between);
        let first = groups.next().unwrap_or_default();
        let mut groups = groups.peekable();
        let may_be_grouped = groups.peek().is_none() || (1..=3).contains(&first.len()) && !first.starts_with('0');
        let is_whole = is_number(first) && groups.all(|group| group.len() == 3 && is_number(group));
        let is_written_so = is_whole && may_be_grouped && is_number(rest) && !(whole.is_empty() && rest.is_empty());
        is_written_so.then(|| format!("{sign}{}.{rest}0", whole.replace(between, "")).parse().ok()).flatten()
    }
}

/// The number that a cell says where numbers are written so, as far as that is known; or the code of why it says none.
pub fn read(cell: &str, known: Option<Fraction>) -> Result<f64, &'static str> {
    match Fraction::BOTH.map(|fraction| fraction.read(cell)) {
        [Some(point), Some(comma)] if point == comma => Ok(point),
        [Some(point), Some(comma)] => match known {
            Some(Fraction::Point) => Ok(point),
            Some(Fraction::Comma) => Ok(comma),
            None => Err("ambiguous_number"),
        },
        [point, comma] => point.or(comma).ok_or("not_a_number"),
    }
}
