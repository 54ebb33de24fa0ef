//! Rules that need no service, by themselves.

mod addresses;
mod canonical;
mod catalogue;
mod config;
mod email;
mod first_sign_in;
mod gateway;
mod known_devices;
mod mapping;
mod oidc;
mod passwords;
mod permissions;
mod policy;
mod refresh_token;
mod refusals;
mod registration;
mod signing_key;
mod templates;
mod throttle;
mod totp;
mod verify;
