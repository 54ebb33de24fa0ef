//! What would come of many changes, one after the other, without any of them being made.

use std::{
    collections::{HashMap, HashSet},
    mem,
    time::Duration,
};

use armada_proto::{ResourceInput, TenantId, Validate, Violations};
use sea_orm::{ColumnTrait, DatabaseTransaction, QueryFilter};
use tokio::time::Instant;
use uuid::Uuid;

use super::{
    BATCH, Resource, Row,
    operations::{change, checked_change, checked_new, insert, locked},
};
use crate::{
    auth::Caller,
    db::savepoint,
    error::{Code, Error, Result},
    jobs::current::as_one_of_tried,
};

/// For how long rows are tried in one transaction. On SQLite nobody else writes meanwhile.
const TIME_MAX: Duration = Duration::from_millis(150);

/// A row that is tried.
#[derive(Debug, Clone)]
pub(crate) enum TrialRow<I> {
    /// It makes something, or changes something where it has an id.
    Written(I),
    /// It removes what has this id.
    Removed(String),
}

/// What the rows of a file would have done that were tried before: nothing of that is in the tables.
#[derive(Debug, Default)]
pub(crate) struct Tried {
    /// What they have that no other row may have.
    claimed: HashSet<Claim>,
    /// What rows have in the tables which they changed.
    left: HashSet<Claim>,
    /// So many things are new, by their tenant.
    made: HashMap<TenantId, u64>,
}

/// A value that one row of a tenant has at most.
type Claim = (Option<TenantId>, String);

/// What would come of each of these rows, from the first on, as many as there is time for, one at least. Each sees what
/// those before it have done, but not what those would do that are `wrong` already; in the end none has done anything.
pub(crate) async fn try_rows<R: Resource>(
    resource: &R,
    caller: &Caller,
    rows: Vec<TrialRow<R::Input>>,
    wrong: Vec<bool>,
    tried: &mut Tried,
) -> Result<Vec<Result<()>>> {
    let (made, outcomes) = (tried.made.clone(), vec![None; rows.len()]);
    let mut trial = Trial { resource, caller, tried, wrong, now: Tried::default(), is_unwritten: false, outcomes };
    as_one_of_tried(made, trial.run(rows)).await?;
    let Trial { now, outcomes, .. } = trial;
    tried.claimed.retain(|claim| !now.left.contains(claim));
    tried.claimed.extend(now.claimed);
    tried.left.extend(now.left);
    for (tenant, count) in now.made {
        *tried.made.entry(tenant).or_default() += count;
    }
    Ok(outcomes.into_iter().map_while(|outcome| outcome).collect())
}

/// Adds what these rows would have done, which were tried before and found good.
pub(crate) async fn recall_rows<R: Resource>(
    resource: &R,
    caller: &Caller,
    rows: Vec<TrialRow<R::Input>>,
    tried: &mut Tried,
) -> Result<()> {
    let mut changes = HashMap::new();
    for row in rows {
        let TrialRow::Written(mut input) = row else { continue };
        if let Ok(id) = Uuid::try_parse(input.id()) {
            changes.insert(id, input);
        } else if let Some(row) = R::new_row(caller, &input, &mut Violations::default()) {
            // They bring the input into the form in which it is stored.
            drop(input.validate());
            resource.check(caller, None, &mut input, &mut Violations::default());
            tried.claimed.extend(R::claim(&input).map(|(_, value)| (row.tenant(), value)));
            if let Some(tenant) = row.tenant() {
                *tried.made.entry(tenant).or_default() += 1;
            }
        }
    }
    let tx = resource.db().read(&caller.scope()).await?;
    let seen = R::changeable(caller).filter(R::LIST.id.is_in(changes.keys().copied())).all(&tx).await?;
    for row in seen {
        let Some(mut input) = changes.remove(&row.id()) else { continue };
        drop(input.validate());
        resource.check(caller, Some(&row), &mut input, &mut Violations::default());
        let (Some((_, wanted)), had) = (R::claim(&input), R::claimed(&row)) else { continue };
        if had.as_ref() != Some(&wanted) {
            tried.left.extend(had.map(|value| (row.tenant(), value)));
            tried.claimed.insert((row.tenant(), wanted));
        }
    }
    Ok(())
}

/// Something new, which is checked, with its place.
type New<R> = (usize, (<R as Resource>::Row, <R as Resource>::Input));

/// Rows that are about to be written: what others had to be asked for is known.
enum Ready<R: Resource> {
    /// New ones of one tenant.
    New(Vec<(New<R>, R::Prepared)>),
    Change(usize, Box<(R::Row, R::Input)>, R::Prepared),
    Remove(usize, String),
}

struct Trial<'a, R: Resource> {
    resource: &'a R,
    caller: &'a Caller,
    tried: &'a Tried,
    /// By the place of the row: it is wrong already, and will not be done.
    wrong: Vec<bool>,
    /// What the rows of this transaction do.
    now: Tried,
    /// A row is good that could not be written: those behind it are tried in another transaction, which counts it.
    is_unwritten: bool,
    /// By the place of the row.
    outcomes: Vec<Option<Result<()>>>,
}

impl<R: Resource> Trial<'_, R> {
    async fn run(&mut self, rows: Vec<TrialRow<R::Input>>) -> Result<()> {
        let ready = self.prepare(rows).await?;
        let begun = Instant::now();
        let tx = self.resource.db().write(&self.caller.scope()).await?;
        for rows in ready {
            if !self.write(&tx, rows, begun).await? {
                break;
            }
        }
        Ok(tx.rollback().await?)
    }

    /// Those that can be written as far as it can be told before, in their order.
    async fn prepare(&mut self, rows: Vec<TrialRow<R::Input>>) -> Result<Vec<Ready<R>>> {
        let (mut ready, mut new) = (Vec::new(), Vec::<New<R>>::new());
        for (place, row) in rows.into_iter().enumerate() {
            let input = match row {
                TrialRow::Written(input) if input.id().is_empty() => input,
                TrialRow::Written(input) => {
                    ready.push(self.prepare_new(mem::take(&mut new)).await?);
                    match prepare_change(self.resource, self.caller, input).await {
                        Ok((row, prepared)) => ready.push(Ready::Change(place, Box::new(row), prepared)),
                        Err(error) => self.fail(place, error)?,
                    }
                    continue;
                }
                TrialRow::Removed(id) => {
                    ready.push(self.prepare_new(mem::take(&mut new)).await?);
                    ready.push(Ready::Remove(place, id));
                    continue;
                }
            };
            match checked_new(self.resource, self.caller, input) {
                Ok(row) => {
                    let is_apart = new.first().is_some_and(|(_, (first, _))| first.tenant() != row.0.tenant());
                    if is_apart || new.len() == BATCH {
                        ready.push(self.prepare_new(mem::take(&mut new)).await?);
                    }
                    new.push((place, row));
                }
                Err(error) => self.fail(place, error)?,
            }
        }
        ready.push(self.prepare_new(new).await?);
        Ok(ready)
    }

    /// Of new ones of one tenant those that can be written.
    async fn prepare_new(&mut self, new: Vec<New<R>>) -> Result<Ready<R>> {
        let (places, mut rows): (Vec<_>, Vec<_>) = new.iter().cloned().unzip();
        if let Ok(prepared) = self.resource.prepare_new(self.caller, &mut rows).await {
            return Ok(Ready::New(places.into_iter().zip(rows).zip(prepared).collect()));
        }
        let mut ready = Vec::new();
        for (place, row) in new {
            let mut alone = [row];
            match self.resource.prepare_new(self.caller, &mut alone).await {
                Ok(prepared) => {
                    ready.extend(alone.into_iter().zip(prepared).map(|(row, prepared)| ((place, row), prepared)));
                }
                Err(error) => self.fail(place, error)?,
            }
        }
        Ok(Ready::New(ready))
    }

    /// Whether there is time for more.
    async fn write(&mut self, tx: &DatabaseTransaction, ready: Ready<R>, begun: Instant) -> Result<bool> {
        let (resource, caller) = (self.resource, self.caller);
        match ready {
            Ready::New(new) => self.write_new(tx, &new, begun).await?,
            Ready::Change(place, row, prepared) => {
                let (seen, input) = *row;
                let (tenant, claim) = (seen.tenant(), R::claim(&input));
                let had = claim.is_some().then(|| R::claimed(&seen)).flatten();
                let wanted = claim.filter(|(_, value)| had.as_ref() != Some(value));
                let is_new = wanted.is_some();
                let write = async |tx: &DatabaseTransaction| {
                    change(resource, tx, caller, &seen, input, prepared).await.map(drop)
                };
                if self.write_one(tx, place, tenant, wanted, write).await? && is_new {
                    self.now.left.extend(had.map(|value| (tenant, value)));
                }
            }
            Ready::Remove(place, id) => {
                let write = async |tx: &DatabaseTransaction| remove(resource, tx, caller, &id).await;
                self.write_one(tx, place, None, None, write).await?;
            }
        }
        Ok(!self.is_unwritten && begun.elapsed() <= TIME_MAX)
    }

    /// Writes new ones of one tenant, as many as there is time for; together those between which none is wrong already.
    async fn write_new(
        &mut self,
        tx: &DatabaseTransaction,
        new: &[(New<R>, R::Prepared)],
        begun: Instant,
    ) -> Result<()> {
        let (resource, caller, wrong) = (self.resource, self.caller, self.wrong.clone());
        for some in new.chunk_by(|one, next| wrong[one.0.0] == wrong[next.0.0]) {
            let is_wrong = some.iter().any(|((place, _), _)| wrong[*place]);
            if !is_wrong && self.write_together(tx, some).await? {
                continue;
            }
            for ((place, row), prepared) in some.iter().cloned() {
                let (tenant, claim) = (row.0.tenant(), R::claim(&row.1));
                let write = async |tx: &DatabaseTransaction| {
                    insert(resource, tx, caller, vec![row], vec![prepared]).await.map(drop)
                };
                if self.write_one(tx, place, tenant, claim, write).await? {
                    self.count(tenant);
                }
                if self.is_unwritten || begun.elapsed() > TIME_MAX {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Writes new ones of one tenant, or none when anything is wrong with one; whether they are written.
    async fn write_together(&mut self, tx: &DatabaseTransaction, new: &[(New<R>, R::Prepared)]) -> Result<bool> {
        let claims = new.iter().filter_map(|((_, (row, input)), _)| Some((row.tenant(), R::claim(input)?.1)));
        let claims: Vec<_> = claims.collect();
        let different: HashSet<_> = claims.iter().collect();
        if different.len() < claims.len() || claims.iter().any(|claim| self.is_claimed(claim)) {
            return Ok(false);
        }
        let places: Vec<_> = new.iter().map(|((place, (row, _)), _)| (*place, row.tenant())).collect();
        let (rows, prepared) = new.iter().cloned().map(|((_, row), prepared)| (row, prepared)).unzip();
        let savepoint = savepoint(tx).await?;
        if insert(self.resource, &savepoint, self.caller, rows, prepared).await.is_err() {
            savepoint.rollback().await?;
            return Ok(false);
        }
        savepoint.commit().await?;
        self.now.claimed.extend(claims);
        for (place, tenant) in places {
            self.outcomes[place] = Some(Ok(()));
            self.count(tenant);
        }
        Ok(true)
    }

    /// Writes a row, and takes that back when anything is wrong with it, or was before; whether nothing is.
    async fn write_one(
        &mut self,
        tx: &DatabaseTransaction,
        place: usize,
        tenant: Option<TenantId>,
        claim: Option<(&'static str, String)>,
        write: impl AsyncFnOnce(&DatabaseTransaction) -> Result<()>,
    ) -> Result<bool> {
        let (field, claim) = claim.map_or(("", None), |(field, value)| (field, Some((tenant, value))));
        if claim.as_ref().is_some_and(|claim| self.is_claimed(claim)) {
            self.fail(place, Error::field(field, "repeated"))?;
            return Ok(false);
        }
        let savepoint = savepoint(tx).await?;
        let written = write(&savepoint).await;
        match &written {
            Ok(()) if !self.wrong[place] => savepoint.commit().await?,
            _ => savepoint.rollback().await?,
        }
        let is_left = claim.as_ref().is_some_and(|claim| self.tried.left.contains(claim));
        match written {
            // Who has it in the tables would have it no more: a row before this one took something else.
            Err(error) if is_left && error.fields.len() == 1 && error.fields.contains_key(field) => {
                self.is_unwritten = !self.wrong[place];
            }
            Err(error) => {
                self.fail(place, error)?;
                return Ok(false);
            }
            Ok(()) => {}
        }
        self.outcomes[place] = Some(Ok(()));
        if self.wrong[place] {
            return Ok(false);
        }
        self.now.claimed.extend(claim);
        Ok(true)
    }

    /// Whether a row before has a value.
    fn is_claimed(&self, claim: &Claim) -> bool {
        let before = self.tried.claimed.contains(claim) && !self.now.left.contains(claim);
        before || self.now.claimed.contains(claim)
    }

    /// One thing more that is new.
    fn count(&mut self, tenant: Option<TenantId>) {
        if let Some(tenant) = tenant {
            *self.now.made.entry(tenant).or_default() += 1;
        }
    }

    /// Says what is wrong with a row. An error that is not a row's own ends everything.
    fn fail(&mut self, place: usize, error: Error) -> Result<()> {
        match error.class {
            Code::Unavailable | Code::Internal | Code::Unauthenticated => Err(error),
            _ => {
                self.outcomes[place] = Some(Err(error));
                Ok(())
            }
        }
    }
}

async fn prepare_change<R: Resource>(
    resource: &R,
    caller: &Caller,
    input: R::Input,
) -> Result<((R::Row, R::Input), R::Prepared)> {
    let (seen, mut input) = checked_change(resource, caller, input).await?;
    let prepared = resource.prepare(caller, &seen, &mut input).await?;
    Ok(((seen, input), prepared))
}

async fn remove<R: Resource>(resource: &R, tx: &DatabaseTransaction, caller: &Caller, id: &str) -> Result<()> {
    let id = Uuid::try_parse(id).map_err(|_| Error::not_found())?;
    let row = locked(resource, tx, caller, id, None).await?;
    resource.removing(tx, caller, &row).await?;
    resource.remove(tx, caller, row).await
}
