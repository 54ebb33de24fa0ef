//! Where a chain of the audit is not as it was written.

use armada_identity::rules::{AuditEntry, AuditHead, Defect, Reader, canonical};
use armada_proto::v1::AuditDefect;
use uuid::Uuid;

fn chain() -> Vec<AuditEntry> {
    let mut previous = Vec::new();
    let entries = (1..=4).map(|seq| {
        let mut entry = AuditEntry {
            id: Uuid::from_u128(seq as u128),
            chain: Uuid::nil(),
            seq,
            at: 0,
            tenant_id: None,
            actor_id: None,
            actor_name: "Budi".to_owned(),
            address: String::new(),
            act: "test:act".to_owned(),
            object_kind: String::new(),
            object_id: String::new(),
            object_name: String::new(),
            before: None,
            after: None,
            previous: std::mem::take(&mut previous),
            hash: Vec::new(),
            search: String::new(),
            erased: false,
        };
        sealed(&mut entry);
        previous.clone_from(&entry.hash);
        entry
    });
    entries.collect()
}

/// Makes an entry right in itself.
fn sealed(entry: &mut AuditEntry) {
    entry.search = entry.searched();
    entry.hash = canonical::hash(entry);
}

/// The defect of a chain whose head knows the last entry of the real one.
fn defect(entries: Vec<AuditEntry>) -> Option<Defect> {
    let last = chain().pop().expect("there are four");
    let head = AuditHead { chain: Uuid::nil(), tenant_id: None, seq: last.seq, hash: last.hash };
    let mut reader = Reader::default();
    entries.into_iter().find_map(|entry| reader.check(entry)).or_else(|| reader.end(Some(&head)))
}

/// Whoever reads a chain whose entries may be erased.
fn reader_of_erased_tenant() -> Reader {
    let mut reader = Reader::default();
    reader.may_be_erased = true;
    reader
}

#[test]
fn recomputed_hash_breaks_the_next_entry() {
    assert_eq!(defect(chain()), None);
    for (index, seq) in [(0, 1), (1, 2), (3, 4)] {
        let mut entries = chain();
        entries[index].actor_name = "Siti".to_owned();
        sealed(&mut entries[index]);
        assert_eq!(defect(entries), Some((AuditDefect::Changed, seq)), "{index}");
    }
}

#[test]
fn rebuilt_chain_is_detected_by_its_head() {
    let mut entries = chain();
    entries[1].after = Some("{}".to_owned());
    sealed(&mut entries[1]);
    for index in 2..4 {
        entries[index].previous = entries[index - 1].hash.clone();
        sealed(&mut entries[index]);
    }
    assert_eq!(defect(entries), Some((AuditDefect::Changed, 4)));
}

#[test]
fn entries_are_erased_only_in_chains_of_erased_tenants() {
    let mut entries = chain();
    let AuditEntry { hash, previous, .. } = entries[1].clone();
    let blank = AuditEntry { erased: true, actor_name: String::new(), ..entries[1].clone() };
    entries[1] = AuditEntry { search: blank.searched(), hash, previous, ..blank };
    assert_eq!(defect(entries.clone()), Some((AuditDefect::Changed, 2)));
    let mut reader = reader_of_erased_tenant();
    assert_eq!(entries.clone().into_iter().find_map(|entry| reader.check(entry)), None);
    entries[1].object_name = "Siti".to_owned();
    entries[1].search = entries[1].searched();
    let mut reader = reader_of_erased_tenant();
    let found = entries.into_iter().find_map(|entry| reader.check(entry));
    assert_eq!(found, Some((AuditDefect::Changed, 2)), "what is erased says nothing");
}

#[test]
fn truncated_chain_is_detected() {
    let mut entries = chain();
    entries.remove(0);
    assert_eq!(defect(entries), Some((AuditDefect::Missing, 1)));
    assert_eq!(defect(Vec::new()), Some((AuditDefect::CutOff, 1)));
}
