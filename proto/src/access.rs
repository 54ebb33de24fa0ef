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

include!(concat!(env!("OUT_DIR"), "/access.rs"));

/// The rule of a method, by its path, e.g. `/armada.v1.Devices/List`; none for a method that is not in the contract.
pub fn rule(path: &str) -> Option<Rule> {
    METHODS.binary_search_by_key(&path, |(path, _)| path).ok().map(|index| METHODS[index].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_its_rule() {
        assert!(METHODS.is_sorted_by_key(|(path, _)| path) && METHODS.len() > 50);
        assert_eq!(rule("/armada.v1.Devices/List"), Some(Rule::Permission(permission::DEVICE_LIST)));
        assert_eq!(rule("/armada.v1.Sessions/Login"), Some(Rule::Public));
        assert_eq!(rule("/armada.v1.Tenants/Delete"), Some(Rule::Service));
        assert_eq!(rule("/armada.v1.Devices/list"), None);
    }

    #[test]
    fn the_catalogue_names_what_it_guards() {
        let devices = CATALOGUE.iter().find(|built_in| built_in.key == permission::DEVICE_LIST).expect("there");
        assert_eq!(devices.methods, ["/armada.v1.Devices/List", "/armada.v1.Devices/Get"]);
        let guarded = METHODS.iter().filter(|(_, rule)| matches!(rule, Rule::Permission(_))).count();
        assert_eq!(CATALOGUE.iter().map(|built_in| built_in.methods.len()).sum::<usize>(), guarded);
    }
}
