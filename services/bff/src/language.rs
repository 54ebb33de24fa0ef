//! Texts of errors in the languages of the console, by code.

use std::{collections::HashMap, sync::LazyLock};

use armada_runtime::Error;
use http::HeaderValue;
use serde::Deserialize;

/// A language that errors are told in. Indonesian is the first choice of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Language {
    #[default]
    Indonesian,
    English,
    Chinese,
    Javanese,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Texts {
    /// By the code of an error, or `<subject>.required` when a required field of a subject is missing.
    messages: HashMap<String, String>,
    /// By the code of a wrong field, or `<field>.<code>`.
    fields: HashMap<String, String>,
}

const LANGUAGES: [Language; 4] = [Language::Indonesian, Language::English, Language::Chinese, Language::Javanese];

static TEXTS: LazyLock<[Texts; 4]> = LazyLock::new(|| {
    let files = [
        include_str!("../locales/id.json"),
        include_str!("../locales/en.json"),
        include_str!("../locales/zh.json"),
        include_str!("../locales/jv.json"),
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
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Self::Indonesian => "id",
            Self::English => "en",
            Self::Chinese => "zh",
            Self::Javanese => "jv",
        }
    }

    /// The one that a client likes best of those there are.
    pub(crate) fn wanted(header: Option<&HeaderValue>) -> Self {
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

    fn texts(self) -> &'static Texts {
        &TEXTS[self as usize]
    }
}

/// The text of an error about `subject`. A code without one is told as its class.
pub(crate) fn message(language: Language, subject: &str, error: &Error) -> String {
    let texts = &language.texts().messages;
    let required = error.fields.values().any(|code| code == "required");
    let special = required.then(|| texts.get(&format!("{subject}.required"))).flatten();
    let found = special.or_else(|| texts.get(&error.code)).or_else(|| texts.get(error.class.as_str()));
    found.cloned().unwrap_or_default()
}

/// The text of an error code that stands alone.
pub(crate) fn plain_message(language: Language, code: &str) -> String {
    language.texts().messages.get(code).cloned().unwrap_or_default()
}

/// What is wrong with a field: as it is said of this one, or else of any.
pub(crate) fn field(language: Language, name: &str, code: &str) -> String {
    let texts = &language.texts().fields;
    let special = texts.get(&format!("{name}.{code}"));
    special.or_else(|| texts.get(code)).or_else(|| texts.get("invalid")).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(texts: &HashMap<String, String>) -> Vec<&String> {
        let mut keys: Vec<_> = texts.keys().collect();
        keys.sort();
        keys
    }

    #[test]
    fn every_language_says_everything() {
        let first = Language::default().texts();
        for language in LANGUAGES {
            let texts = language.texts();
            assert_eq!(keys(&texts.messages), keys(&first.messages), "{language:?}");
            assert_eq!(keys(&texts.fields), keys(&first.fields), "{language:?}");
            for (code, text) in texts.messages.iter().chain(&texts.fields) {
                assert!(!text.trim().is_empty(), "{language:?} {code}");
            }
        }
    }

    #[test]
    fn every_class_has_a_text() {
        use armada_runtime::Code::*;
        let classes = [
            Invalid,
            Unauthenticated,
            Forbidden,
            NotFound,
            Conflict,
            VersionMismatch,
            TooManyRequests,
            Unavailable,
            Internal,
        ];
        for class in classes {
            let error = Error::new(class, "never_heard_of", "");
            assert!(!message(Language::English, "", &error).is_empty(), "{class:?}");
        }
    }

    #[test]
    fn the_best_language_is_taken() {
        for (header, wanted) in [
            ("", "id"),
            ("fr", "id"),
            ("en", "en"),
            ("en-GB,en;q=0.9", "en"),
            ("fr, zh-Hans-CN;q=0.8, en;q=0.4", "zh"),
            ("en;q=0.3,jv;q=0.7", "jv"),
            ("en;q=0", "id"),
            ("EN-us", "en"),
            ("*", "id"),
            (";;,,q=,en;q=x", "id"),
        ] {
            let header = HeaderValue::from_str(header).expect("a header");
            assert_eq!(Language::wanted(Some(&header)).tag(), wanted, "{header:?}");
        }
        assert_eq!(Language::wanted(None).tag(), "id");
    }
}
