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
pub struct WildcardPermission {
    /// `manage-<things>`.
    pub key: &'static str,
    /// What the keys of its acts begin with.
    pub module: &'static str,
}

impl WildcardPermission {
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
pub const WILDCARDS: [WildcardPermission; 3] = [
    WildcardPermission { key: MANAGE_INVOICES, module: "invoice" },
    WildcardPermission { key: MANAGE_ROLES, module: "role" },
    WildcardPermission { key: MANAGE_USERS, module: "user" },
];

/// The keys that are part of the program, sorted: those that methods ask for, and those that stand for several of them.
pub fn built_in_keys() -> Vec<&'static str> {
    let wildcards = WILDCARDS.iter().map(|wildcard| wildcard.key);
    let mut keys: Vec<_> = CATALOGUE.iter().map(|built_in| built_in.key).chain(wildcards).collect();
    keys.sort_unstable();
    keys
}

/// The permission that stands for another one among others.
pub fn wildcard_of(key: &str) -> Option<&'static str> {
    WILDCARDS.iter().find(|wildcard| wildcard.covers(key)).map(|wildcard| wildcard.key)
}

/// The permissions that another one stands for; none when it is not of that kind.
pub fn under(key: &str) -> impl Iterator<Item = &'static str> + use<> {
    let wildcard = WILDCARDS.iter().find(|wildcard| wildcard.key == key).copied();
    let keys = CATALOGUE.iter().map(|built_in| built_in.key);
    keys.filter(move |key| wildcard.is_some_and(|wildcard| wildcard.covers(key)))
}

include!(concat!(env!("OUT_DIR"), "/access.rs"));

/// The rule of a method, by its path, e.g. `/armada.v1.Devices/List`; none for a method that is not in the contract.
pub fn rule(path: &str) -> Option<Rule> {
    METHODS.binary_search_by_key(&path, |(path, _)| path).ok().map(|index| METHODS[index].1)
}

/// Whether a method reads and changes nothing, by its path: it may be asked again when no answer came.
pub fn is_read(path: &str) -> bool {
    READS.binary_search(&path).is_ok()
}
