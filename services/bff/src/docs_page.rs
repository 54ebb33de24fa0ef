//! `/api/docs`: the operations of the OpenAPI document on one page, without scripts and without anything from elsewhere.

use std::fmt::Write as _;

use serde_json::Value;

/// The page's style sheet.
pub(crate) const STYLE: &str = include_str!("docs_page.css");

/// The page for a document.
pub(crate) fn render(document: &Value) -> String {
    let mut page = String::from(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Armada API</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"stylesheet\" href=\"/api/docs.css\"></head>\n<body><h1>Armada API</h1>\n\
         <p>Machine-readable: <a href=\"/api/openapi.json\">openapi.json</a> (OpenAPI 3.1).</p>\n",
    );
    for tag in document["tags"].as_array().into_iter().flatten() {
        let name = text(&tag["name"]);
        let _ = write!(page, "<h2>{}</h2>\n<p>{}</p>\n", escaped(name), escaped(text(&tag["description"])));
        for (path, methods) in document["paths"].as_object().into_iter().flatten() {
            for (method, operation) in methods.as_object().into_iter().flatten() {
                if operation["tags"][0] == name {
                    section(&mut page, method, path, operation);
                }
            }
        }
    }
    page.push_str("<h2>Messages</h2>\n");
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        message(&mut page, name, schema);
    }
    page.push_str("</body></html>\n");
    page
}

fn section(page: &mut String, method: &str, path: &str, operation: &Value) {
    let _ = write!(
        page,
        "<section id=\"{id}\"><h3><code><b>{}</b> {}</code></h3>\n<p>{} {}</p>\n",
        method.to_uppercase(),
        escaped(path),
        escaped(text(&operation["summary"])),
        escaped(text(&operation["description"])),
        id = escaped(text(&operation["operationId"])),
    );
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let rows = parameters.map(|parameter| {
        let place = text(&parameter["in"]).to_owned();
        [
            text(&parameter["name"]).to_owned(),
            place,
            type_of(&parameter["schema"]),
            text(&parameter["description"]).to_owned(),
        ]
    });
    table(page, rows.collect());
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    if !body.is_null() {
        let _ = writeln!(page, "<p>Body: {}</p>", linked(&type_of(body)));
    }
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        let body = type_of(&response["content"]["application/json"]["schema"]);
        let _ =
            writeln!(page, "<p>{}: {} {}</p>", escaped(status), escaped(text(&response["description"])), linked(&body));
    }
    page.push_str("</section>\n");
}

fn message(page: &mut String, name: &str, schema: &Value) {
    let description = escaped(text(&schema["description"]));
    let _ = write!(page, "<section id=\"{0}\"><h3><code>{0}</code></h3>\n<p>{description}</p>\n", escaped(name));
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<_> = values.iter().map(|value| format!("<code>{}</code>", escaped(text(value)))).collect();
        let _ = writeln!(page, "<p>{}</p>", values.join(" · "));
    }
    let required: Vec<_> = schema["required"].as_array().into_iter().flatten().map(text).collect();
    let fields = schema["properties"].as_object().into_iter().flatten();
    let rows = fields.map(|(field, property)| {
        let always = if required.contains(&field.as_str()) { "always" } else { "" };
        [field.clone(), always.to_owned(), type_of(property), text(&property["description"]).to_owned()]
    });
    table(page, rows.collect());
    page.push_str("</section>\n");
}

fn table(page: &mut String, rows: Vec<[String; 4]>) {
    if rows.is_empty() {
        return;
    }
    page.push_str("<table>\n");
    for [name, note, kind, description] in rows {
        let _ = writeln!(
            page,
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(&name),
            escaped(&note),
            linked(&kind),
            escaped(&description)
        );
    }
    page.push_str("</table>\n");
}

/// What a schema is, in a few words; a reference becomes the name of the message.
fn type_of(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(of) = schema["oneOf"].as_array() {
        return of.iter().map(type_of).filter(|kind| kind != "null").collect::<Vec<_>>().join(" or ");
    }
    let kinds: Vec<_> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().map(text).filter(|kind| *kind != "null").collect(),
        kind => vec![text(kind)],
    };
    match (kinds.join(" or "), schema["format"].as_str()) {
        (kind, _) if kind == "array" => format!("list of {}", type_of(&schema["items"])),
        (kind, Some(format)) => format!("{kind} ({format})"),
        (kind, None) => kind,
    }
}

/// The name of a message leads to its section.
fn linked(kind: &str) -> String {
    let name = kind.strip_prefix("list of ").unwrap_or(kind);
    if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return escaped(kind);
    }
    let prefix = &kind[..kind.len() - name.len()];
    format!("{prefix}<a href=\"#{0}\">{0}</a>", escaped(name))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
