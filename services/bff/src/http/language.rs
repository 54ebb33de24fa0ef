//! Texts of errors in the languages of the console, by code.

use std::{collections::HashMap, convert::Infallible, sync::LazyLock};

use armada_runtime::Error;
use armada_tables::pdf;
use axum::extract::FromRequestParts;
use http::{HeaderValue, header::ACCEPT_LANGUAGE, request::Parts};
use serde::Deserialize;

/// A language that errors are told in. Indonesian is the first choice of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// `id`.
    #[default]
    Indonesian,
    /// `en`.
    English,
    /// `zh`.
    Chinese,
    /// `jv`.
    Javanese,
}

/// All texts of a language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    /// By the code of an error, or `<subject>.required` when a required field of a subject is missing.
    pub messages: HashMap<String, String>,
    /// By the code of a wrong field, or `<field>.<code>`.
    pub fields: HashMap<String, String>,
    /// In exported files: `<resource>.title`, `<resource>.<column>` or the column alone for headings, and
    /// `<column>.<value>` for values of enums.
    pub words: HashMap<String, String>,
}

/// Every language there is.
pub const LANGUAGES: [Language; 4] = [Language::Indonesian, Language::English, Language::Chinese, Language::Javanese];

static TEXTS: LazyLock<[Texts; 4]> = LazyLock::new(|| {
    let files = [
        include_str!("../../locales/id.json"),
        include_str!("../../locales/en.json"),
        include_str!("../../locales/zh.json"),
        include_str!("../../locales/jv.json"),
    ];
    files.map(|file| serde_json::from_str(file).expect("the embedded texts are well-formed"))
});

impl Language {
    /// Of a language range of `Accept-Language`, whatever its region.
    fn of_range(range: &str) -> Option<Self> {
        let primary = range.split('-').next().unwrap_or_default();
        LANGUAGES.into_iter().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }

    /// As in `Content-Language`.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Indonesian => "id",
            Self::English => "en",
            Self::Chinese => "zh",
            Self::Javanese => "jv",
        }
    }

    /// The one that a client likes best of those there are.
    pub fn wanted(header: Option<&HeaderValue>) -> Self {
        let header = header.and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut best = (0.0, Self::default());
        for range in header.split(',') {
            let (range, weight) = match range.split_once(';') {
                Some((range, q)) => (range, q.trim().strip_prefix("q=").and_then(|q| q.parse().ok()).unwrap_or(0.0)),
                None => (range, 1.0_f32),
            };
            if let Some(language) = Self::of_range(range.trim())
                && weight > best.0
            {
                best = (weight, language);
            }
        }
        best.1
    }

    /// What stands between thousands, and before a fraction.
    pub const fn separators(self) -> (char, char) {
        match self {
            Self::Indonesian | Self::Javanese => ('.', ','),
            Self::English | Self::Chinese => (',', '.'),
        }
    }

    /// What it says.
    pub fn texts(self) -> &'static Texts {
        &TEXTS[self as usize]
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Language {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::wanted(parts.headers.get(ACCEPT_LANGUAGE)))
    }
}

/// The text of an error about `subject`. A code without one is told as its class.
pub fn message(language: Language, subject: &str, error: &Error) -> String {
    let texts = &language.texts().messages;
    // An error with a name of its own says more than that something is missing.
    let required = error.code == error.class.as_str() && error.fields.values().any(|code| code == "required");
    let special = required.then(|| texts.get(&format!("{subject}.required"))).flatten();
    let found = special.or_else(|| texts.get(&error.code)).or_else(|| texts.get(error.class.as_str()));
    let text = found.cloned().unwrap_or_default();
    // Items of jobs that an earlier version has stored name none.
    text.replace(
        "{limit}",
        &error.limit.map_or_else(|| "…".to_owned(), |limit| pdf::grouped(limit.get().into(), language.separators())),
    )
}

/// The text of an error code that stands alone.
pub fn plain_message(language: Language, code: &str) -> String {
    language.texts().messages.get(code).cloned().unwrap_or_default()
}

/// A word in an exported file: as it is said of this subject, or else of any.
pub fn word(language: Language, subject: &str, name: &str) -> String {
    known_word(language, subject, name).unwrap_or(name).to_owned()
}

/// The word for a choice in an exported file: as it is said of this subject, or else of any column of this name.
pub fn choice(language: Language, subject: &str, column: &str, name: &str) -> String {
    known_choice(language, subject, column, name).unwrap_or(name).to_owned()
}

/// The same, if there is one.
pub fn known_choice(language: Language, subject: &str, column: &str, name: &str) -> Option<&'static str> {
    let special = language.texts().words.get(&format!("{subject}.{column}.{name}")).map(String::as_str);
    special.or_else(|| known_word(language, column, name))
}

/// The word for a code in a column, if there is one; what people write there is none, whatever else it may be the word for.
pub fn known_code(language: Language, subject: &str, column: &str, code: &str) -> Option<&'static str> {
    let texts = &language.texts().words;
    let special = texts.get(&format!("{subject}.{column}.{code}"));
    special.or_else(|| texts.get(&format!("{column}.{code}"))).map(String::as_str)
}

/// A word as [`word`] has it, if there is one.
pub fn known_word(language: Language, subject: &str, name: &str) -> Option<&'static str> {
    let texts = &language.texts().words;
    let special = texts.get(&format!("{subject}.{name}"));
    special.or_else(|| texts.get(name)).map(String::as_str)
}

/// What is wrong with a field: as it is said of this one, or else of any.
pub fn field(language: Language, name: &str, code: &str) -> String {
    let texts = &language.texts().fields;
    let special = texts.get(&format!("{name}.{code}"));
    special.or_else(|| texts.get(code)).or_else(|| texts.get("invalid")).cloned().unwrap_or_default()
}
