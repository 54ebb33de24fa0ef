//! The clients of the services behind the edge, and a handler for every operation that needs none of its own.

use std::{collections::BTreeMap, fmt::Write as _};

use armada_descriptors::{Contract, Operation, Reply, Rules, ServedBy, choices, is_timestamp, json_name, snake};
use prost_reflect::{FieldDescriptor, Kind};

use crate::exports;

/// `Clients`, with a method for each service.
pub fn clients(contract: &Contract) -> String {
    let (mut fields, mut made, mut methods) = (String::new(), String::new(), String::new());
    for (service, served_by) in contract.services() {
        let name = snake(service.name());
        let client = format!("armada_proto::v1::{name}_client::{}Client<Transport>", service.name());
        let new = client.replace("<Transport>", "::new");
        let new = |served_by: &str| {
            format!("{new}(context.peers.transport({served_by:?})?).max_decoding_message_size(ANSWER_MAX)")
        };
        match served_by {
            ServedBy::One(served_by) => {
                let _ = writeln!(fields, "    {name}: {client},");
                let _ = writeln!(made, "            {name}: {},", new(&served_by));
                let _ = writeln!(
                    methods,
                    "    pub(crate) fn {name}(&self) -> {client} {{\n        self.0.{name}.clone()\n    }}"
                );
            }
            ServedBy::Each(each) => {
                let _ = writeln!(fields, "    {name}: [(&'static str, {client}); {}],", each.len());
                let each = each.iter().map(|served_by| format!("({served_by:?}, {}), ", new(served_by)));
                let _ = writeln!(made, "            {name}: [{}],", each.collect::<String>());
                let _ = writeln!(
                    methods,
                    "    /// That of one service; an error when there is none of this name.\n    \
                     pub(crate) fn {name}(&self, service: &str) -> Result<{client}> {{\n        \
                     let found = self.0.{name}.iter().find(|(name, _)| *name == service);\n        \
                     found.map(|(_, client)| client.clone()).ok_or_else(Error::not_found)\n    }}"
                );
            }
        }
    }
    format!(
        "/// Clients of the other services. Cheap to clone.\n\
         #[derive(Clone)]\npub(crate) struct Clients(Arc<AllClients>);\n\n\
         struct AllClients {{\n{fields}}}\n\n\
         impl Clients {{\n    \
             pub(crate) fn new(context: &Context) -> Result<Self> {{\n        Ok(Self(Arc::new(AllClients {{\n{made}        }})))\n    }}\n\n\
         {methods}}}\n"
    )
}

/// The queries, the handlers, and two routers: of what may be compressed and of what may not.
pub fn handlers(contract: &Contract) -> String {
    let mut text = String::new();
    let mut queries = BTreeMap::new();
    let (mut open, mut secret) = (BTreeMap::<_, String>::new(), BTreeMap::<_, String>::new());
    for operation in &contract.operations {
        let asked = operation.query_fields();
        if !asked.is_empty() {
            let whole = asked.len();
            let known: &mut (usize, String) = queries.entry(operation.request().name().to_owned()).or_default();
            // Of several operations that ask the same, the one that asks the most.
            if known.0 < whole {
                *known = (whole, query(operation, &asked));
            }
        }
        if operation.is_custom || operation.is_import() {
            continue;
        }
        text.push_str(&handler(operation));
        let routes = if operation.answers_secret() { &mut secret } else { &mut open };
        let methods = routes.entry(operation.path.clone()).or_default();
        let dot = if methods.is_empty() { "routing::" } else { "." };
        let _ = write!(methods, "{dot}{}(erased({}))", operation.verb, operation.id);
    }
    let router = |name: &str, about: &str, routes: &BTreeMap<String, String>| {
        let routes = routes.iter().map(|(path, methods)| format!("        .route({path:?}, {methods})\n"));
        let routes: String = routes.collect();
        format!("/// {about}\npub(crate) fn {name}() -> Router<AppState> {{\n    Router::new()\n{routes}}}\n\n")
    };
    let queries: String = queries.into_values().map(|(_, text)| text).collect();
    let open = router("routes", "What may be compressed.", &open);
    let secret = router("secret_routes", "What answers with secrets.", &secret);
    let columns = exports::columns(contract);
    format!("{queries}{columns}{text}{open}{secret}")
}

/// How the query of a request is read.
fn query(operation: &Operation, fields: &[FieldDescriptor]) -> String {
    let fields = fields.iter().map(|field| format!("        Param::new({:?}, {}),\n", json_name(field), kind(field)));
    format!(
        "impl FromQuery for v1::{} {{\n    const PARAMS: &'static [Param] = &[\n{}    ];\n}}\n\n",
        operation.request().name(),
        fields.collect::<String>()
    )
}

fn kind(field: &FieldDescriptor) -> String {
    let rules = Rules::of(field);
    match field.kind() {
        _ if is_timestamp(field) => "Kind::Time".to_owned(),
        Kind::Enum(names) if field.is_list() => format!("Kind::Choices(&{:?})", choices(&names)),
        Kind::Enum(names) => format!("Kind::Choice(&{:?})", choices(&names)),
        Kind::String if field.is_list() => match rules.number("repeated", "max_items") {
            Some(max) => format!("Kind::Texts {{ max: {max} }}"),
            None => panic!("{} needs a rule for how many there may be", field.full_name()),
        },
        Kind::String => "Kind::Text".to_owned(),
        Kind::Bool => "Kind::Flag".to_owned(),
        Kind::Uint32 => {
            format!("Kind::Number {{ max: {} }}", rules.number("uint32", "lte").unwrap_or(u32::MAX.into()))
        }
        Kind::Int64 => "Kind::Number { max: armada_proto::json::MAX_SAFE_INTEGER as u64 }".to_owned(),
        other => panic!("{}: {other:?} cannot stand in a query", field.full_name()),
    }
}

fn handler(operation: &Operation) -> String {
    if operation.reply() == Reply::File {
        return exports::handler(operation);
    }
    let (request, answer) = (operation.request(), operation.answer());
    let path = operation.path_fields();
    let mut takes = vec!["State(clients): State<Clients>".to_owned()];
    takes.push(
        if operation.is_public {
            "RequestClient(client): RequestClient"
        } else {
            "Authenticated(caller): Authenticated"
        }
        .to_owned(),
    );
    if operation.is_public && operation.verb != "get" {
        takes.push("_: SameOrigin".to_owned());
    }
    match path.len() {
        0 => {}
        1 => takes.push(format!("Path({}): Path<String>", path[0])),
        number => takes.push(format!("Path(({})): Path<({})>", path.join(", "), vec!["String"; number].join(", "))),
    }
    let mut set: Vec<&str> = path.clone();
    if operation.takes_version() {
        takes.push("IfMatch(row_version): IfMatch".to_owned());
        set.push("row_version");
    }
    let read = match (operation.has_body, operation.query_fields().is_empty()) {
        (true, _) => Some("Input"),
        (false, false) => Some("QueryMessage"),
        (false, true) => None,
    };
    let filling = operation.filling("&mut request");
    let mutable = if filling.is_some() && set.is_empty() { "mut " } else { "" };
    takes.extend(read.map(|read| format!("{read}({mutable}request): {read}<v1::{}>", request.name())));
    let whole = request.fields().len() == set.len();
    let rest = match (read, whole) {
        (_, true) => String::new(),
        (Some(_), false) => ", ..request".to_owned(),
        (None, false) => format!(", ..v1::{}::default()", request.name()),
    };
    let made = match (set.is_empty(), read) {
        (true, Some(_)) => "request".to_owned(),
        (true, None) => format!("v1::{} {{}}", request.name()),
        (false, _) => format!("v1::{} {{ {}{rest} }}", request.name(), set.join(", ")),
    };
    let (filling, made) = match filling {
        None => (String::new(), made),
        Some(filling) if set.is_empty() => (format!("{filling}\n    "), made),
        // What the path says is there before the rest is filled in.
        Some(filling) => (format!("let mut request = {made};\n    {filling}\n    "), "request".to_owned()),
    };
    let sign = if operation.is_public { "client.request" } else { "caller.sign" };
    let (service, method) = (snake(operation.method.parent_service().name()), snake(operation.method.name()));
    let call = format!("clients.{service}().{method}({sign}({made})).await?");
    let row = format!("let row = {call}.into_inner();\n    Ok(Versioned::");
    let (result, body) = match operation.reply() {
        Reply::Nothing => ("StatusCode".to_owned(), format!("{call};\n    Ok(StatusCode::NO_CONTENT)")),
        Reply::Row { is_new: true } => (versioned(answer.name()), format!("{row}created(row.row_version, row))")),
        Reply::Row { is_new: false } => (versioned(answer.name()), format!("{row}new(row.row_version, row))")),
        Reply::Job => ("Accepted".to_owned(), format!("Ok(Accepted({call}.into_inner()))")),
        Reply::Message => (format!("Json<v1::{}>", answer.name()), format!("Ok(Json({call}.into_inner()))")),
        Reply::File | Reply::Custom => panic!("{} needs a handler of its own", operation.id),
    };
    format!("async fn {}({}) -> Answer<{result}> {{\n    {filling}{body}\n}}\n\n", operation.id, takes.join(", "))
}

fn versioned(name: &str) -> String {
    format!("Versioned<v1::{name}>")
}
