//! Files are what the declarations say.

use std::path::{Path, PathBuf};

use armada_declarations::{SERVICES, files, in_order_of_handing_on};

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn files_are_fresh() {
    let made = files::made(&repository(), SERVICES).unwrap();
    assert!(made.len() > 5, "{} files are made", made.len());
    let stale: Vec<_> = made.iter().filter(|made| !made.is_fresh).map(|made| made.path.display()).collect();
    let stale: Vec<_> = stale.iter().map(ToString::to_string).collect();
    assert_eq!(stale, Vec::<String>::new(), "run `make gen` and commit the result");
}

#[test]
fn services_call_those_before_them() {
    for (at, service) in SERVICES.iter().enumerate() {
        let before: Vec<_> = SERVICES[..at].iter().map(|service| service.name).collect();
        let unknown: Vec<_> = service.calls.iter().filter(|called| !before.contains(called)).collect();
        assert!(unknown.is_empty(), "{} calls {unknown:?}", service.name);
        assert_eq!(service.users[0].name, service.name, "a service has the name of its user");
    }
}

#[test]
fn who_hands_on_is_copied_before_who_gets_it() {
    let order: Vec<_> = in_order_of_handing_on().iter().map(|service| service.name).collect();
    assert_eq!(order, ["position-ingest", "fleet", "notification", "identity"]);
}
