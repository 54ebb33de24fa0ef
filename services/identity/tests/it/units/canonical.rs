//! The bytes of an entry of the audit that its hash is of.

use armada_identity::rules::{
    AuditEntry,
    canonical::{FORM, canonical, hash},
};
use armada_proto::{TenantId, UserId};
use proptest::prelude::*;
use uuid::Uuid;

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

    fn entry(mut self) -> AuditEntry {
        assert_eq!(self.take(FORM.len()), FORM);
        let entry = AuditEntry {
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
    ) -> AuditEntry {
        let [actor_name, address, act, object_kind, object_id, object_name] = texts;
        AuditEntry {
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
fn canonical_form_is_stable() {
    let entry = AuditEntry {
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
