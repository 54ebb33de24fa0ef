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

/// A kind of events or an act is called in files as on the screen; the console knows that it has words for all.
#[test]
fn codes_are_called_as_in_the_console() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web-console/src/locales");
    for language in language::LANGUAGES {
        let texts = |name: &str| -> serde_json::Value {
            let text = std::fs::read_to_string(folder.join(language.tag()).join(name)).expect("a file of texts");
            serde_json::from_str(&text).expect("JSON")
        };
        let (events, common, audit) = (texts("events.json"), texts("common.json"), texts("audit.json"));
        let alarms = serde_json::json!({ "alarm": common["alarm"] });
        for (column, between, modules) in
            [("kind", ".", &events["kind"]), ("kind", ".", &alarms), ("act", ":", &audit["act"])]
        {
            let modules = modules.as_object().expect("modules");
            let codes = modules.iter().flat_map(|(module, texts)| {
                let texts = texts.as_object().expect("texts");
                texts.iter().map(move |(name, text)| (format!("{module}{between}{name}"), text.as_str()))
            });
            for (code, text) in codes {
                assert_eq!(language::known_choice(language, "", column, &code), text, "{language:?} {column} {code}");
            }
        }
        for (code, text) in audit["kind"].as_object().expect("kinds") {
            let word = language::known_choice(language, "audit", "object_kind", code);
            assert_eq!(word, text.as_str(), "{language:?} {code}");
        }
    }
}

#[test]
fn what_people_search_for_is_no_code() {
    for language in language::LANGUAGES {
        assert_eq!(language::known_code(language, "device", "q", "name"), None, "{language:?}");
        assert!(language::known_code(language, "event", "kind", "alarm.sos").is_some(), "{language:?}");
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
