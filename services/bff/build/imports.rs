//! Files that are taken in: for each method `Import` what the columns of a file can be, and three handlers.

use std::{collections::BTreeMap, fmt::Write as _};

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use armada_descriptors::{Contract, Operation, Rules, choices, extension, is, json_name, snake};

/// What each import needs, and what looks names up.
pub fn imports(contract: &Contract) -> String {
    let imports: Vec<_> = contract.operations.iter().filter(|operation| operation.is_import()).collect();
    let mut text = String::new();
    let (mut known, mut looked_up) = (String::new(), BTreeMap::new());
    for operation in &imports {
        let row = row(operation);
        let resource = row.name().strip_suffix("Input").expect("a row is an input");
        let fields: Vec<_> = row.fields().filter(is_column).collect();
        looked_up.extend(fields.iter().filter_map(name_in_place).map(|named| (named.listed_by.clone(), named)));
        let of_row = format!("v1::{}", row.name());
        let _ = write!(
            text,
            "impl Imported for {of_row} {{\n    const SUBJECT: &'static str = {:?};\n    \
             const FIELDS: &'static [Field] = &[\n{}    ];\n}}\n\n",
            operation.tag,
            fields.iter().map(field).collect::<String>(),
        );
        let _ = writeln!(known, "    ({:?}, {:?}, <{of_row} as Imported>::FIELDS),", snake(resource), operation.tag);
        text.push_str(&handlers(operation));
    }
    let _ = write!(
        text,
        "/// What can be imported: as jobs call it, as paths do, and its fields.\n\
         pub const IMPORTS: &[(&str, &str, &[Field])] = &[\n{known}];\n\n"
    );
    text.push_str(&lookup(looked_up.into_values()));
    text.push_str(&routes(&imports));
    text
}

/// The message that a row of the file is.
fn row(operation: &Operation) -> MessageDescriptor {
    let rows = operation.request().get_field_by_name("rows").expect("an import has rows");
    let Kind::Message(row) = rows.kind() else { panic!("{}: rows are messages", operation.id) };
    row
}

/// Whose it is stands in the request, and secrets stand in no file.
fn is_column(field: &FieldDescriptor) -> bool {
    let never = ["internal", "secret", "set_by_import"].into_iter().any(|option| is(field, option));
    !never && !field.is_list() && field.name() != "tenant_id"
}

fn field(field: &FieldDescriptor) -> String {
    let name = json_name(field);
    let kind = match field.kind() {
        Kind::String => match name_in_place(field) {
            Some(Named { listed_by, column, is_list, .. }) => {
                format!("Kind::Named {{ listed_by: {listed_by:?}, column: {column:?}, is_list: {is_list} }}")
            }
            None if is(field, "date") => "Kind::Date".to_owned(),
            None => "Kind::Text".to_owned(),
        },
        Kind::Enum(names) => {
            let names: Vec<_> = choices(&names).into_iter().filter(|name| name != "unspecified").collect();
            format!("Kind::Choice(&{names:?})")
        }
        Kind::Bool => "Kind::Flag".to_owned(),
        Kind::Uint32 => "Kind::Number".to_owned(),
        Kind::Double => "Kind::Decimal".to_owned(),
        other => panic!("{}: {other:?} cannot stand in a file that is imported", field.full_name()),
    };
    let is_required = Rules::of(field).is_required();
    format!("        Field {{ name: {name:?}, kind: {kind}, is_required: {is_required} }},\n")
}

/// What has the name that may stand in the place of an id.
struct Named {
    /// The service that lists it, behind a blank the kind that it is asked for.
    listed_by: String,
    /// The column with its name.
    column: String,
    service: String,
    /// There may be several.
    is_list: bool,
    /// The list is narrowed to this choice of the enum of its field `kind`.
    kind: Option<String>,
}

fn name_in_place(field: &FieldDescriptor) -> Option<Named> {
    let option = extension(field.parent_pool(), "armada.v1.name_in_place");
    let options = field.options();
    let value = options.has_extension(&option).then(|| options.get_extension(&option).into_owned())?;
    let value = value.as_message()?;
    let text = |name: &str| value.get_field_by_name(name).and_then(|value| value.as_str().map(str::to_owned));
    let (service, kind) = (text("listed_by")?, text("kind").filter(|kind| !kind.is_empty()));
    let listed_by = kind.as_ref().map_or_else(|| service.clone(), |kind| format!("{service} {kind}"));
    let is_list = value.get_field_by_name("is_list").and_then(|value| value.as_bool()).unwrap_or_default();
    Some(Named { listed_by, column: text("column")?, service, is_list, kind })
}

/// `gps_brand` as Rust writes a variant.
fn camel(name: &str) -> String {
    name.split('_').map(|word| format!("{}{}", word[..1].to_uppercase(), &word[1..])).collect()
}

fn handlers(operation: &Operation) -> String {
    let service = snake(operation.method.parent_service().name());
    let (id, request, row) = (&operation.id, operation.request(), row(operation));
    format!(
        "async fn {id}(State(clients): State<Clients>, State(readers): State<FileReaders>, \
         Authenticated(caller): Authenticated, query: Query, File(file): File) -> Answer<Accepted> {{\n    \
         let may_import = async |request: tonic::Request<v1::{0}>| clients.{service}().import(request).await;\n    \
         import::check_rights(&caller, may_import).await?;\n    \
         let import = async |request: tonic::Request<v1::{0}>| clients.{service}().import(request).await;\n    \
         import::run((&clients, &readers), &caller, query, file, import).await\n}}\n\n\
         async fn preview_{id}(State(clients): State<Clients>, State(readers): State<FileReaders>, \
         Authenticated(caller): Authenticated, language: Language, query: Query, File(file): File) \
         -> Answer<Json<v1::ImportPreview>> {{\n    \
         let may_import = async |request: tonic::Request<v1::{0}>| clients.{service}().import(request).await;\n    \
         import::check_rights(&caller, may_import).await?;\n    \
         import::preview::<v1::{1}>(&readers, &caller, language, query, file).await\n}}\n\n\
         async fn {id}_template(_: Authenticated, language: Language, query: Query) -> Answer<Response> {{\n    \
         import::template::<v1::{1}>(language, query)\n}}\n\n",
        request.name(),
        row.name(),
    )
}

/// A function that asks the services that list what has a name.
fn lookup(looked_up: impl Iterator<Item = Named>) -> String {
    let arms = looked_up.map(|Named { listed_by, service, kind, .. }| {
        let client = snake(&service);
        let kind = kind.map(|kind| format!("kind: Some(v1::{service}Kind::{}.into()), ", camel(&kind)));
        let kind = kind.unwrap_or_default();
        format!(
            "        {listed_by:?} => {{\n            let request = v1::List{service}Request {{ names, tenant_id, page, {kind}\
             page_size: PAGE_MAX, ..Default::default() }};\n            \
             listed(clients.{client}().list(caller.sign(request)).await?.into_inner())\n        }}\n"
        )
    });
    format!(
        "/// A page of what a service lists that is exactly so called, of all of it without names, as JSON; and how much there is.\n\
         pub(crate) async fn look_up(service: &str, clients: &Clients, caller: &Caller, names: Vec<String>, page: u32, \
         tenant_id: Option<String>) -> Result<(Vec<Value>, u32), tonic::Status> {{\n    Ok(match service {{\n{}        \
         other => return Err(tonic::Status::internal(format!(\"nobody lists {{other}}\"))),\n    }})\n}}\n\n",
        arms.collect::<String>()
    )
}

fn routes(imports: &[&Operation]) -> String {
    let routes = imports.iter().map(|operation| {
        let (id, path) = (&operation.id, &operation.path);
        format!(
            "        .route({path:?}, routing::post({id}))\n        \
             .route(\"{path}/preview\", routing::post(preview_{id}))\n        \
             .route(\"{path}/template\", routing::get({id}_template))\n"
        )
    });
    format!(
        "/// What takes in files.\npub(crate) fn import_routes() -> Router<AppState> {{\n    Router::new()\n{}}}\n\n",
        routes.collect::<String>()
    )
}
