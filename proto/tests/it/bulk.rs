//! Requests of bulk acts, taken apart.

use armada_proto::{
    bulk::{BulkRequest, with_id},
    v1,
};
use prost::Message;

#[test]
fn bulk_act_equals_single_act() {
    let update = v1::DeviceInput { id: "x".to_owned(), name: Some("Truck".to_owned()), ..Default::default() };
    let parts = v1::BulkDevicesRequest { update: Some(update.clone()), ..Default::default() }.into_parts();
    let names: Vec<_> = parts.acts.iter().map(|act| (act.name, act.method, act.given.is_some())).collect();
    let wanted = [
        ("delete", "/armada.v1.Devices/Delete", false),
        ("update", "/armada.v1.Devices/Update", true),
        ("restore", "/armada.v1.Devices/Restore", false),
    ];
    assert_eq!(names, wanted);
    let given = parts.acts.into_iter().find_map(|act| act.given).expect("an update");
    let one = v1::DeviceInput::decode(&*with_id(&given.request, "7")).expect("a request");
    assert_eq!(one, v1::DeviceInput { id: "7".to_owned(), ..update });
}

#[test]
fn secrets_are_named() {
    let update = v1::UserInput { password: Some("canary".to_owned()), ..Default::default() };
    let parts = v1::BulkUsersRequest { update: Some(update), ..Default::default() }.into_parts();
    let secrets: Vec<_> = parts.acts.into_iter().filter_map(|act| act.given).flat_map(|given| given.secrets).collect();
    assert_eq!(secrets, ["password"]);
}
