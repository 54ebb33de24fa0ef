//! What must hold of every message, whoever adds one.

use armada_proto::v1;
use prost_reflect::{DescriptorPool, FieldDescriptor, Kind, MessageDescriptor};

fn pool() -> DescriptorPool {
    let descriptors = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
    DescriptorPool::decode(descriptors.as_slice()).expect("descriptors")
}

fn fields(pool: &DescriptorPool) -> Vec<FieldDescriptor> {
    let ours = pool.all_messages().filter(|message| message.package_name() == "armada.v1");
    ours.flat_map(|message| message.fields().collect::<Vec<_>>()).collect()
}

fn has(pool: &DescriptorPool, option: &str, field: &FieldDescriptor) -> bool {
    let option = pool.get_extension_by_name(&format!("armada.v1.{option}")).expect("an option");
    field.options().get_extension(&option).as_bool().unwrap_or_default()
}

#[test]
fn secret_sounding_fields_are_marked_secret() {
    let pool = pool();
    let mut found = 0;
    for field in fields(&pool) {
        let sounds = ["password", "secret", "token", "ticket"].iter().any(|word| field.name().ends_with(word));
        let holds = matches!(field.kind(), Kind::String | Kind::Bytes);
        assert!(!sounds || !holds || has(&pool, "secret", &field), "{} needs (secret)", field.full_name());
        found += usize::from(sounds);
    }
    assert!(found >= 6, "the passwords, tokens and tickets that there are: {found}");
}

/// Names of what decides who owns a thing, who sees it, or who pays.
const DECIDING: [&str; 12] = [
    "_limit",
    "active",
    "billing",
    "cost",
    "currency",
    "device_id",
    "driver_id",
    "is_shared",
    "is_tenant_admin",
    "role",
    "subscription",
    "user_id",
];

/// What is called so and decides nothing of that.
const DECIDE_NOTHING: [&str; 4] =
    ["CommandInput.device_id", "DeviceInput.primary_driver_id", "DeviceInput.speed_limit", "MaintenanceLogInput.cost"];

#[test]
fn fields_that_sound_like_rights_say_what_they_decide() {
    let pool = pool();
    let option = pool.get_extension_by_name("armada.v1.decides").expect("an option");
    let inputs = fields(&pool).into_iter().filter(|field| field.parent_message().name().ends_with("Input"));
    for field in inputs.filter(|field| !has(&pool, "internal", field)) {
        let name = format!("{}.{}", field.parent_message().name(), field.name());
        let sounds = DECIDING.iter().any(|word| field.name().contains(word));
        let says = field.options().get_extension(&option).as_enum_number() != Some(0);
        assert!(
            says || !sounds || DECIDE_NOTHING.contains(&&*name),
            "{name} needs (decides), or stands in DECIDE_NOTHING"
        );
    }
}

#[test]
fn no_field_is_both_input_and_output_only() {
    let pool = pool();
    for field in fields(&pool) {
        let ways = ["input_only", "output_only", "internal"].iter().filter(|option| has(&pool, option, &field)).count();
        assert!(ways < 2, "{}", field.full_name());
    }
}

#[test]
fn input_does_not_name_what_the_server_makes() {
    let pool = pool();
    for message in pool.all_messages().filter(|message| message.package_name() == "armada.v1") {
        let Some(input) = pool.get_message_by_name(&format!("{}Input", message.full_name())) else { continue };
        let made = |field: &FieldDescriptor| has(&pool, "output_only", field);
        for field in message.fields().filter(made) {
            let accepted = input.get_field_by_name(field.name()).filter(|field| !has(&pool, "internal", field));
            assert!(accepted.is_none(), "{} takes {}", input.full_name(), field.name());
        }
        for name in ["id", "row_version", "created_at", "updated_at"] {
            let field = message.get_field_by_name(name);
            assert!(field.is_none_or(|field| made(&field)), "{}.{name} needs (output_only)", message.full_name());
        }
    }
}

#[test]
#[allow(clippy::useless_conversion, clippy::needless_update, reason = "generated alike for every kind of field")]
fn debug_shows_no_secret() {
    let messages: Vec<(&str, Vec<&str>, String)> = Vec::from(include!(concat!(env!("OUT_DIR"), "/secrets.rs")));
    let pool = pool();
    let annotated: usize = fields(&pool).iter().filter(|field| has(&pool, "secret", field)).count();
    assert_eq!(messages.iter().map(|(_, secrets, _)| secrets.len()).sum::<usize>(), annotated);
    for (name, secrets, debug) in messages {
        assert!(!debug.contains("canary"), "{name}: {debug}");
        for secret in secrets {
            assert!(debug.contains(&format!("{secret}: \"***\"")), "{name}: {debug}");
        }
    }
}

#[test]
fn a_request_cannot_set_what_the_server_makes() {
    let pool = pool();
    let mut tried = 0;
    for name in ["Device", "Tenant", "User", "LoginResponse", "WsTicket"] {
        let message = pool.get_message_by_name(&format!("armada.v1.{name}")).expect(name);
        for field in message.fields().filter(|field| has(&pool, "output_only", field)) {
            for value in ["7", "\"x\"", "[1,{}]", "{\"a\":null}", "true", "null"] {
                let body = format!("{{\"{}\":{value}}}", field.name());
                assert_eq!(read_again(&message, &body), read_again(&message, "{}"), "{name} {body}");
                tried += 1;
            }
        }
    }
    assert!(tried > 80, "{tried}");
}

/// What became of a body.
fn read_again(message: &MessageDescriptor, body: &str) -> String {
    fn read<T: serde::de::DeserializeOwned + std::fmt::Debug>(body: &str) -> String {
        format!("{:?}", serde_json::from_str::<T>(body).expect("whatever it is, it is passed over"))
    }
    match message.name() {
        "Device" => read::<v1::Device>(body),
        "Tenant" => read::<v1::Tenant>(body),
        "User" => read::<v1::User>(body),
        "LoginResponse" => {
            serde_json::to_string(&serde_json::from_str::<v1::LoginResponse>(body).expect("read")).expect("JSON")
        }
        "WsTicket" => serde_json::to_string(&serde_json::from_str::<v1::WsTicket>(body).expect("read")).expect("JSON"),
        other => panic!("{other}"),
    }
}

#[test]
fn output_only_fields_are_never_input() {
    let user =
        v1::UserInput { password: Some("canary".to_owned()), name: Some("Budi".to_owned()), ..Default::default() };
    let login = v1::LoginRequest { email: "a@example.com".to_owned(), password: "canary".to_owned(), code: None };
    let session = v1::Session { refresh_token: "canary".to_owned(), ..Default::default() };
    for text in [serde_json::to_string(&user), serde_json::to_string(&login), serde_json::to_string(&session)] {
        let text = text.expect("JSON");
        assert!(!text.contains("canary") && !text.contains("password"), "{text}");
    }
    let read: v1::UserInput = serde_json::from_str("{\"password\":\"canary\"}").expect("read");
    assert_eq!(read.password.as_deref(), Some("canary"));
}
