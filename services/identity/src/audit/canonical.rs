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

const FORM: &[u8] = b"armada audit entry 1\n";

/// The hash of an entry, which tells of the one before it too.
pub fn hash(entry: &Model) -> Vec<u8> {
    Sha256::digest(canonical(entry)).to_vec()
}

fn canonical(entry: &Model) -> Vec<u8> {
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

#[cfg(test)]
mod tests {
    use armada_proto::{TenantId, UserId};
    use proptest::prelude::*;

    use super::*;

    /// Reads the bytes back: who can, has been told everything.
    struct Reader<'a>(&'a [u8]);

    impl Reader<'_> {
        fn take(&mut self, count: usize) -> Vec<u8> {
            let (taken, rest) = self.0.split_at(count);
            self.0 = rest;
            taken.to_vec()
        }

        fn number(&mut self) -> i64 {
            i64::from_be_bytes(self.take(8).try_into().expect("eight"))
        }

        fn id(&mut self) -> Uuid {
            Uuid::from_slice(&self.take(16)).expect("sixteen")
        }

        fn bytes(&mut self) -> Vec<u8> {
            let length = self.number();
            self.take(length as usize)
        }

        fn text(&mut self) -> String {
            String::from_utf8(self.bytes()).expect("text")
        }

        fn optional<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
            match self.take(1)[0] {
                0 => None,
                1 => Some(read(self)),
                other => panic!("{other}"),
            }
        }

        fn entry(mut self) -> Model {
            assert_eq!(self.take(FORM.len()), FORM);
            let entry = Model {
                previous: self.bytes(),
                chain: self.id(),
                seq: self.number(),
                id: self.id(),
                at: self.number(),
                tenant_id: self.optional(|reader| TenantId(reader.id())),
                actor_id: self.optional(|reader| UserId(reader.id())),
                actor_name: self.text(),
                address: self.text(),
                act: self.text(),
                object_kind: self.text(),
                object_id: self.text(),
                object_name: self.text(),
                before: self.optional(Self::text),
                after: self.optional(Self::text),
                hash: Vec::new(),
                search: String::new(),
                erased: false,
            };
            assert!(self.0.is_empty(), "nothing is left");
            entry
        }
    }

    /// Texts that could be taken for lengths, for one another, or for a part of something.
    fn part() -> impl Strategy<Value = String> {
        "[\u{0}\u{1}\u{8}a:ü🚚]{0,20}"
    }

    fn id() -> impl Strategy<Value = Uuid> {
        prop_oneof![Just(Uuid::nil()), any::<u128>().prop_map(Uuid::from_u128)]
    }

    prop_compose! {
        fn entry()(
            (id, chain, tenant, actor) in (id(), id(), proptest::option::of(id()), proptest::option::of(id())),
            (seq, at) in any::<(i64, i64)>(),
            texts in proptest::array::uniform6(part()),
            [before, after] in proptest::array::uniform2(proptest::option::of(part())),
            previous in proptest::collection::vec(any::<u8>(), 0..40),
        ) -> Model {
            let [actor_name, address, act, object_kind, object_id, object_name] = texts;
            Model {
                id, chain, seq, at, tenant_id: tenant.map(TenantId), actor_id: actor.map(UserId), actor_name, address,
                act, object_kind, object_id, object_name, before, after, previous, hash: Vec::new(),
                search: String::new(),
                erased: false,
            }
        }
    }

    proptest! {
        #[test]
        fn an_entry_can_be_told_from_its_bytes(entry in entry()) {
            prop_assert_eq!(Reader(&canonical(&entry)).entry(), entry);
        }

        #[test]
        fn different_entries_have_different_bytes(one in entry(), other in entry()) {
            prop_assert_eq!(canonical(&one) == canonical(&other), one == other);
        }
    }

    /// The form is for ever: what was hashed with another one could not be verified any more.
    #[test]
    fn the_form_stays() {
        let entry = Model {
            id: Uuid::from_u128(1),
            chain: Uuid::nil(),
            seq: 2,
            at: 3,
            tenant_id: None,
            actor_id: Some(UserId(Uuid::from_u128(4))),
            actor_name: "Budi".to_owned(),
            address: "::1".to_owned(),
            act: "device:update".to_owned(),
            object_kind: "device".to_owned(),
            object_id: "5".to_owned(),
            object_name: "B 1".to_owned(),
            before: None,
            after: Some("{}".to_owned()),
            previous: vec![6; 32],
            hash: Vec::new(),
            search: String::new(),
            erased: false,
        };
        assert_eq!(canonical(&entry).len(), 217);
        let hex: String = hash(&entry).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "13ed5cf138278087cfafda8c14e2d84a20b986853a5e95ea150b9ad0fcd5d330");
    }
}
