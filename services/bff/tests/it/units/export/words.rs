//! The words of exported files, in every language.

use armada_bff::rules::{export::NO_FILTERS, http::Kind, language, resources::EXPORTS};
use armada_tables::pdf;

/// A key without a word would stand for itself.
#[test]
fn every_heading_and_every_choice_has_a_word_in_every_language() {
    for language in language::LANGUAGES {
        let known = |subject: &str, name: &str| language::known_word(language, subject, name).is_some();
        for (subject, _, columns) in EXPORTS {
            assert!(known(subject, "title"), "{language:?} {subject}");
            for (column, choices) in *columns {
                assert!(known(subject, column), "{language:?} {subject}.{column}");
                for choice in *choices {
                    let word = language::known_choice(language, subject, column, choice);
                    assert!(word.is_some(), "{language:?} {subject}.{column}.{choice}");
                }
            }
        }
    }
}

#[test]
fn every_filter_has_words_in_every_language() {
    for language in language::LANGUAGES {
        let known = |subject: &str, name: &str| language::known_word(language, subject, name).is_some();
        for (subject, params, _) in EXPORTS {
            for param in params.iter().filter(|param| !NO_FILTERS.contains(&param.name)) {
                let name = param.name;
                assert!(known("filter", name) || known(subject, name), "{language:?} {subject}.{name}");
                let (Kind::Choice(values) | Kind::Choices(values)) = param.kind else { continue };
                for value in values.iter().filter(|value| **value != "unspecified") {
                    let word = language::known_choice(language, subject, name, value);
                    assert!(word.is_some(), "{language:?} {subject}.{name}.{value}");
                }
            }
        }
    }
}

#[test]
fn error_states_the_actual_limit() {
    for language in language::LANGUAGES {
        let (thousands, _) = language.separators();
        let message = language::field(language, "format", "too_many_rows");
        let limit = format!("{}{thousands}{:03}", pdf::ROWS_MAX / 1000, pdf::ROWS_MAX % 1000);
        assert!(message.contains(&limit), "{language:?}: {message}");
        let label = language::word(language, "devices", "page_of");
        assert!(label.contains("{page}") && label.contains("{pages}"), "{language:?}: {label}");
    }
}
