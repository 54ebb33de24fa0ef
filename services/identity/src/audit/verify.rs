//! Reads a chain from its beginning and tells the first place that is not as it was written. Who may write to the
//! database as its owner can make a chain anew from any place on; a copy of a hash that is kept elsewhere, in an export
//! for one, shows that.

use armada_proto::{
    TenantId, Timestamp,
    v1::{AuditDefect, AuditVerification},
};
use armada_runtime::{Database, Result, Scope};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, entity::prelude::Uuid};

use super::{append::chain_of, canonical};
use crate::entity::{
    audit_entry::{Column, Entity, Model},
    audit_head,
};

/// Entries read at a time.
const PIECE: u64 = 500;

/// Verifies the chain of a tenant, or that of the platform, as far as it goes now.
pub async fn verify(db: &Database, tenant: Option<TenantId>) -> Result<AuditVerification> {
    let scope = tenant.map_or(Scope::Platform, Scope::Tenant);
    let (head, last) = ends(db, &scope, chain_of(tenant)).await?;
    let mut reader = Reader::default();
    let mut defect = None;
    while defect.is_none() && reader.read < last {
        let piece = piece(db, &scope, chain_of(tenant), reader.read, last).await?;
        if piece.is_empty() {
            break;
        }
        defect = piece.into_iter().find_map(|entry| reader.check(entry));
    }
    let defect = defect.or_else(|| reader.end(head.as_ref()));
    Ok(AuditVerification {
        checked: reader.count,
        defect: defect.map(|(defect, _)| defect.into()),
        defect_seq: defect.map(|(_, seq)| seq),
        verified_at: Some(Timestamp::now()),
    })
}

/// What the head says, and the last entry there is, both at one time.
async fn ends(db: &Database, scope: &Scope, chain: Uuid) -> Result<(Option<audit_head::Model>, i64)> {
    let tx = db.read(scope).await?;
    let head = audit_head::Entity::find_by_id(chain).one(&tx).await?;
    let last = Entity::within(*scope).filter(Column::Chain.eq(chain)).order_by_desc(Column::Seq);
    let last = last.select_only().column(Column::Seq).into_tuple::<i64>().one(&tx).await?;
    Ok((head, last.unwrap_or_default()))
}

async fn piece(db: &Database, scope: &Scope, chain: Uuid, after: i64, last: i64) -> Result<Vec<Model>> {
    let rows = Entity::within(*scope).filter(Column::Chain.eq(chain));
    let rows = rows.filter(Column::Seq.gt(after)).filter(Column::Seq.lte(last));
    let tx = db.read(scope).await?;
    Ok(rows.order_by_asc(Column::Seq).limit(PIECE).all(&tx).await?)
}

type Defect = (AuditDefect, i64);

/// How far a chain was read.
#[derive(Default)]
struct Reader {
    count: i64,
    /// The last entry's place and hash.
    read: i64,
    hash: Vec<u8>,
}

impl Reader {
    /// What is wrong with the next entry, or with the one before it as this one remembers it.
    fn check(&mut self, entry: Model) -> Option<Defect> {
        self.count += 1;
        let expected = self.read + 1;
        if entry.seq > expected {
            return Some((AuditDefect::Missing, expected));
        }
        if entry.hash != canonical::hash(&entry) || entry.search != entry.searched() {
            return Some((AuditDefect::Changed, entry.seq));
        }
        if entry.previous != self.hash {
            return Some((AuditDefect::Changed, self.read.max(1)));
        }
        self.read = entry.seq;
        self.hash = entry.hash;
        None
    }

    /// What is wrong with the end.
    fn end(&self, head: Option<&audit_head::Model>) -> Option<Defect> {
        let (seq, hash) = head.map_or((0, [].as_slice()), |head| (head.seq, head.hash.as_slice()));
        match seq.cmp(&self.read) {
            std::cmp::Ordering::Greater => Some((AuditDefect::CutOff, self.read + 1)),
            // The head is written with each entry: one that it does not know was not entered as entries are.
            std::cmp::Ordering::Less => Some((AuditDefect::Changed, seq + 1)),
            std::cmp::Ordering::Equal if hash != self.hash => Some((AuditDefect::Changed, self.read)),
            std::cmp::Ordering::Equal => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain() -> Vec<Model> {
        let mut previous = Vec::new();
        let entries = (1..=4).map(|seq| {
            let mut entry = Model {
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
            };
            sealed(&mut entry);
            previous.clone_from(&entry.hash);
            entry
        });
        entries.collect()
    }

    /// Makes an entry right in itself.
    fn sealed(entry: &mut Model) {
        entry.search = entry.searched();
        entry.hash = canonical::hash(entry);
    }

    /// The defect of a chain whose head knows the last entry of the real one.
    fn defect(entries: Vec<Model>) -> Option<Defect> {
        let last = chain().pop().expect("there are four");
        let head = audit_head::Model { chain: Uuid::nil(), tenant_id: None, seq: last.seq, hash: last.hash };
        let mut reader = Reader::default();
        entries.into_iter().find_map(|entry| reader.check(entry)).or_else(|| reader.end(Some(&head)))
    }

    #[test]
    fn an_entry_with_a_hash_made_anew_is_told_by_the_next_one() {
        assert_eq!(defect(chain()), None);
        for (index, seq) in [(0, 1), (1, 2), (3, 4)] {
            let mut entries = chain();
            entries[index].actor_name = "Siti".to_owned();
            sealed(&mut entries[index]);
            assert_eq!(defect(entries), Some((AuditDefect::Changed, seq)), "{index}");
        }
    }

    #[test]
    fn a_chain_made_anew_is_told_by_its_head() {
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
    fn a_chain_that_begins_later_lacks_its_beginning() {
        let mut entries = chain();
        entries.remove(0);
        assert_eq!(defect(entries), Some((AuditDefect::Missing, 1)));
        assert_eq!(defect(Vec::new()), Some((AuditDefect::CutOff, 1)));
    }
}
