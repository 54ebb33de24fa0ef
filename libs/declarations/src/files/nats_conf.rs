//! The users of the NATS server, and what each may do.

use super::text::{joined, wrapped};
use crate::{
    Declaration,
    nats::{Account, User},
};

/// The user of whoever runs the machine.
pub const OPERATOR: &str = "armada";
/// The same one in the account of gateways, with the same password.
pub const OPERATOR_OF_GATEWAYS: &str = "armada-gateways";
/// How many partitions there are unless somebody says otherwise.
const PARTITIONS: &str = "8";
/// The longest line.
const WIDTH: usize = 118;

/// The users of an account, services in their order.
pub fn users<'a>(services: &'a [&'a Declaration], account: Account) -> impl Iterator<Item = &'a User> {
    services.iter().flat_map(|service| service.users).filter(move |user| user.account == account)
}

/// The parts of `deploy/nats.conf`.
pub(super) fn parts(services: &[&Declaration]) -> Vec<(&'static str, String)> {
    let of = |account| written(services, account, &|user: &User| format!("${}", user.password()), 6);
    vec![
        ("auth_users", auth_users(services, 6)),
        ("system", of(Account::System)),
        ("services", of(Account::Services)),
        ("gateways", of(Account::Gateways)),
        ("mapping", mapping(PARTITIONS, 6)),
    ]
}

/// The users of an account as the server's configuration has them, `indent` columns in.
pub fn written(
    services: &[&Declaration],
    account: Account,
    password: &dyn Fn(&User) -> String,
    indent: usize,
) -> String {
    users(services, account).map(|user| user_with_rights(user, &password(user), indent)).collect()
}

/// Where what gateways publish goes: to the owner of the tracker's partition.
pub fn mapping(partitions: &str, indent: usize) -> String {
    let indent = " ".repeat(indent);
    format!("{indent}\"gps.*.*\": \"in.{{{{partition({partitions},2)}}}}.{{{{wildcard(1)}}}}.{{{{wildcard(2)}}}}\"\n")
}

/// Everybody who stands in the configuration. Whoever else connects is a gateway.
pub fn known(services: &[&Declaration]) -> Vec<&'static str> {
    let users = services.iter().flat_map(|service| service.users).map(|user| user.name);
    [OPERATOR, OPERATOR_OF_GATEWAYS].into_iter().chain(users).collect()
}

fn auth_users(services: &[&Declaration], indent: usize) -> String {
    let names: Vec<String> = known(services).iter().map(|name| format!("{name},")).collect();
    wrapped(names.iter().map(String::as_str), &" ".repeat(indent), WIDTH)
}

fn user_with_rights(user: &User, password: &str, indent: usize) -> String {
    let indent = " ".repeat(indent);
    let about = wrapped(user.about.split(' '), &format!("{indent}# "), WIDTH);
    let publish = if user.never_publishes.is_empty() {
        format!("[\n{}{indent}    ]", subjects(&user.may_publish(), &format!("{indent}      ")))
    } else {
        format!("{{ deny: [{}] }}", quoted(user.never_publishes))
    };
    let subscribe = quoted(&user.may_hear());
    format!(
        "{about}{indent}{{\n{indent}  user: {name}\n{indent}  password: {password}\n{indent}  permissions: {{\n\
         {indent}    publish: {publish}\n{indent}    subscribe: [{subscribe}]\n{indent}  }}\n{indent}}}\n",
        name = user.name,
    )
}

/// Subjects by what they are about, each in lines of its own.
fn subjects(by_thing: &[Vec<String>], begin: &str) -> String {
    let lines = by_thing.iter().filter(|subjects| !subjects.is_empty()).map(|subjects| {
        let words: Vec<String> = subjects.iter().map(|subject| format!("\"{subject}\",")).collect();
        wrapped(words.iter().map(String::as_str), begin, WIDTH)
    });
    lines.collect()
}

fn quoted<T: AsRef<str>>(subjects: &[T]) -> String {
    joined(subjects.iter().map(|subject| format!("\"{}\"", subject.as_ref())), ", ")
}

/// Accounts, users and the mapping as the chart puts them into the configuration of the server that it brings.
pub(super) fn accounts_of_chart(services: &[&Declaration]) -> String {
    let of = |account| written(services, account, &|user: &User| format!("${}", user.password()), 6);
    format!(
        "# Made of the declarations of the services (make gen). The chart puts its own number of partitions in.\n\
         authorization {{\n  timeout: 10\n  auth_callout {{\n    issuer: $NATS_CALLOUT_ISSUER\n    account: ARMADA\n    \
         auth_users: [\n{auth_users}    ]\n  }}\n}}\nsystem_account: SYS\naccounts {{\n  SYS {{\n    users: [\n{system}    ]\n  }}\n  \
         ARMADA {{\n    jetstream: enabled\n    users: [\n      # Whoever runs the machine: makes streams and buckets, and never deletes a stream.\n      \
         {{\n        user: {OPERATOR}\n        password: $NATS_OPERATOR_PASSWORD\n        permissions: {{\n          \
         publish: {{ deny: [\"$JS.API.STREAM.DELETE.*\", \"$JS.API.STREAM.RESTORE.*\"] }}\n        }}\n      }}\n{services}    ]\n  }}\n  \
         GATEWAYS {{\n    mappings: {{\n{mapping}    }}\n    users: [\n      \
         {{ user: {OPERATOR_OF_GATEWAYS}, password: $NATS_OPERATOR_PASSWORD }}\n{gateways}    ]\n  }}\n}}\n",
        auth_users = auth_users(services, 6),
        system = of(Account::System),
        services = of(Account::Services),
        mapping = mapping(PARTITIONS, 6),
        gateways = of(Account::Gateways),
    )
}
