//! The bytes of an entry that its hash is of. No two different entries have the same ones, since every part has a fixed
//! length or is preceded by it:
//!
//! ```text
//! "armada audit entry 1\n"
//! hash of the entry before      text
//! chain                         16 bytes
//! seq                           8 bytes
//! id                            16 bytes
//! at                            8 bytes, milliseconds since 1970
//! tenant_id, actor_id           each: 00, or 01 and 16 bytes
//! actor_name, address, act, object_kind, object_id, object_name
//!                               each: text
//! before, after                 each: 00, or 01 and text
//! ```
//!
//! A text is its length in bytes, in 8 bytes, and then itself in UTF-8. Numbers are big-endian, signed ones in two's
//! complement. The hash of an entry is the SHA-256 of all that.

use sea_orm::entity::prelude::Uuid;
use sha2::{Digest, Sha256};

use crate::entity::audit_entry::Model;

/// How the bytes begin.
pub const FORM: &[u8] = b"armada audit entry 1\n";

/// The hash of an entry, which tells of the one before it too.
pub fn hash(entry: &Model) -> Vec<u8> {
    Sha256::digest(canonical(entry)).to_vec()
}

/// The bytes that the hash is of.
pub fn canonical(entry: &Model) -> Vec<u8> {
    let mut bytes = FORM.to_vec();
    text(&mut bytes, &entry.previous);
    bytes.extend_from_slice(entry.chain.as_bytes());
    bytes.extend_from_slice(&entry.seq.to_be_bytes());
    bytes.extend_from_slice(entry.id.as_bytes());
    bytes.extend_from_slice(&entry.at.to_be_bytes());
    optional_id(&mut bytes, entry.tenant_id.map(|id| id.0));
    optional_id(&mut bytes, entry.actor_id.map(|id| id.0));
    let Model { actor_name, address, act, object_kind, object_id, object_name, .. } = entry;
    for part in [actor_name, address, act, object_kind, object_id, object_name] {
        text(&mut bytes, part.as_bytes());
    }
    for part in [&entry.before, &entry.after] {
        bytes.push(part.is_some().into());
        if let Some(part) = part {
            text(&mut bytes, part.as_bytes());
        }
    }
    bytes
}

fn text(bytes: &mut Vec<u8>, part: &[u8]) {
    bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
    bytes.extend_from_slice(part);
}

fn optional_id(bytes: &mut Vec<u8>, id: Option<Uuid>) {
    bytes.push(id.is_some().into());
    if let Some(id) = id {
        bytes.extend_from_slice(id.as_bytes());
    }
}
