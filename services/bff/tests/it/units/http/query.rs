//! How a query becomes a message.

use armada_bff::rules::http::Query;
use armada_proto::{
    Timestamp,
    v1::{DeviceStatus, ListAuditRequest, ListDevicesRequest, ListTenantsRequest, UserStatus},
};

#[test]
fn reads_present_fields() {
    let mut query = Query::of("page=2&q=a+b&userIds=1&userIds=&userIds=2&status=active&x&icon_type=bus&icon_type=car");
    let request: ListDevicesRequest = query.message();
    assert_eq!((request.page, request.page_size, &*request.sort, &*request.q), (2, 0, "", "a b"));
    assert_eq!(request.user_ids, ["1", "2"]);
    assert_eq!((request.status, request.icon_types.len()), (Some(DeviceStatus::Active.into()), 2));
    query.check().expect("nothing is wrong");

    let mut query = Query::of("from=2026-01-01T00:00:00+07:00&to=");
    let request: ListAuditRequest = query.message();
    assert_eq!(request.from.map(Timestamp::to_rfc3339).as_deref(), Some("2025-12-31T17:00:00Z"));
    assert_eq!(request.to, None);
    query.check().expect("nothing is wrong");

    let mut query = Query::of("active=true");
    let request: ListTenantsRequest = query.message();
    assert_eq!((request.active, request.deleted), (Some(true), false));
    query.check().expect("nothing is wrong");
}

#[test]
fn names_every_invalid_field() {
    let wrong = |query: String, read: fn(&mut Query)| {
        let mut query = Query::of(&query);
        read(&mut query);
        let fields = query.check().expect_err("it is wrong").fields;
        let mut codes: Vec<_> = fields.iter().map(|(name, code)| format!("{name} {code}")).collect();
        codes.sort();
        codes
    };
    let devices = format!("page=-1&page_size=501&status=flying&icon_type=car&icon_type=x{}", "&userIds=x".repeat(501));
    assert_eq!(
        wrong(devices, |query| drop(query.message::<ListDevicesRequest>())),
        ["icon_type unknown", "page invalid_number", "page_size too_large", "status unknown", "userIds too_many"]
    );
    assert_eq!(
        wrong("from=yesterday&page=5000000000".to_owned(), |query| drop(query.message::<ListAuditRequest>())),
        ["from invalid_time", "page invalid_number"]
    );
    assert_eq!(wrong("active=yes".to_owned(), |query| drop(query.message::<ListTenantsRequest>())), ["active invalid"]);
}

#[test]
fn every_name_of_an_enum_is_read() {
    let mut query = Query::of("status=unspecified&status=active&status=inactive&status=invited");
    let request: armada_proto::v1::ListUsersRequest = query.message();
    query.check().expect("nothing is wrong");
    assert_eq!(request.statuses.last(), Some(&UserStatus::Invited.into()));
}
