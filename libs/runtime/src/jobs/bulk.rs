//! Bulk acts: a request says what is done to which things; each of them becomes an item.

use std::collections::{HashMap, HashSet};

use armada_proto::{
    TenantId, Violations,
    bulk::{Act, BulkRequest, Given, Parts},
    v1,
};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{
    Jobs,
    beginning::JobSpec,
    targets::{self, Target},
};
use crate::{
    auth::{self, Caller},
    error::{Error, Result},
    resource::Resource,
};

/// Characters that an id may have.
const ID_MAX: usize = 100;
/// The kind of these jobs.
const KIND: &str = "bulk";

impl Jobs {
    /// Starts a job that does what a request says to what it says, if the caller may do that to one thing.
    pub async fn bulk<R, B>(&self, resource: &R, request: Request<B>) -> std::result::Result<Response<v1::Job>, Status>
    where
        R: Resource,
        B: BulkRequest<Filter = R::Request>,
    {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.start(resource, &caller, request.into_inner()).await?))
    }

    async fn start<R, B>(&self, resource: &R, caller: &Caller, mut request: B) -> Result<v1::Job>
    where
        R: Resource,
        B: BulkRequest<Filter = R::Request>,
    {
        let user = caller.user()?.user_id;
        let violations = request.validate();
        let Parts { ids, filter, acts } = request.into_parts();
        let (action, method, request) = requested_act(violations, acts, ids.is_empty() == filter.is_none())?;
        auth::may_call(method, caller)?;
        let own = caller.scope().tenant();
        let items = match filter {
            Some(filter) => targets::listed(resource, caller, filter).await.map_err(of_filter)?,
            None => {
                let ids = chosen(ids)?;
                let found = targets::named(resource, caller, &ids).await?;
                in_order(ids, found, own)
            }
        };
        let act = JobSpec { kind: KIND, resource: R::ACTS.kind, action, method, request, trial: None, undoes: None };
        self.begin(caller, user, act, items).await
    }
}

/// The one act that a request names: its name, the method that does it, and the request of that. An error tells of everything
/// that is wrong at once.
fn requested_act(
    mut fields: Violations,
    acts: Vec<Act>,
    choice_is_wrong: bool,
) -> Result<(&'static str, &'static str, Vec<u8>)> {
    if choice_is_wrong {
        fields.add("ids", "exactly_one");
        fields.add("filter", "exactly_one");
    }
    let names: Vec<_> = acts.iter().map(|act| act.name).collect();
    let mut given = acts.into_iter().filter_map(|act| Some((act.name, act.method, act.given?)));
    let (Some((name, method, Given { request, secrets })), None) = (given.next(), given.next()) else {
        names.into_iter().for_each(|name| fields.add(name, "exactly_one"));
        fields.check()?;
        return Err(Error::internal("no act is wrong, and none is wanted"));
    };
    for secret in secrets {
        fields.add(&format!("{name}.{secret}"), "one_at_a_time");
    }
    fields.check()?;
    Ok((name, method, request))
}

/// An error about what the list is asked, with its fields as they stand in the request.
fn of_filter(mut error: Error) -> Error {
    let named = |(name, code)| (if name == "filter" { name } else { format!("filter.{name}") }, code);
    error.fields = error.fields.into_iter().map(named).collect();
    error
}

/// The ids, each of them once.
fn chosen(ids: Vec<String>) -> Result<Vec<String>> {
    if ids.iter().any(|id| id.is_empty() || id.chars().count() > ID_MAX) {
        return Err(Error::field("ids", "invalid"));
    }
    let mut seen = HashSet::with_capacity(ids.len());
    Ok(ids.into_iter().filter(|id| seen.insert(id.clone())).collect())
}

/// The things that were found in the order in which they were named. What is not found stays, without a name: it will not
/// be found when its turn comes either.
fn in_order(ids: Vec<String>, found: Vec<Target>, own: Option<TenantId>) -> Vec<Target> {
    let mut found: HashMap<String, Target> = found.into_iter().map(|target| (target.id.clone(), target)).collect();
    let unknown = |id: String| Target { id, name: String::new(), tenant: own, own: None, wrong: None };
    // One thing may have been named in several spellings.
    let mut seen = HashSet::with_capacity(ids.len());
    let in_order = ids.into_iter().map(|id| {
        let canonical = Uuid::try_parse(&id).map_or(id, |id| id.to_string());
        found.remove(&canonical).unwrap_or_else(|| unknown(canonical))
    });
    in_order.filter(|target| seen.insert(target.id.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act(name: &'static str, secrets: Option<Vec<&'static str>>) -> Act {
        Act { name, method: "", given: secrets.map(|secrets| Given { request: Vec::new(), secrets }) }
    }

    fn wrong(acts: Vec<Act>, choice_is_wrong: bool) -> Vec<String> {
        let fields = requested_act(Violations::default(), acts, choice_is_wrong).expect_err("it is wrong").fields;
        let mut wrong: Vec<_> = fields.into_iter().map(|(name, code)| format!("{name} {code}")).collect();
        wrong.sort();
        wrong
    }

    #[test]
    fn exactly_one_act_is_named() {
        let acts = |delete, update| vec![act("delete", delete), act("update", update)];
        assert_eq!(
            requested_act(Violations::default(), acts(Some(vec![]), None), false).map(|(name, ..)| name),
            Ok("delete")
        );
        assert_eq!(wrong(acts(None, None), false), ["delete exactly_one", "update exactly_one"]);
        let both = acts(Some(vec![]), Some(vec![]));
        let all = ["delete exactly_one", "filter exactly_one", "ids exactly_one", "update exactly_one"];
        assert_eq!(wrong(both, true), all);
        assert_eq!(wrong(acts(None, Some(vec!["password"])), false), ["update.password one_at_a_time"]);
    }

    #[test]
    fn every_thing_is_one_item() {
        let id = Uuid::now_v7().to_string();
        let found = Target { id: id.clone(), name: "Truck".to_owned(), tenant: None, own: None, wrong: None };
        let ids = [id.to_uppercase(), "x".to_owned(), id.clone(), "x".to_owned()];
        let items = in_order(chosen(ids.to_vec()).expect("ids"), vec![found.clone()], None);
        assert_eq!(
            items,
            [found, Target { id: "x".to_owned(), name: String::new(), tenant: None, own: None, wrong: None }]
        );
        assert!(chosen(vec![String::new()]).is_err());
    }
}
