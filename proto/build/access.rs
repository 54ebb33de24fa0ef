//! Who may call which method, as Rust: read from the options of the methods, so that none can be forgotten.

use std::collections::{BTreeMap, BTreeSet};

use protox::prost_reflect::{DescriptorPool, MethodDescriptor};

/// The tables that `src/access.rs` takes in. A method that says neither who may call it nor what permission that takes,
/// or both, stops the build.
pub fn table(pool: &DescriptorPool, package: &str) -> String {
    let mut methods = BTreeMap::new();
    let mut catalogue = BTreeMap::<String, Vec<String>>::new();
    let mut reads = BTreeSet::new();
    let services = pool.services().filter(|service| service.package_name() == package);
    for method in services.flat_map(|service| service.methods().collect::<Vec<_>>()) {
        let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
        let permission = option(pool, package, &method, "permission").as_str().unwrap_or_default().to_owned();
        let access = option(pool, package, &method, "access").as_enum_number().unwrap_or_default();
        let rule = match (access, permission.is_empty()) {
            (1, true) => "Rule::Public".to_owned(),
            (2, true) => "Rule::SignedIn".to_owned(),
            (3, true) => "Rule::Service".to_owned(),
            (4, true) => "Rule::PlatformOwner".to_owned(),
            (0, false) => {
                assert!(is_key(&permission), "{path}: a permission is <module>:<act>, not {permission:?}");
                catalogue.entry(permission.clone()).or_default().push(path.clone());
                format!("Rule::Permission({permission:?})")
            }
            _ => panic!("{path} needs either the option (access) or the option (permission)"),
        };
        for permission in option(pool, package, &method, "permission_of_some").as_list().into_iter().flatten() {
            let permission = permission.as_str().unwrap_or_default();
            assert!(is_key(permission), "{path}: a permission is <module>:<act>, not {permission:?}");
            catalogue.entry(permission.to_owned()).or_default().push(path.clone());
        }
        if is_read(pool, &method) {
            reads.insert(path.clone());
        }
        methods.insert(path, rule);
    }
    let keys = catalogue.keys().map(|key| {
        let name = key.replace(':', "_").to_uppercase();
        format!("/// `{key}`.\npub const {name}: &str = {key:?};\n")
    });
    let methods_text: String = methods.iter().map(|(path, rule)| format!("    ({path:?}, {rule}),\n")).collect();
    let catalogue_text: String = catalogue
        .iter()
        .map(|(key, methods)| format!("    BuiltIn {{ key: {key:?}, methods: &{methods:?} }},\n"))
        .collect();
    format!(
        "/// Every method and who may call it, by path.\npub static METHODS: &[(&str, Rule)] = &[\n{methods_text}];\n\n\
         /// Every permission that a method asks for, by key.\npub static CATALOGUE: &[BuiltIn] = &[\n{catalogue_text}];\n\n\
         /// Every method that reads and changes nothing, by path.\npub static READS: &[&str] = &{:?};\n\n\
         /// The keys of the catalogue.\npub mod permission {{\n{}}}\n",
        reads.iter().collect::<Vec<_>>(),
        keys.collect::<String>()
    )
}

/// Whether REST gets it: by HTTP's rules it changes nothing then.
fn is_read(pool: &DescriptorPool, method: &MethodDescriptor) -> bool {
    let rule = pool.get_extension_by_name("google.api.http").expect("the rules of REST");
    let rule = method.options().get_extension(&rule).into_owned();
    let path = rule.as_message().and_then(|rule| rule.get_field_by_name("get").map(|path| path.into_owned()));
    path.is_some_and(|path| path.as_str().is_some_and(|path| !path.is_empty()))
}

fn option(pool: &DescriptorPool, package: &str, method: &MethodDescriptor, name: &str) -> protox::prost_reflect::Value {
    let option = pool.get_extension_by_name(&format!("{package}.{name}")).expect("an option of ours");
    method.options().get_extension(&option).into_owned()
}

fn is_key(text: &str) -> bool {
    let word = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_lowercase() || c == b'_');
    text.split_once(':').is_some_and(|(module, act)| word(module) && word(act))
}
