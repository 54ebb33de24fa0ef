//! Log lines: one event, one line, whatever is in it. Readable on a terminal, JSON elsewhere; in UTC; with the fields
//! of the spans around it, and with `trace_id` and `span_id` where it belongs to a request.

use std::{
    fmt::{self, Write as _},
    io::IsTerminal,
};

use armada_proto::Timestamp;
use opentelemetry::{Context as TraceContext, trace::TraceContextExt};
use serde_json::{Map, Value};
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};
use tracing_subscriber::{Layer, layer::Context, registry::LookupSpan};

use crate::error::{Error, Result};

/// How lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// For people.
    Terminal,
    /// For programs.
    Json,
}

impl Form {
    /// The one that is asked for, else what suits standard error.
    pub(super) fn wanted(name: Option<&str>) -> Result<Self> {
        match name.unwrap_or_default() {
            "text" => Ok(Self::Terminal),
            "json" => Ok(Self::Json),
            "" if std::io::stderr().is_terminal() => Ok(Self::Terminal),
            "" => Ok(Self::Json),
            other => Err(Error::unavailable(format!("ARMADA_LOG_FORMAT = {other}: must be text or json"))),
        }
    }
}

/// Names and values of a span or an event, in their order.
#[derive(Default)]
struct Fields(Vec<(&'static str, Value)>);

impl Fields {
    fn put(&mut self, field: &Field, value: impl Into<Value>) {
        let (name, value) = (field.name(), value.into());
        // What only traces need, and what the bridge from `log` adds.
        if name.starts_with("otel.") || name.starts_with("log.") {
            return;
        }
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name, value)),
        }
    }
}

impl Visit for Fields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, format!("{value:?}"));
    }
}

/// Writes events as lines.
pub(super) struct LogLayer<W> {
    form: Form,
    write: W,
}

impl<W: Fn(&str)> LogLayer<W> {
    pub(super) fn new(form: Form, write: W) -> Self {
        Self { form, write }
    }
}

impl<S, W> Layer<S> for LogLayer<W>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: Fn(&str) + 'static,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(fields);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(fields) = span.extensions_mut().get_mut::<Fields>()
        {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut line = Line::of(event);
        for span in context.event_scope(event).into_iter().flatten() {
            if let Some(fields) = span.extensions().get::<Fields>() {
                line.add_span(fields);
            }
        }
        line.trace();
        (self.write)(&line.render(self.form));
    }
}

/// What one line says.
struct Line {
    at: Timestamp,
    level: &'static str,
    target: String,
    message: String,
    fields: Vec<(&'static str, Value)>,
}

impl Line {
    fn of(event: &Event<'_>) -> Self {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let message = fields.0.iter().position(|(name, _)| *name == "message").map(|at| fields.0.remove(at).1);
        let message = message.map_or_else(String::new, |message| text(&message));
        let metadata = event.metadata();
        Self {
            at: Timestamp::now(),
            level: metadata.level().as_str(),
            target: metadata.target().to_owned(),
            message,
            fields: fields.0,
        }
    }

    /// Adds the fields of a span; the event's own, and those of a nearer span, win.
    fn add_span(&mut self, span: &Fields) {
        for (name, value) in &span.0 {
            if !self.fields.iter().any(|(known, _)| known == name) {
                self.fields.push((name, value.clone()));
            }
        }
    }

    /// Adds the ids of the current span.
    fn trace(&mut self) {
        TraceContext::map_current(|context| {
            let span = context.span();
            let ids = span.span_context();
            if ids.is_valid() {
                self.fields.push(("trace_id", ids.trace_id().to_string().into()));
                self.fields.push(("span_id", ids.span_id().to_string().into()));
            }
        });
    }

    fn render(self, form: Form) -> String {
        let mut line = match form {
            Form::Json => self.json(),
            Form::Terminal => self.readable(),
        };
        line.push('\n');
        line
    }

    fn json(self) -> String {
        let mut object = Map::new();
        object.insert("timestamp".to_owned(), self.at.to_rfc3339().into());
        object.insert("level".to_owned(), self.level.into());
        object.insert("target".to_owned(), self.target.into());
        object.insert("message".to_owned(), self.message.into());
        for (name, value) in self.fields {
            object.entry(name).or_insert(value);
        }
        // JSON escapes the ASCII control characters and leaves the others as they are.
        escaped(&Value::Object(object).to_string(), |character, out| write!(out, "\\u{:04x}", u32::from(character)))
    }

    fn readable(self) -> String {
        let as_rust = |character: char, out: &mut String| write!(out, "{}", character.escape_default());
        let mut line = format!("{} {:>5} {}", self.at.to_rfc3339(), self.level, escaped(&self.message, as_rust));
        for (name, value) in self.fields {
            let value = text(&value);
            let plain = !value.is_empty() && value.chars().all(|c| c.is_ascii_graphic() && c != '"' && c != '=');
            let value = if plain { value } else { escaped(&format!("{value:?}"), as_rust) };
            let _ = write!(line, " {name}={value}");
        }
        line
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The text without characters that could begin a line, move a cursor or turn the direction of writing.
fn escaped(text: &str, escape: impl Fn(char, &mut String) -> fmt::Result) -> String {
    let harmful = |c: char| c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if harmful(character) {
            let _ = escape(character, &mut out);
        } else {
            out.push(character);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use opentelemetry::trace::TracerProvider as _;
    use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
    use tracing_subscriber::prelude::*;

    use super::*;

    /// What `work` logs.
    fn logged(form: Form, work: impl FnOnce()) -> String {
        let lines = Arc::new(Mutex::new(String::new()));
        let sink = lines.clone();
        let layer = LogLayer::new(form, move |line: &str| sink.lock().expect("no panic").push_str(line));
        let provider = SdkTracerProvider::builder().with_sampler(Sampler::AlwaysOff).build();
        let traces = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer).with(traces), work);
        let lines = lines.lock().expect("no panic");
        lines.clone()
    }

    /// Everything that breaks lines, terminals or eyes.
    const EVIL: &str = "a\r\n2026 ERROR forged\u{1b}[31m\u{7f}\u{9b}2J\u{2028}\u{202e}\0\t\"x";

    #[test]
    fn one_event_is_one_line() {
        for form in [Form::Json, Form::Terminal] {
            let lines = logged(form, || tracing::info!(cause = EVIL, shown = %EVIL, debug = ?EVIL, "{EVIL}"));
            assert_eq!(lines.chars().filter(|c| c.is_control()).collect::<String>(), "\n", "{lines}");
            assert!(!lines.contains(['\u{2028}', '\u{202e}']), "{lines}");
        }
    }

    #[test]
    fn json_log_contains_message_and_fields() {
        let line = logged(Form::Json, || tracing::warn!(cause = EVIL, count = 3, ok = true, "{EVIL}"));
        let read: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!((read["message"].as_str(), read["cause"].as_str()), (Some(EVIL), Some(EVIL)));
        assert_eq!((read["count"].as_i64(), read["ok"].as_bool()), (Some(3), Some(true)));
        assert_eq!(read["level"], "WARN");
        let at = read["timestamp"].as_str().expect("a time");
        assert!(at.ends_with('Z') && Timestamp::parse_rfc3339(at).is_some(), "{at}");
        assert!(read.get("trace_id").is_none(), "there is no span around it");
    }

    #[test]
    fn lines_of_a_request_have_its_fields_and_ids() {
        let lines = logged(Form::Json, || {
            let span = tracing::info_span!("request", otel.kind = "server", route = "/x", id = "1", status = 0);
            span.record("status", 200);
            let _entered = span.enter();
            tracing::info!(id = "own", "one");
            tracing::info!("two");
        });
        let read: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!((&read[0]["id"], &read[0]["route"], &read[0]["status"]), (&"own".into(), &"/x".into(), &200.into()));
        assert_eq!(read[0]["trace_id"], read[1]["trace_id"]);
        assert_eq!(read[0]["trace_id"].as_str().map(str::len), Some(32));
        assert_eq!(read[0]["span_id"].as_str().map(str::len), Some(16));
        assert!(read[0].get("otel.kind").is_none());
    }

    #[test]
    fn terminal_log_is_readable_text() {
        let line = logged(Form::Terminal, || tracing::info!(partition = 3, cause = "it is late", "owns"));
        let (_, rest) = line.split_once(' ').expect("a time first");
        assert_eq!(rest, " INFO owns partition=3 cause=\"it is late\"\n");
    }
}
