//! What columns are known by.

use armada_bff::rules::{
    import::{Kind, Meaning, guessed},
    language::{self, LANGUAGES},
    resources::IMPORTS,
};

#[test]
fn every_heading_and_choice_has_a_word_in_every_language() {
    for (_, subject, fields) in IMPORTS {
        for language in LANGUAGES {
            for field in *fields {
                let known = |name: &str| {
                    assert!(language::known_word(language, subject, name).is_some(), "{language:?} {name}")
                };
                known(field.column());
                if let Kind::Choice(names) = field.kind {
                    names.iter().for_each(|name| known(&format!("{}.{name}", field.name)));
                }
            }
        }
    }
}

#[test]
fn headings_are_known_in_every_language() {
    let (_, subject, fields) = IMPORTS.iter().find(|(resource, ..)| *resource == "driver").expect("drivers");
    for (heading, wanted) in
        [("Nama *", "name"), ("PHONE", "phone"), ("driver", ""), ("驾驶证号", "license_number"), ("id", "id")]
    {
        let guessed = guessed(subject, fields, &[heading.to_owned()]);
        assert_eq!(guessed[0].map_or("", Meaning::name), wanted, "{heading}");
    }
    let twice = guessed(subject, fields, &["name".to_owned(), "Name".to_owned()]);
    assert!(twice[0].is_some() && twice[1].is_none());
}
