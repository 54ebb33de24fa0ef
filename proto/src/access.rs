//! Who may call which method, and the catalogue of permissions: generated from the options of the methods.

/// Who may call a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Anybody, with or without a token.
    Public,
    /// Whoever is signed in; the method itself looks at what they may see.
    SignedIn,
    /// Services alone.
    Service,
    /// Who owns the platform, and services.
    PlatformOwner,
    /// Who holds this permission, and services.
    Permission(&'static str),
}

/// A permission that some method asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltIn {
    /// `<module>:<act>`.
    pub key: &'static str,
    /// Paths of the methods.
    pub methods: &'static [&'static str],
}

/// A permission that stands for every act of a module: what a role says of it, it says of each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Umbrella {
    /// `manage-<things>`.
    pub key: &'static str,
    /// What the keys of its acts begin with.
    pub module: &'static str,
}

impl Umbrella {
    /// Whether it stands for a permission.
    pub fn covers(&self, key: &str) -> bool {
        key.split_once(':').is_some_and(|(module, _)| module == self.module)
    }
}

/// To manage invoices.
pub const MANAGE_INVOICES: &str = "manage-invoices";
/// To manage roles and what they allow.
pub const MANAGE_ROLES: &str = "manage-roles";
/// To manage users.
pub const MANAGE_USERS: &str = "manage-users";

/// All of them, by key. Of invoices there is no act yet.
pub const UMBRELLAS: [Umbrella; 3] = [
    Umbrella { key: MANAGE_INVOICES, module: "invoice" },
    Umbrella { key: MANAGE_ROLES, module: "role" },
    Umbrella { key: MANAGE_USERS, module: "user" },
];

/// The keys that are part of the program, sorted: those that methods ask for, and those that stand for several of them.
pub fn built_in_keys() -> Vec<&'static str> {
    let umbrellas = UMBRELLAS.iter().map(|umbrella| umbrella.key);
    let mut keys: Vec<_> = CATALOGUE.iter().map(|built_in| built_in.key).chain(umbrellas).collect();
    keys.sort_unstable();
    keys
}

/// The permission that stands for another one among others.
pub fn umbrella_of(key: &str) -> Option<&'static str> {
    UMBRELLAS.iter().find(|umbrella| umbrella.covers(key)).map(|umbrella| umbrella.key)
}

/// The permissions that another one stands for; none when it is not of that kind.
pub fn under(key: &str) -> impl Iterator<Item = &'static str> + use<> {
    let umbrella = UMBRELLAS.iter().find(|umbrella| umbrella.key == key).copied();
    let keys = CATALOGUE.iter().map(|built_in| built_in.key);
    keys.filter(move |key| umbrella.is_some_and(|umbrella| umbrella.covers(key)))
}

include!(concat!(env!("OUT_DIR"), "/access.rs"));

/// The rule of a method, by its path, e.g. `/armada.v1.Devices/List`; none for a method that is not in the contract.
pub fn rule(path: &str) -> Option<Rule> {
    METHODS.binary_search_by_key(&path, |(path, _)| path).ok().map(|index| METHODS[index].1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_method_has_its_rule() {
        assert!(METHODS.is_sorted_by_key(|(path, _)| path) && METHODS.len() > 50);
        assert_eq!(rule("/armada.v1.Devices/List"), Some(Rule::Permission(permission::DEVICE_LIST)));
        assert_eq!(rule("/armada.v1.Sessions/Login"), Some(Rule::Public));
        assert_eq!(rule("/armada.v1.Tenants/Delete"), Some(Rule::PlatformOwner));
        assert_eq!(rule("/armada.v1.Devices/list"), None);
    }

    #[test]
    fn an_umbrella_stands_for_a_module() {
        assert_eq!(umbrella_of(permission::USER_LIST), Some(MANAGE_USERS));
        assert_eq!(umbrella_of(permission::DEVICE_LIST), None);
        assert_eq!(umbrella_of(MANAGE_USERS), None);
        let roles: Vec<_> = under(MANAGE_ROLES).collect();
        assert_eq!(
            roles,
            [permission::ROLE_CREATE, permission::ROLE_DELETE, permission::ROLE_LIST, permission::ROLE_UPDATE]
        );
        assert_eq!(under(permission::ROLE_LIST).count() + under("manage-").count(), 0);
        assert!(built_in_keys().is_sorted() && built_in_keys().contains(&MANAGE_INVOICES));
    }

    #[test]
    fn the_catalogue_names_what_it_guards() {
        let devices = CATALOGUE.iter().find(|built_in| built_in.key == permission::DEVICE_LIST).expect("there");
        let methods = ["Meters/Get", "Meters/Corrections", "Devices/List", "Devices/Get"]
            .map(|method| format!("/armada.v1.{method}"));
        assert_eq!(devices.methods, methods);
        let guarded = METHODS.iter().filter(|(_, rule)| matches!(rule, Rule::Permission(_))).count();
        let named: BTreeSet<_> = CATALOGUE.iter().flat_map(|built_in| built_in.methods).collect();
        assert_eq!(named.len(), guarded);
        let stops_engines =
            CATALOGUE.iter().find(|built_in| built_in.key == permission::COMMAND_ENGINE).expect("there");
        let methods = ["/armada.v1.Commands/Create", "/armada.v1.Commands/Send"];
        assert_eq!(stops_engines.methods, methods, "asked for of some of their requests");
    }
}
