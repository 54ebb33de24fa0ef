//! What emails say.

use armada_identity::rules::{Due, Email, Kind, TEXTS, harmless};
use lettre::message::Mailbox;

const KINDS: [Kind; 9] = [
    Kind::Invitation,
    Kind::PasswordReset,
    Kind::EmailVerification,
    Kind::AccountExists,
    Kind::PasswordChanged,
    Kind::TotpRemoved,
    Kind::MaintenanceDueSoon,
    Kind::MaintenanceDue,
    Kind::MaintenanceOverdue,
];

fn email(language: &str, kind: Kind, name: &str) -> Email {
    Email {
        to: "budi@example.org".to_owned(),
        name: name.to_owned(),
        language: language.to_owned(),
        kind,
        link: "https://fleet.example/auth/reset#token".to_owned(),
        tenant: "Acme {count} & Söhne".to_owned(),
        count: 7,
        due: Due::default(),
    }
}

fn from() -> Mailbox {
    "Armada <armada@fleet.example>".parse().unwrap()
}

/// The places that a text leaves for values.
fn places(text: &str) -> Vec<&str> {
    let mut places: Vec<_> =
        text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name).collect();
    places.sort_unstable();
    places
}

#[test]
fn every_language_says_the_same() {
    for (language, texts) in TEXTS.iter() {
        assert_eq!(places(&texts.greeting), ["name"], "{language}");
        assert!(places(&texts.greeting_nameless).is_empty() && !texts.some_company.is_empty(), "{language}");
        for kind in KINDS {
            let (text, source) = (&texts.emails[&kind], &TEXTS["id"].emails[&kind]);
            assert_eq!(text.body.len(), source.body.len(), "{language} {kind:?}");
            for (text, source) in text.body.iter().zip(&source.body) {
                assert_eq!(places(text), places(source), "{language} {kind:?}");
            }
            assert!(places(&text.subject).is_empty() && !text.button.is_empty());
        }
        assert_eq!(texts.emails.len(), KINDS.len());
    }
}

#[test]
fn values_are_text_wherever_they_stand() {
    let email = email("en", Kind::Invitation, "<img src=x onerror=alert(1)> {tenant}");
    let texts = &TEXTS["en"];
    let html = email.html(texts, &texts.emails[&email.kind]);
    assert!(html.contains("Hello &lt;img src=x onerror=alert(1)&gt; {tenant},") && !html.contains("<img"), "{html}");
    assert!(html.contains("tracking system of Acme {count} &amp; Söhne."), "{html}");
    let plain = email.plain(texts, &texts.emails[&email.kind]);
    assert!(plain.contains("Accept the invitation:\nhttps://fleet.example/auth/reset#token"), "{plain}");
    assert!(plain.contains("valid for 7 days"), "{plain}");
}

#[test]
fn due_texts_are_natural_language() {
    let due = Due {
        title: "Ganti oli 10.000 km".to_owned(),
        vehicle: "Truk · B 9120 KXT".to_owned(),
        date: "2026-12-01".to_owned(),
        odometer: 1_245_000,
        engine_hours: 300,
    };
    let text_of = |language: &str, due: &Due| {
        let email = Email { due: due.clone().harmless(), ..email(language, Kind::MaintenanceDue, "Budi") };
        let texts = &TEXTS[language];
        email.plain(texts, &texts.emails[&email.kind])
    };
    let printed = text_of("id", &due);
    assert!(printed.contains("Ganti oli 10.000 km untuk Truk · B 9120 KXT sudah jatuh tempo."), "{printed}");
    assert!(printed.contains("Jatuh tempo: 01-12-2026 · 1.245.000 km · 300 jam mesin."), "{printed}");
    let printed = text_of("en", &Due { date: String::new(), engine_hours: 0, odometer: 900, ..due.clone() });
    assert!(printed.contains("Due: 900 km."), "{printed}");
    for title in ["Win at evil.example", "Call 0812 3456 789", "<b>Oil</b>", "https://evil"] {
        let printed = text_of("en", &Due { title: title.to_owned(), ..due.clone() });
        assert!(printed.contains("Maintenance for Truk"), "{title}: {printed}");
    }
}

#[test]
fn names_that_could_be_messages_are_left_out() {
    for (name, ok) in [
        ("PT. Maju Jaya & Putra (Persero), Tbk.", true),
        ("Siti Nur'aini", true),
        ("布迪物流", true),
        ("Armada 25", true),
        ("evil.example", false),
        ("Win now at https://evil.example", false),
        ("mail me@evil.example", false),
        ("Call 0812 3456 789", false),
        ("<b>Maju</b>", false),
        ("a\nb", false),
        (&*"x".repeat(61), false),
    ] {
        assert_eq!(harmless(name), if ok { name } else { "" }, "{name}");
    }
    let nameless = Email { tenant: String::new(), ..email("en", Kind::Invitation, "") };
    let texts = &TEXTS["en"];
    let plain = nameless.plain(texts, &texts.emails[&Kind::Invitation]);
    assert!(plain.starts_with("Hello,") && plain.contains("tracking system of a company."), "{plain}");
    assert!(nameless.message(&from()).is_ok());
}

#[test]
fn prevents_header_injection() {
    for name in ["a\r\nBcc: x@y.z", "a\nb", "a\rb", "a\0b"] {
        assert_eq!(email("id", Kind::Invitation, name).message(&from()).unwrap_err().code, "invalid_email");
    }
    let mut email = email("zh", Kind::Invitation, "布迪 🚚 \"x\" <y@z.w>,");
    let message = String::from_utf8(email.message(&from()).unwrap().formatted()).unwrap();
    let headers = message.split("\r\n\r\n").next().unwrap();
    assert_eq!(headers.lines().filter(|line| line.starts_with("To:")).count(), 1);
    assert!(headers.is_ascii() && headers.contains("<budi@example.org>"), "{headers}");
    email.to = "a@b.c\r\nBcc: x@y.z".to_owned();
    assert!(email.message(&from()).is_err());
}
