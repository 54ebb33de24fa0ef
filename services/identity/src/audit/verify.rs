//! Reads a chain from its beginning and tells the first place that is not as it was written, a bounded number of entries
//! at a time: whoever asks goes on from where the answer before ended. Who may write to the
//! database as its owner can make a chain anew from any place on; a copy of a hash that is kept elsewhere, in an export
//! for one, shows that. Of a tenant that is gone, entries may be erased: their hashes still follow each other.

use armada_proto::{
    TenantId, Timestamp,
    v1::{AuditDefect, AuditVerification, VerifyAuditRequest},
};
use armada_runtime::{Database, Result, Scope, Validate};
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, entity::prelude::Uuid};

use super::{append::chain_of, canonical};
use crate::entity::{
    audit_entry::{Column, Entity, Model},
    audit_head, tenant,
};

/// Entries read at a time.
const PIECE: i64 = 500;
/// Entries of one answer.
const LIMIT: u32 = 10_000;
/// Bytes of a hash.
const HASH: usize = 32;

/// Verifies the chain of a tenant, or that of the platform, from where a request says.
pub async fn verify(
    db: &Database,
    tenant: Option<TenantId>,
    mut request: VerifyAuditRequest,
) -> Result<AuditVerification> {
    let mut reader = Reader::resume(&mut request)?;
    let limit = if request.limit == 0 { LIMIT } else { request.limit };
    let until = reader.read.saturating_add(limit.into());
    let scope = tenant.map_or(Scope::Platform, Scope::Tenant);
    let (head, last) = ends(db, &scope, chain_of(tenant)).await?;
    reader.may_be_erased = is_gone(db, tenant).await?;
    let mut defect = None;
    while defect.is_none() && reader.read < last.min(until) {
        let piece_end = last.min(until).min(reader.read + PIECE);
        let piece = piece(db, &scope, chain_of(tenant), reader.read, piece_end).await?;
        if piece.is_empty() {
            defect = Some((AuditDefect::Missing, reader.read + 1));
        }
        defect = defect.or_else(|| piece.into_iter().find_map(|entry| reader.check(entry)));
    }
    let is_active_at = defect.is_none() && reader.read < last;
    if !is_active_at {
        defect = defect.or_else(|| reader.end(head.as_ref()));
    }
    Ok(AuditVerification {
        checked: reader.count,
        defect: defect.map(|(defect, _)| defect.into()),
        defect_seq: defect.map(|(_, seq)| seq),
        verified_at: Some(Timestamp::now()),
        last_seq: last,
        next_hash: is_active_at.then(|| to_hex(&reader.hash)),
    })
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of a hash; none of another text.
fn from_hex(text: &str) -> Option<Vec<u8>> {
    if text.len() != 2 * HASH || !text.bytes().all(|c| c.is_ascii_hexdigit()) {
        return None;
    }
    (0..HASH).map(|index| u8::from_str_radix(&text[2 * index..2 * index + 2], 16).ok()).collect()
}

/// What the head says, and the last entry there is, both at one time.
async fn ends(db: &Database, scope: &Scope, chain: Uuid) -> Result<(Option<audit_head::Model>, i64)> {
    let tx = db.read(scope).await?;
    let head = audit_head::Entity::find_by_id(chain).one(&tx).await?;
    let last = Entity::within(*scope).filter(Column::Chain.eq(chain)).order_by_desc(Column::Seq);
    let last = last.select_only().column(Column::Seq).into_tuple::<i64>().one(&tx).await?;
    Ok((head, last.unwrap_or_default()))
}

/// Whether a chain is that of a tenant that is there no more.
async fn is_gone(db: &Database, tenant: Option<TenantId>) -> Result<bool> {
    let Some(id) = tenant else { return Ok(false) };
    let tx = db.read(&Scope::Tenant(id)).await?;
    Ok(tenant::Entity::find_by_id(id).count(&tx).await? == 0)
}

/// The entries behind one and up to another.
async fn piece(db: &Database, scope: &Scope, chain: Uuid, after: i64, last: i64) -> Result<Vec<Model>> {
    let rows = Entity::within(*scope).filter(Column::Chain.eq(chain));
    let rows = rows.filter(Column::Seq.gt(after)).filter(Column::Seq.lte(last));
    let tx = db.read(scope).await?;
    Ok(rows.order_by_asc(Column::Seq).all(&tx).await?)
}

/// What is wrong, and with which entry.
pub type Defect = (AuditDefect, i64);

/// How far a chain was read.
#[derive(Default)]
pub struct Reader {
    count: i64,
    /// The last entry's place and hash.
    read: i64,
    hash: Vec<u8>,
    /// Whether entries of this chain may be erased.
    pub may_be_erased: bool,
}

impl Reader {
    /// One that has read so far as a request says.
    fn resume(request: &mut VerifyAuditRequest) -> Result<Self> {
        let mut fields = request.validate();
        let hash = match (request.after_seq, request.after_hash.as_str()) {
            (0, "") => Some(Vec::new()),
            (1.., text) => from_hex(text),
            _ => None,
        };
        if hash.is_none() {
            fields.add("after_hash", "invalid");
        }
        fields.check()?;
        let after = request.after_seq;
        Ok(Self { count: after, read: after, hash: hash.unwrap_or_default(), may_be_erased: false })
    }

    /// What is wrong with the next entry, or with the one before it as this one remembers it.
    pub fn check(&mut self, entry: Model) -> Option<Defect> {
        self.count += 1;
        let expected = self.read + 1;
        if entry.seq > expected {
            return Some((AuditDefect::Missing, expected));
        }
        let whole = match entry.erased {
            true => self.may_be_erased && entry.is_blank(),
            false => entry.hash == canonical::hash(&entry),
        };
        if !whole || !entry.is_searched_rightly() {
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
    pub fn end(&self, head: Option<&audit_head::Model>) -> Option<Defect> {
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
