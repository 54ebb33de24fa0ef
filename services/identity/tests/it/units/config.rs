//! Which configurations can be.

use armada_identity::{Config, MailConfig};
use armada_runtime::Secret;

#[test]
fn access_tokens_live_ten_minutes_at_most() {
    let with = |access_token_seconds| Config { access_token_seconds, ..Config::default() }.check();
    assert!(with(1).is_ok() && with(600).is_ok());
    assert!(with(601).unwrap_err().message.contains("identity.access_token_seconds = 601"));
    assert!(with(0).is_err());
}

#[test]
fn mail_needs_a_key_and_an_address() {
    let mail = MailConfig { smtp_url: Secret::new("smtp://localhost".to_owned()), from: "a@b.c".to_owned() };
    let mut config = Config { mail: Some(mail), ..Config::default() };
    assert!(config.check_for_serving().unwrap_err().message.contains("ARMADA_SECRET_KEY"));
    config.secret_key = Some(Secret::new("short".to_owned()));
    assert!(config.check().unwrap_err().message.contains("32 characters"));
    config.secret_key = Some(Secret::new("x".repeat(32)));
    assert!(config.check_for_serving().unwrap_err().message.contains("ARMADA_PUBLIC_URL"));
    config.public_url = Some("https://fleet.example/".to_owned());
    assert!(config.check_for_serving().is_ok());
    assert_eq!(config.page("/auth/login"), "https://fleet.example/auth/login");
}
