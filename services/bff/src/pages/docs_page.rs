//! `/api/docs`: the operations of the OpenAPI document on one page, without scripts and without anything from elsewhere.

use std::fmt::Write as _;

use serde_json::Value;

/// The page's style sheet.
pub(crate) const STYLE: &str = include_str!("docs_page.css");

/// What holds for all calls.
const INTRODUCTION: &str = include_str!("docs_intro.html");

/// The page for a document.
pub(crate) fn render(document: &Value) -> String {
    let (mut contents, mut page) = (String::new(), String::new());
    for tag in document["tags"].as_array().into_iter().flatten() {
        let name = text(&tag["name"]);
        let _ = write!(page, "<h2 id=\"{0}\">{0}</h2>\n<p>{1}</p>\n", escaped(name), prose(text(&tag["description"])));
        let _ = write!(contents, "<h2>{}</h2>\n<ul>\n", escaped(name));
        for (path, methods) in document["paths"].as_object().into_iter().flatten() {
            for (method, operation) in methods.as_object().into_iter().flatten() {
                if operation["tags"][0] == name {
                    section(&mut page, method, path, operation);
                    let id = text(&operation["operationId"]);
                    let _ = writeln!(
                        contents,
                        "<li><a href=\"#{}\">{}</a></li>",
                        escaped(id),
                        escaped(&id.replace('_', " "))
                    );
                }
            }
        }
        contents.push_str("</ul>\n");
    }
    page.push_str("<h2 id=\"messages\">Messages</h2>\n");
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        message(&mut page, name, schema);
    }
    let general = ["authentication", "paging", "errors", "versions", "messages"];
    let general = general.map(|id| format!("<li><a href=\"#{id}\">{}{}</a></li>", id[..1].to_uppercase(), &id[1..]));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Armada API</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"stylesheet\" href=\"/api/docs.css\"></head>\n<body><div class=\"frame\">\n\
         <nav aria-label=\"Contents\"><ul>\n{}\n</ul>\n{contents}</nav>\n<main>\n{INTRODUCTION}{page}</main>\n\
         </div></body></html>\n",
        general.join("\n"),
    )
}

fn section(page: &mut String, method: &str, path: &str, operation: &Value) {
    let _ = write!(
        page,
        "<section id=\"{id}\"><h3><code><b>{}</b> {}</code></h3>\n<p>{} {}</p>\n",
        method.to_uppercase(),
        escaped(path),
        prose(text(&operation["summary"])),
        prose(text(&operation["description"])),
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
    let permissions = operation["x-permissions"].as_array().into_iter().flatten();
    let permissions: Vec<_> = permissions.map(|key| format!("<code>{}</code>", escaped(text(key)))).collect();
    if !permissions.is_empty() {
        let _ = writeln!(page, "<p>Permission: {}</p>", permissions.join(", "));
    }
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    if !body.is_null() {
        let _ = writeln!(page, "<p>Body: {}</p>", linked(&type_of(body)));
    }
    let socket = &operation["x-websocket"];
    for (who, says) in [("A client", &socket["client"]), ("The server", &socket["server"])] {
        if !says.is_null() {
            let _ = writeln!(page, "<p>{who} says: {}</p>", linked(&type_of(says)));
        }
    }
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        let body = match response["content"].as_object() {
            Some(content) if !content.contains_key("application/json") => {
                content.keys().map(|kind| escaped(kind)).collect::<Vec<_>>().join(" or ")
            }
            _ => linked(&type_of(&response["content"]["application/json"]["schema"])),
        };
        let _ = writeln!(page, "<p>{}: {} {body}</p>", escaped(status), prose(text(&response["description"])));
    }
    page.push_str("</section>\n");
}

fn message(page: &mut String, name: &str, schema: &Value) {
    let description = prose(text(&schema["description"]));
    let _ = write!(page, "<section id=\"{0}\"><h3><code>{0}</code></h3>\n<p>{description}</p>\n", escaped(name));
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<_> = values.iter().map(|value| format!("<code>{}</code>", escaped(text(value)))).collect();
        let _ = writeln!(page, "<p>{}</p>", values.join(" · "));
    }
    for one in schema["oneOf"].as_array().into_iter().flatten() {
        let _ = writeln!(page, "<p>{}</p>", linked(&type_of(one)));
    }
    let required: Vec<_> = schema["required"].as_array().into_iter().flatten().map(text).collect();
    let fields = schema["properties"].as_object().into_iter().flatten();
    let rows = fields.map(|(field, property)| {
        let always = if required.contains(&field.as_str()) { "always" } else { "" };
        let way = [("readOnly", "read only"), ("writeOnly", "write only")].into_iter();
        let way = way.filter(|(key, _)| property[key] == true).map(|(_, words)| words);
        let notes: Vec<_> = Some(always).filter(|note| !note.is_empty()).into_iter().chain(way).collect();
        [field.clone(), notes.join(", "), type_of(property), text(&property["description"]).to_owned()]
    });
    table(page, rows.collect());
    page.push_str("</section>\n");
}

fn table(page: &mut String, rows: Vec<[String; 4]>) {
    if rows.is_empty() {
        return;
    }
    page.push_str("<div class=\"wide\"><table>\n");
    for [name, note, kind, description] in rows {
        let _ = writeln!(
            page,
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(&name),
            escaped(&note),
            linked(&kind),
            prose(&description)
        );
    }
    page.push_str("</table></div>\n");
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

/// Text of a description: what stands between backticks is code.
fn prose(text: &str) -> String {
    let parts = escaped(text)
        .split('`')
        .enumerate()
        .map(|(index, part)| match index % 2 {
            1 => format!("<code>{part}</code>"),
            _ => part.to_owned(),
        })
        .collect::<Vec<_>>();
    parts.concat()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
