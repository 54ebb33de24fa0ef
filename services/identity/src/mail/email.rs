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

impl Kind {
    /// Whether somebody waits for it who wants to sign in.
    pub fn is_urgent(self) -> bool {
        matches!(self, Self::PasswordReset | Self::EmailVerification | Self::AccountExists)
    }
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

/// What all emails in a language say, and what each kind says.
#[derive(Deserialize)]
pub struct Texts {
    /// How an email begins that goes to a name.
    pub greeting: String,
    /// How one begins that goes to none.
    pub greeting_nameless: String,
    /// In the place of a company's name that is not repeated.
    pub some_company: String,
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
    /// The text of each kind.
    #[serde(flatten)]
    pub emails: BTreeMap<Kind, Text>,
}

/// What one kind of email says, with places for values: `{name}`.
#[derive(Deserialize)]
pub struct Text {
    /// What it is about, in its header.
    pub subject: String,
    /// Its paragraphs.
    pub body: Vec<String>,
    /// What stands on its button.
    pub button: String,
}

/// The texts by language.
pub static TEXTS: LazyLock<BTreeMap<&str, Texts>> = LazyLock::new(|| {
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

    /// The text of a reader that shows no HTML.
    pub fn plain(&self, texts: &Texts, text: &Text) -> String {
        let mut paragraphs = vec![self.fill(texts, self.greeting(texts), str::to_owned)];
        paragraphs.extend(text.body.iter().map(|text| self.fill(texts, text, str::to_owned)));
        paragraphs.push(format!("{}:\n{}", text.button, self.link));
        paragraphs.push(texts.sent_by.clone());
        paragraphs.join("\n\n")
    }

    /// The text as a page.
    pub fn html(&self, texts: &Texts, text: &Text) -> String {
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
            "due" => self.due.limits(texts),
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
    fn limits(&self, texts: &Texts) -> String {
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
