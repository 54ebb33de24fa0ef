//! The tables of identity.

pub mod audit_entry;
pub mod audit_head;
pub mod erasure;
pub mod gateway;
pub mod gateway_cut;
pub mod gateway_rejection;
pub mod link;
pub mod mail;
pub mod mail_request;
pub mod permission;
pub mod preference;
pub mod provider_identity;
pub mod recovery_code;
pub mod registration_request;
pub mod removed_gateway;
pub mod role;
pub mod role_permission;
pub mod saved_view;
pub mod second_factor;
pub mod session;
pub mod signing_key;
pub mod tenant;
pub mod user;
pub mod user_role;
