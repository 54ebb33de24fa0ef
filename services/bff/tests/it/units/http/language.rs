//! Texts in every language, for all that is said.

use std::collections::HashMap;

use armada_bff::rules::language::{LANGUAGES, Language, message, plain_message};
use armada_runtime::Error;
use armada_tables::pdf;
use http::HeaderValue;

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
        assert_eq!(keys(&texts.words), keys(&first.words), "{language:?}");
        for (code, text) in texts.messages.iter().chain(&texts.fields).chain(&texts.words) {
            assert!(!text.trim().is_empty(), "{language:?} {code}");
        }
    }
}

/// The text literals of a piece of source.
fn literals(code: &str) -> impl Iterator<Item = &str> {
    code.split('"').skip(1).step_by(2)
}

/// The source of all that answers, without its tests.
fn sources() -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders: Vec<_> =
        ["services", "libs/runtime", "libs/track", "proto/src"].map(|folder| root.join(folder)).into();
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of the repository") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("tests") && !path.ends_with("migrations") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let code = std::fs::read_to_string(path).expect("a source file");
                sources.push(code.split("#[cfg(test)]").next().unwrap_or_default().to_owned());
            }
        }
    }
    sources
}

/// What is between the brackets of each call of `name`, up to the end of its statement.
fn calls<'a>(code: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    code.split(name).skip(1).map(|rest| rest.split(';').next().unwrap_or_default())
}

#[test]
fn every_code_in_the_source_has_a_text() {
    let texts = Language::default().texts();
    let (mut messages, mut fields) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
    let is_code = |text: &&str| !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let sources = sources();
    for code in &sources {
        // The first text is the code of the error, the second one is for logs.
        let coded = ["Error::new(Code::", "Error::limit_reached(", "Failure::new(StatusCode::"];
        for call in coded.into_iter().flat_map(|name| calls(code, name)) {
            messages.extend(literals(call).take(1).filter(is_code));
        }
        // The code is the last argument, if it stands there.
        for name in ["violations.add(", "fields.add(", "self.add(", "Error::field(", ".with_field("] {
            for call in calls(code, name) {
                let arguments = call.split(')').next().unwrap_or_default();
                let code = arguments.rsplit(',').next().unwrap_or_default();
                fields.extend(literals(code).last().filter(is_code));
            }
        }
    }
    // An instance of ingest says this to itself when another one has taken over.
    messages.remove("lost");
    assert!(messages.len() > 8 && fields.len() > 12, "{messages:?} {fields:?}");
    let missing: Vec<_> = messages.iter().filter(|code| !texts.messages.contains_key(**code)).collect();
    assert!(missing.is_empty(), "messages of {missing:?}");
    let missing: Vec<_> = fields.iter().filter(|code| !texts.fields.contains_key(**code)).collect();
    assert!(missing.is_empty(), "fields of {missing:?}");
}

#[test]
fn uses_the_messages_of_the_specification() {
    for (language, code, wanted) in [
        (Language::Indonesian, "login_failed", "Gagal melakukan login, coba lagi."),
        (Language::English, "login_failed", "Unable to login"),
        (Language::Indonesian, "login_fields_required", "Email dan kata sandi wajib diisi."),
        (Language::English, "device_imei_and_name_required", "IMEI and device name are required."),
        (Language::English, "tenants.required", "Tenant name is required."),
    ] {
        assert_eq!(plain_message(language, code), wanted);
    }
}

#[test]
fn a_limit_is_named() {
    let error = Error::limit_reached("device_limit_reached", 12_500, "");
    let wanted = ["12.500", "12,500", "12,500", "12.500"];
    for (language, wanted) in LANGUAGES.into_iter().zip(wanted) {
        let message = message(language, "devices", &error);
        assert!(message.contains(wanted) && !message.contains('{'), "{message}");
    }
    let printed = [1, 999, 1_000, 1_234_567].map(|number| pdf::grouped(number.into(), Language::English.separators()));
    assert_eq!(printed, ["1", "999", "1,000", "1,234,567"]);
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
