//! Files of whole lists: for each method `Export` the columns that the fields of its entries have, and a handler.

use std::fmt::Write as _;

use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor};

use armada_descriptors::{Contract, Operation, Reply, choices, extension, is, is_optional, is_timestamp, snake};

/// The columns of everything that has a file, and for tests the words that they need.
pub fn columns(contract: &Contract) -> String {
    let exports: Vec<_> = contract.operations.iter().filter(|operation| operation.reply() == Reply::File).collect();
    let mut text: String = exports.iter().map(|operation| of_entry(operation)).collect();
    text.push_str("/// Every list that has a file, with its filters, its columns, and the choices of each.\n");
    text.push_str("pub const EXPORTS: &[(&str, &[Param], &[(&str, &[&str])])] = &[\n");
    for operation in exports {
        let columns = Column::all(&entry(operation));
        let columns = columns.iter().map(|column| format!("({:?}, &{:?}), ", column.name, column.choices()));
        let (tag, request) = (&operation.tag, operation.request());
        let columns: String = columns.collect();
        let _ = writeln!(text, "    ({tag:?}, v1::{}::PARAMS, &[{columns}]),", request.name());
    }
    text + "];\n\n"
}

/// The handler of one.
pub fn handler(operation: &Operation) -> String {
    let service = snake(operation.method.parent_service().name());
    let call = format!("clients.{service}().export(request).await");
    let (given, call) = match operation.filling("request.get_mut()") {
        Some(filling) => ("mut request", format!("{{ {filling} {call} }}")),
        None => ("request", call),
    };
    format!(
        "async fn {}(State(clients): State<Clients>, Authenticated(caller): Authenticated, language: Language, \
         query: Query) -> Answer<Response> {{\n    \
         let export = async |{given}: tonic::Request<v1::{}>| {call};\n    \
         export::respond::<_, v1::{}, _>(&clients, &caller, language, query, export).await\n}}\n\n",
        operation.id,
        operation.request().name(),
        operation.answer().name(),
    )
}

/// The message that a list has entries of.
fn entry(operation: &Operation) -> MessageDescriptor {
    let items = operation.answer().get_field_by_name("items").expect("a list has items");
    let Kind::Message(entry) = items.kind() else { panic!("{}: items are messages", operation.id) };
    entry
}

fn of_entry(operation: &Operation) -> String {
    let entry = entry(operation);
    let columns = Column::all(&entry);
    assert!(!columns.is_empty(), "no field of {} has a column", entry.full_name());
    let columns: String = columns.iter().map(Column::code).collect();
    format!(
        "impl Exported for v1::{} {{\n    const SUBJECT: &'static str = {:?};\n    \
         const COLUMNS: &'static [Column<Self>] = &[\n{columns}    ];\n}}\n\n",
        entry.name(),
        operation.tag,
    )
}

struct Column {
    field: FieldDescriptor,
    name: String,
    width: u32,
    on_request: bool,
    /// `NamesOf`.
    names_of: i32,
    /// The field with the currency of an amount.
    currency: String,
    coded: bool,
}

impl Column {
    /// The columns of a message, those that are only there on request behind the others.
    fn all(message: &MessageDescriptor) -> Vec<Self> {
        let option = extension(message.parent_pool(), "armada.v1.column");
        let mut columns = Vec::new();
        for field in fields_in_file_order(message) {
            let options = field.options().get_extension(&option).into_owned();
            let given = options.as_list().unwrap_or_default().iter().filter_map(|column| column.as_message());
            columns.extend(given.map(|column| Self::of(&field, column)));
        }
        columns.sort_by_key(|column| column.on_request);
        columns
    }

    fn of(field: &FieldDescriptor, given: &DynamicMessage) -> Self {
        let value = |name: &str| given.get_field_by_name(name).map(|value| value.into_owned());
        let text = |name: &str| value(name).and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default();
        let name = Some(text("name")).filter(|name| !name.is_empty());
        Self {
            field: field.clone(),
            name: name.unwrap_or_else(|| field.name().to_owned()),
            width: value("width").and_then(|value| value.as_u32()).unwrap_or_default(),
            on_request: value("on_request").and_then(|value| value.as_bool()).unwrap_or_default(),
            names_of: value("names_of").and_then(|value| value.as_enum_number()).unwrap_or_default(),
            currency: text("currency"),
            coded: value("coded").and_then(|value| value.as_bool()).unwrap_or_default(),
        }
    }

    fn code(&self) -> String {
        let Self { name, width, .. } = self;
        let column = format!("Column::<Self>::new({name:?}, {width}.0, {})", self.read());
        let column = if self.on_request { format!("{column}.on_request()") } else { column };
        format!("        {column},\n")
    }

    /// How its cells are read from an entry.
    fn read(&self) -> String {
        let field = self.field.name();
        let or_empty = if is_optional(&self.field) { ".as_deref().unwrap_or_default()" } else { "" };
        match self.field.kind() {
            Kind::String if self.names_of != 0 => {
                let names_of = if self.names_of == 1 { "Users" } else { "Tenants" };
                let value = if is_optional(&self.field) { format!("row.{field}()") } else { format!("&row.{field}") };
                format!("Read::Name(NamesOf::{names_of}, |row| {value})")
            }
            Kind::String if is(&self.field, "date") => format!("Read::Date(|row| &row.{field})"),
            Kind::String if self.coded => format!("Read::Code(|row| &row.{field})"),
            Kind::String if is_optional(&self.field) => format!("Read::Text(|row| row.{field}{or_empty})"),
            Kind::String => format!("Read::Text(|row| &row.{field})"),
            Kind::Enum(_) => format!("Read::Choice(|row| row.{field}().name())"),
            Kind::Bool => format!("Read::Choice(|row| flag(row.{field}))"),
            Kind::Int64 if !self.currency.is_empty() => {
                format!("Read::Number(|row| to_major(row.{field}, &row.{}))", self.currency)
            }
            Kind::Int64 => format!("Read::Number(|row| row.{field} as f64)"),
            Kind::Uint32 if is_optional(&self.field) => format!("Read::NumberIfAny(|row| row.{field}.map(f64::from))"),
            Kind::Uint32 | Kind::Int32 => format!("Read::Number(|row| row.{field}.into())"),
            Kind::Double if is_optional(&self.field) => format!("Read::NumberIfAny(|row| row.{field})"),
            Kind::Double => format!("Read::Number(|row| row.{field})"),
            _ if is_timestamp(&self.field) => format!("Read::Time(|row| row.{field})"),
            Kind::Message(of) if self.field.is_list() && of.get_field_by_name("name").is_some() => {
                format!("Read::Made(|row| joined(row.{field}.iter().map(|item| item.name.as_str())))")
            }
            other => panic!("{}: {other:?} cannot stand in a file", self.field.full_name()),
        }
    }

    /// The names of the choices that its cells may show.
    fn choices(&self) -> Vec<String> {
        match self.field.kind() {
            Kind::Enum(names) => choices(&names).into_iter().filter(|name| name != "unspecified").collect(),
            Kind::Bool => vec!["yes".to_owned(), "no".to_owned()],
            _ => Vec::new(),
        }
    }
}

/// The fields of a message as the file has them, not by their numbers.
fn fields_in_file_order(message: &MessageDescriptor) -> Vec<FieldDescriptor> {
    let fields = message.descriptor_proto().field.iter();
    fields.filter_map(|field| message.get_field_by_name(field.name())).collect()
}
