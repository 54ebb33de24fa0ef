//! What an email says: texts in the recipient's language, as plain text and as HTML.

use std::{collections::BTreeMap, sync::LazyLock};

use armada_proto::v1::Locale;
use armada_runtime::{Code, Error, Result};
use chrono::NaiveDate;
use lettre::{
    Address, Message,
    message::{Mailbox, MultiPart},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Characters of a name that emails repeat,
const NAME_MAX: usize = 60;
/// and how many of them may be digits.
const DIGITS_MAX: usize = 5;
/// The same of what is due: kilometres and plates have some.
const TITLE_DIGITS_MAX: usize = 8;

/// What an email is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Choose a password, and you are in.
    Invitation,
    /// Choose a new password.
    PasswordReset,
    /// Confirm the address that you registered with.
    EmailVerification,
    /// Somebody registered with an address that has an account.
    AccountExists,
    /// The password was changed.
    PasswordChanged,
    /// Nobody asks for a second factor any more.
    TotpRemoved,
    /// A maintenance will be due before long.
    MaintenanceDueSoon,
    /// A maintenance is due.
    MaintenanceDue,
    /// A maintenance should have been done.
    MaintenanceOverdue,
}

/// An email before it is put into words.
#[derive(Clone, Serialize, Deserialize)]
pub struct Email {
    /// The address.
    pub to: String,
    /// Whose it is; empty when that is not to be repeated.
    pub name: String,
    /// `id`, `en`, `zh` or `jv`.
    pub language: String,
    /// What it is about.
    pub kind: Kind,
    /// Where its button leads.
    pub link: String,
    /// The company it is about; empty for none, or when it is not to be repeated.
    pub tenant: String,
    /// How long the link holds, in the unit of which the text speaks.
    pub count: u32,
    /// What is due, where it is about such.
    #[serde(default)]
    pub due: Due,
}

/// A maintenance of a vehicle that is due.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Due {
    /// What it is called; empty when that is not to be repeated.
    pub title: String,
    /// The vehicle; empty when it is not to be repeated.
    pub vehicle: String,
    /// `YYYY-MM-DD`; empty for none.
    pub date: String,
    /// Kilometres; 0 for none.
    pub odometer: u32,
    /// Hours; 0 for none.
    pub engine_hours: u32,
}

/// The tag of a language.
pub fn language(locale: Locale) -> &'static str {
    match locale {
        Locale::En => "en",
        Locale::Zh => "zh",
        Locale::Jv => "jv",
        Locale::Id | Locale::Unspecified => "id",
    }
}

#[derive(Deserialize)]
struct Texts {
    greeting: String,
    greeting_nameless: String,
    /// In the place of a company's name that is not repeated.
    some_company: String,
    /// The same of a maintenance,
    some_maintenance: String,
    /// and of a vehicle.
    some_vehicle: String,
    /// A day, as `strftime` takes it.
    day: String,
    /// What stands between thousands.
    thousands: String,
    /// What stands behind hours of an engine.
    engine_hours: String,
    or_copy: String,
    sent_by: String,
    #[serde(flatten)]
    emails: BTreeMap<Kind, Text>,
}

#[derive(Deserialize)]
struct Text {
    subject: String,
    body: Vec<String>,
    button: String,
}

static TEXTS: LazyLock<BTreeMap<&str, Texts>> = LazyLock::new(|| {
    let read = |text| serde_json::from_str(text).expect("the texts of emails are well-formed");
    BTreeMap::from([
        ("id", read(include_str!("texts/id.json"))),
        ("en", read(include_str!("texts/en.json"))),
        ("zh", read(include_str!("texts/zh.json"))),
        ("jv", read(include_str!("texts/jv.json"))),
    ])
});

/// What a text is put into.
type Escape = fn(&str) -> String;

impl Email {
    /// The message as a mail server takes it.
    pub fn message(&self, from: &Mailbox) -> Result<Message> {
        let texts = TEXTS.get(self.language.as_str()).unwrap_or(&TEXTS["id"]);
        let text = &texts.emails[&self.kind];
        let to: Address = self.to.parse().map_err(|_| refused("the address is none"))?;
        let id = format!("<{}@{}>", Uuid::now_v7(), from.email.domain());
        Message::builder()
            .from(from.clone())
            .to(Mailbox::new(Some(one_line(self.name.clone())?).filter(|name| !name.is_empty()), to))
            .subject(one_line(self.fill(texts, &text.subject, str::to_owned))?)
            .message_id(Some(id))
            .multipart(MultiPart::alternative_plain_html(self.plain(texts, text), self.html(texts, text)))
            .map_err(|error| refused(&error.to_string()))
    }

    fn plain(&self, texts: &Texts, text: &Text) -> String {
        let mut paragraphs = vec![self.fill(texts, self.greeting(texts), str::to_owned)];
        paragraphs.extend(text.body.iter().map(|text| self.fill(texts, text, str::to_owned)));
        paragraphs.push(format!("{}:\n{}", text.button, self.link));
        paragraphs.push(texts.sent_by.clone());
        paragraphs.join("\n\n")
    }

    fn html(&self, texts: &Texts, text: &Text) -> String {
        let paragraph = |text: &str| format!("<p style=\"margin:0 0 16px\">{text}</p>");
        let body: String = std::iter::once(self.greeting(texts))
            .chain(text.body.iter().map(String::as_str))
            .map(|text| paragraph(&self.fill(texts, text, escaped)))
            .collect();
        let (link, language) = (escaped(&self.link), escaped(&self.language));
        let (button, or_copy, sent_by) = (escaped(&text.button), escaped(&texts.or_copy), escaped(&texts.sent_by));
        format!(
            "<!doctype html><html lang=\"{language}\"><head><meta charset=\"utf-8\"></head>\
             <body style=\"margin:0;padding:24px;background:#f4f5f7;font-family:Arial,sans-serif;color:#1b1f24\">\
             <div style=\"max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px;line-height:1.5\">\
             {body}\
             <p style=\"margin:24px 0\"><a href=\"{link}\" style=\"display:inline-block;padding:12px 20px;\
             background:#0b5cad;color:#ffffff;border-radius:6px;text-decoration:none\">{button}</a></p>\
             <p style=\"margin:0 0 16px;font-size:13px;color:#57606a\">{or_copy}<br>{link}</p>\
             <p style=\"margin:0;font-size:13px;color:#57606a\">{sent_by}</p></div></body></html>"
        )
    }

    fn greeting<'a>(&self, texts: &'a Texts) -> &'a str {
        if self.name.is_empty() { &texts.greeting_nameless } else { &texts.greeting }
    }

    /// Puts the values in. What stands in a value is not looked at again.
    fn fill(&self, texts: &Texts, text: &str, escape: Escape) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, from)| Some((before, from.split_once('}')?)))
        {
            filled.push_str(&escape(before));
            filled.push_str(&escape(&self.value(texts, name)));
            rest = after;
        }
        filled + &escape(rest)
    }

    fn value(&self, texts: &Texts, name: &str) -> String {
        match name {
            "name" => self.name.clone(),
            "tenant" if self.tenant.is_empty() => texts.some_company.clone(),
            "tenant" => self.tenant.clone(),
            "count" => self.count.to_string(),
            "title" if self.due.title.is_empty() => texts.some_maintenance.clone(),
            "title" => self.due.title.clone(),
            "vehicle" if self.due.vehicle.is_empty() => texts.some_vehicle.clone(),
            "vehicle" => self.due.vehicle.clone(),
            "due" => self.due.said(texts),
            _ => String::new(),
        }
    }
}

impl Due {
    /// Without what could be a message of its own.
    pub fn harmless(self) -> Self {
        let Self { title, vehicle, .. } = &self;
        Self {
            title: harmless_within(title, TITLE_DIGITS_MAX),
            vehicle: harmless_within(vehicle, TITLE_DIGITS_MAX),
            ..self
        }
    }

    /// The limits, in words.
    fn said(&self, texts: &Texts) -> String {
        let date = NaiveDate::parse_from_str(&self.date, "%Y-%m-%d").ok();
        let date = date.map(|date| date.format(&texts.day).to_string());
        let unit = |count: u32, unit: &str| (count > 0).then(|| format!("{} {unit}", grouped(count, &texts.thousands)));
        let parts = [date, unit(self.odometer, "km"), unit(self.engine_hours, &texts.engine_hours)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

/// A number with something between its thousands.
fn grouped(number: u32, between: &str) -> String {
    let digits = number.to_string();
    let first = (digits.len() - 1) % 3 + 1;
    let (first, rest) = digits.split_at(first);
    let rest = rest.as_bytes().chunks(3).map(|three| String::from_utf8_lossy(three).into_owned());
    std::iter::once(first.to_owned()).chain(rest).collect::<Vec<_>>().join(between)
}

/// A name as emails repeat it: one that could be a message of its own, with an address to go to or a number to call, is
/// left out. Anybody may call a company, or a person in it, whatever they like, and emails go to people who know
/// nothing of either.
pub fn harmless(name: &str) -> String {
    harmless_within(name, DIGITS_MAX)
}

/// The same with so many digits at most.
fn harmless_within(name: &str, digits_max: usize) -> String {
    let plain = |c: char| {
        c.is_alphanumeric() || matches!(c, ' ' | '.' | ',' | '&' | '\'' | '’' | '-' | '(' | ')' | '/' | '+' | '·')
    };
    // `evil.example` is an address to a mail program, `PT. Maju` is not.
    let dotted = name.split('.').skip(1).any(|rest| rest.starts_with(char::is_alphanumeric) && !is_thousand(rest));
    let digits = name.chars().filter(char::is_ascii_digit).count();
    let is_harmless = name.chars().count() <= NAME_MAX && name.chars().all(plain) && !dotted && digits <= digits_max;
    if is_harmless { name.to_owned() } else { String::new() }
}

/// Whether what stands behind a point is the end of a number: `10.000 km` leads nowhere.
fn is_thousand(rest: &str) -> bool {
    rest.split(|c: char| !c.is_alphanumeric()).next().is_some_and(|word| word.len() == 3 && word.parse::<u16>().is_ok())
}

/// What stands in a header has no line end: behind one, another header could begin.
fn one_line(text: String) -> Result<String> {
    if text.chars().any(char::is_control) { Err(refused("a header has a line end")) } else { Ok(text) }
}

fn refused(why: &str) -> Error {
    Error::new(Code::Invalid, "invalid_email", why)
}

fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, c| {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
        escaped
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(
            html.contains("Hello &lt;img src=x onerror=alert(1)&gt; {tenant},") && !html.contains("<img"),
            "{html}"
        );
        assert!(html.contains("tracking of Acme {count} &amp; Söhne."), "{html}");
        let plain = email.plain(texts, &texts.emails[&email.kind]);
        assert!(plain.contains("Accept the invitation:\nhttps://fleet.example/auth/reset#token"), "{plain}");
        assert!(plain.contains("works for 7 days"), "{plain}");
    }

    #[test]
    fn what_is_due_is_said_as_people_say_it() {
        let due = Due {
            title: "Ganti oli 10.000 km".to_owned(),
            vehicle: "Truk · B 9120 KXT".to_owned(),
            date: "2026-12-01".to_owned(),
            odometer: 1_245_000,
            engine_hours: 300,
        };
        let said = |language: &str, due: &Due| {
            let email = Email { due: due.clone().harmless(), ..email(language, Kind::MaintenanceDue, "Budi") };
            let texts = &TEXTS[language];
            email.plain(texts, &texts.emails[&email.kind])
        };
        let told = said("id", &due);
        assert!(told.contains("Ganti oli 10.000 km untuk Truk · B 9120 KXT sudah jatuh tempo."), "{told}");
        assert!(told.contains("Jatuh tempo: 01-12-2026 · 1.245.000 km · 300 jam mesin."), "{told}");
        let told = said("en", &Due { date: String::new(), engine_hours: 0, odometer: 900, ..due.clone() });
        assert!(told.contains("Due: 900 km."), "{told}");
        for title in ["Win at evil.example", "Call 0812 3456 789", "<b>Oil</b>", "https://evil"] {
            let told = said("en", &Due { title: title.to_owned(), ..due.clone() });
            assert!(told.contains("a maintenance of Truk"), "{title}: {told}");
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
        assert!(plain.starts_with("Hello,") && plain.contains("tracking of a company."), "{plain}");
        assert!(nameless.message(&from()).is_ok());
    }

    #[test]
    fn no_header_can_be_put_in() {
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
}
