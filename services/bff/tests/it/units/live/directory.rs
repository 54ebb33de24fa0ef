//! What devices are called, as the bucket tells it.

use armada_bff::rules::live::Directory;
use armada_proto::{DeviceId, TenantId, binding::key, v1::DeviceBinding};

fn names(directory: &Directory, of: Option<TenantId>) -> Vec<(u64, String)> {
    let mut names = Vec::new();
    directory.each(of, |_, _, listing| names.push((listing.imei, listing.name.clone())));
    names.sort();
    names
}

#[test]
fn a_device_keeps_its_place_when_its_imei_changes() {
    let directory = Directory::default();
    let (tenant, other, device) = (TenantId::new(), TenantId::new(), DeviceId::new());
    let binding = |name: &str, device: DeviceId, tenant: TenantId| DeviceBinding {
        device_id: device.to_string(),
        tenant_id: tenant.to_string(),
        name: name.to_owned(),
        ..DeviceBinding::default()
    };
    directory.take(&key("1"), Some(binding("Truck", device, tenant)));
    directory.take(&key("2"), Some(binding("Lorry", device, tenant)));
    directory.take(&key("1"), None);
    assert_eq!(names(&directory, Some(tenant)), [(2, "Lorry".to_owned())]);
    // The tracker was resold.
    directory.take(&key("2"), Some(binding("Van", DeviceId::new(), other)));
    assert_eq!(names(&directory, Some(tenant)), []);
    assert_eq!(names(&directory, None), [(2, "Van".to_owned())]);
    directory.take(&key("2"), None);
    assert_eq!(names(&directory, None), []);
}
