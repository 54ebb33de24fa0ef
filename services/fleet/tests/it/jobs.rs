//! Long acts on many devices.

use armada_proto::{
    access::permission::{DEVICE_DELETE, DEVICE_LIST, DEVICE_UPDATE},
    v1::{
        BulkDevicesRequest, DeleteRequest, DeleteTenantInput, Device, DeviceInput, Empty, Job, JobItem, JobItemList,
        JobItemStatus, JobRequest, JobStatus, ListDevicesRequest, ListJobItemsRequest, ListJobsRequest,
        jobs_client::JobsClient, users_client::UsersClient,
    },
};
use armada_runtime::{Code, Database, Error, Result, Scope, Transport};
use armada_testkit::{RunningProcess, Signed, both_databases, eventually, eventually_equal};
use sea_orm::{ConnectionTrait, prelude::Uuid};

use crate::support::{Fleet, SOON, answer, new_device, new_imei, owned_by};

/// So many items that a job is still busy with them when it is looked at.
const MANY: usize = 2000;

impl Fleet {
    pub fn jobs(&self) -> JobsClient<Transport> {
        JobsClient::new(self.running.context.peers.transport("fleet").unwrap())
    }

    pub async fn bulk(&self, caller: &Signed, request: BulkDevicesRequest) -> Result<Job> {
        answer(self.devices().bulk(caller.sign(request)).await)
    }

    pub async fn job(&self, caller: &Signed, id: &str) -> Result<Job> {
        let request = JobRequest { service: "fleet".to_owned(), id: id.to_owned() };
        answer(self.jobs().get(caller.sign(request)).await)
    }

    async fn stop_job(&self, caller: &Signed, id: &str) -> Result<Job> {
        let request = JobRequest { service: "fleet".to_owned(), id: id.to_owned() };
        answer(self.jobs().cancel(caller.sign(request)).await)
    }

    pub async fn undo_job(&self, caller: &Signed, id: &str) -> Result<Job> {
        let request = JobRequest { service: "fleet".to_owned(), id: id.to_owned() };
        answer(self.jobs().undo(caller.sign(request)).await)
    }

    pub async fn items(&self, caller: &Signed, request: ListJobItemsRequest) -> Result<JobItemList> {
        let request = ListJobItemsRequest { service: "fleet".to_owned(), ..request };
        answer(self.jobs().list_items(caller.sign(request)).await)
    }

    pub async fn items_of(&self, caller: &Signed, id: &str, status: JobItemStatus) -> Result<Vec<JobItem>> {
        let statuses = vec![status.into()];
        let request = ListJobItemsRequest { id: id.to_owned(), statuses, page_size: 500, ..Default::default() };
        Ok(self.items(caller, request).await?.items)
    }

    async fn list_jobs(&self, caller: &Signed, tenant_id: Option<String>) -> Result<Vec<String>> {
        let request = ListJobsRequest { service: "fleet".to_owned(), tenant_id, ..Default::default() };
        let list = answer(self.jobs().list(caller.sign(request)).await)?;
        Ok(list.items.into_iter().map(|job| job.id).collect())
    }

    /// The job once it is over.
    pub async fn over(&self, caller: &Signed, id: &str) -> Job {
        eventually("the job is over", SOON * 3, async || {
            let job = self.job(caller, id).await?;
            anyhow::ensure!(job.finished_at.is_some(), "{job:?}");
            Ok(job)
        })
        .await
    }

    /// Waits until a job is in the middle.
    async fn begun(&self, caller: &Signed, id: &str) {
        eventually("the job has begun", SOON, async || {
            let job = self.job(caller, id).await?;
            anyhow::ensure!(job.done + job.failed > 0, "{job:?}");
            assert_eq!(job.status(), JobStatus::Running);
            Ok(())
        })
        .await;
    }

    pub async fn execute(&self, sql: &str) -> anyhow::Result<u64> {
        execute(&self.world.database("fleet").await, sql).await
    }

    async fn count(&self, table: &str) -> anyhow::Result<u64> {
        // It counts what an update would change, which is the same on both databases.
        Ok(match table {
            "job" => self.execute("UPDATE job SET total = total").await?,
            _ => self.execute("UPDATE job_item SET name = name").await?,
        })
    }
}

async fn execute(database: &Database, sql: &str) -> anyhow::Result<u64> {
    let tx = database.write(&Scope::Platform).await?;
    let done = tx.execute_unprepared(sql).await?.rows_affected();
    tx.commit().await?;
    Ok(done)
}

fn delete(ids: Vec<String>) -> BulkDevicesRequest {
    BulkDevicesRequest { ids, delete: Some(Empty {}), ..Default::default() }
}

fn update(ids: Vec<String>, input: DeviceInput) -> BulkDevicesRequest {
    BulkDevicesRequest { ids, update: Some(input), ..Default::default() }
}

fn with_vehicle_code(vehicle_code: &str) -> DeviceInput {
    DeviceInput { vehicle_code: Some(vehicle_code.to_owned()), ..DeviceInput::default() }
}

/// Ids of nothing.
fn absent(count: usize) -> Vec<String> {
    (0..count).map(|_| Uuid::now_v7().to_string()).collect()
}

fn ids(devices: &[Device]) -> Vec<String> {
    devices.iter().map(|device| device.id.clone()).collect()
}

async fn devices(fleet: &Fleet, caller: &Signed, count: usize) -> anyhow::Result<Vec<Device>> {
    let mut made = Vec::new();
    for n in 0..count {
        made.push(fleet.create(caller, new_device(&format!("Truck {n:03}"))).await?);
    }
    Ok(made)
}

fn fields(refused: Result<Job>) -> Vec<String> {
    let mut fields: Vec<_> =
        refused.unwrap_err().fields.into_iter().map(|(name, code)| format!("{name} {code}")).collect();
    fields.sort();
    fields
}

both_databases! {
    async fn every_item_has_a_result_of_its_own(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (acme, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let own = devices(&fleet, &acme.admin, 2).await?;
        let foreign = fleet.create(&other.admin, new_device("Foreign")).await?;
        let nowhere = Uuid::now_v7().to_string();
        let named = vec![own[0].id.clone(), foreign.id.clone(), nowhere.clone(), own[1].id.clone(), own[0].id.clone()];
        let job = fleet.bulk(&acme.admin, delete(named)).await?;
        assert_eq!((job.service.as_str(), job.kind.as_str(), job.resource.as_str()), ("fleet", "bulk", "device"));
        assert_eq!((job.action.as_str(), job.total, job.status()), ("delete", 4, JobStatus::Queued));
        assert_eq!((job.created_by.clone(), job.tenant_id.clone()), (acme.admin.grant.user_id.to_string(), Some(acme.id.to_string())));

        let job = fleet.over(&acme.admin, &job.id).await;
        assert_eq!((job.status(), job.done, job.failed), (JobStatus::Completed, 2, 2));
        let items = fleet.items(&acme.admin, ListJobItemsRequest { id: job.id.clone(), ..Default::default() }).await?;
        let summary = |item: &JobItem| (item.item_id.clone(), item.name.clone(), item.status(), item.error.clone());
        let missing = |id: &String| (id.clone(), String::new(), JobItemStatus::Failed, Some("not_found".to_owned()));
        let gone = |device: &Device| (device.id.clone(), device.name.clone(), JobItemStatus::Done, None);
        let wanted = [gone(&own[0]), missing(&foreign.id), missing(&nowhere), gone(&own[1])];
        assert_eq!(items.items.iter().map(summary).collect::<Vec<_>>(), wanted);
        // What is foreign is, to the byte, like what is nowhere.
        let outcome_of = |item: &JobItem| JobItem { item_id: String::new(), ..item.clone() };
        assert_eq!(outcome_of(&items.items[1]), outcome_of(&items.items[2]));
        for device in &own {
            assert_eq!(fleet.get(&acme.admin, &device.id).await.unwrap_err(), Error::not_found());
        }
        assert!(fleet.get(&other.admin, &foreign.id).await.is_ok());

        // The rules are those of the single act.
        let two = devices(&fleet, &acme.admin, 2).await?;
        let imei = new_imei();
        let same = DeviceInput { imei: Some(imei.clone()), ..DeviceInput::default() };
        let job = fleet.bulk(&acme.admin, update(ids(&two), same)).await?;
        assert_eq!(fleet.over(&acme.admin, &job.id).await.failed, 1);
        let failed = fleet.items_of(&acme.admin, &job.id, JobItemStatus::Failed).await?;
        assert_eq!((failed.len(), failed[0].name.as_str(), failed[0].error.as_deref()), (1, "Truck 001", Some("conflict")));
        assert_eq!(failed[0].fields["imei"], "taken_by_own");
        assert_eq!(failed[0].conflicting.as_ref().map(|it| it.name.as_str()), Some("Truck 000"));
        assert_eq!(fleet.get(&acme.admin, &two[0].id).await?.imei, imei);
        fleet.running.stop().await
    }

    async fn bulk_filter_matches_the_list(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (acme, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        devices(&fleet, &acme.admin, 30).await?;
        devices(&fleet, &other.admin, 1).await?;
        let own = fleet.create(&acme.admin, owned_by(&acme.budi, new_device("Budi's"))).await?;
        fleet.allow(&acme.budi.grant.user_id.to_string(), &acme.id.to_string(), &[DEVICE_LIST, DEVICE_UPDATE]).await;
        let of_filter = |filter| BulkDevicesRequest { filter: Some(filter), update: Some(with_vehicle_code("B 1")), ..Default::default() };

        let filter = ListDevicesRequest { q: "truck 02".to_owned(), page_size: 1, sort: "-name".to_owned(), ..Default::default() };
        let job = fleet.bulk(&acme.admin, of_filter(filter)).await?;
        assert_eq!(job.total, 10);
        assert_eq!(fleet.over(&acme.admin, &job.id).await.done, 10);
        let page = |page| ListJobItemsRequest { id: job.id.clone(), page, page_size: 4, ..Default::default() };
        let mut names = Vec::new();
        for n in 1..=3 {
            let list = fleet.items(&acme.admin, page(n)).await?;
            assert_eq!(list.total, 10);
            names.extend(list.items.into_iter().map(|item| item.name));
        }
        let wanted: Vec<_> = (20..30).rev().map(|n| format!("Truck {n:03}")).collect();
        assert_eq!(names, wanted);
        let failed = ListJobItemsRequest { statuses: vec![JobItemStatus::Failed.into()], ..page(1) };
        assert_eq!(fleet.items(&acme.admin, failed).await?.total, 0);

        // Of everything there is, a user's own.
        let job = fleet.bulk(&acme.budi, of_filter(ListDevicesRequest::default())).await?;
        assert_eq!((fleet.over(&acme.budi, &job.id).await.done, job.total), (1, 1));
        assert_eq!(fleet.get(&acme.budi, &own.id).await?.vehicle_code, "B 1");
        let job = fleet.bulk(&fleet.owner, of_filter(ListDevicesRequest::default())).await?;
        assert_eq!(job.total, 32);
        assert_eq!((fleet.over(&fleet.owner, &job.id).await.done, job.tenant_id), (32, None));

        let wrong = ListDevicesRequest { sort: "colour".to_owned(), ..Default::default() };
        assert_eq!(fields(fleet.bulk(&acme.admin, of_filter(wrong)).await), ["filter.sort unknown"]);
        let foreign = ListDevicesRequest { tenant_id: Some(other.id.to_string()), ..Default::default() };
        assert_eq!(fleet.bulk(&acme.admin, of_filter(foreign)).await.unwrap_err(), Error::not_found());
        fleet.running.stop().await
    }

    async fn a_request_says_one_act_and_what_it_is_done_to(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let acme = fleet.company("Acme").await;
        let nothing = BulkDevicesRequest::default();
        let all = ["delete exactly_one", "filter exactly_one", "ids exactly_one", "restore exactly_one", "update exactly_one"];
        assert_eq!(fields(fleet.bulk(&acme.admin, nothing).await), all);
        let both = BulkDevicesRequest { filter: Some(Default::default()), update: Some(with_vehicle_code("x")), ..delete(absent(1)) };
        assert_eq!(fields(fleet.bulk(&acme.admin, both).await), all);
        assert_eq!(fields(fleet.bulk(&acme.admin, delete(vec![String::new()])).await), ["ids invalid"]);
        assert_eq!(fields(fleet.bulk(&acme.admin, delete(vec!["x".to_owned(); 100_001])).await), ["ids too_many"]);
        // Whoever may not do it to one may not do it to many.
        for request in [delete(absent(1)), update(absent(1), with_vehicle_code("x"))] {
            assert_eq!(fleet.bulk(&acme.budi, request).await.unwrap_err(), Error::forbidden());
        }
        assert_eq!(fleet.count("job").await?, 0);
        fleet.running.stop().await
    }

    async fn a_job_stops_in_the_middle(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let acme = fleet.company("Acme").await;
        let last = fleet.create(&acme.admin, new_device("Last")).await?;
        let job = fleet.bulk(&acme.admin, delete([absent(MANY), vec![last.id.clone()]].concat())).await?;
        let waiting = delete([absent(MANY), vec![last.id.clone()]].concat());
        let next = fleet.bulk(&acme.budi_who_deletes(&fleet).await, waiting).await?;
        fleet.begun(&acme.admin, &job.id).await;
        // Of one tenant one job runs at a time, and one that waits is over at once.
        let stopped = fleet.stop_job(&acme.admin, &next.id).await?;
        assert_eq!((stopped.status(), stopped.started_at), (JobStatus::Cancelled, None));
        fleet.stop_job(&acme.admin, &job.id).await?;
        let job = fleet.over(&acme.admin, &job.id).await;
        assert_eq!((job.status(), job.error.clone(), job.done), (JobStatus::Cancelled, None, 0));
        assert!(job.failed > 0 && job.failed < job.total, "{job:?}");
        for (job, decided) in [(&job, job.failed), (&next, 0)] {
            let statuses = vec![JobItemStatus::Skipped.into()];
            let skipped = ListJobItemsRequest { id: job.id.clone(), statuses, ..Default::default() };
            assert_eq!(fleet.items(&acme.admin, skipped).await?.total, job.total - decided);
        }
        assert!(fleet.get(&acme.admin, &last.id).await.is_ok());
        // What is over stays as it is.
        assert_eq!(fleet.stop_job(&acme.admin, &job.id).await?, job);
        fleet.running.stop().await
    }

    /// What they lost in the middle, they have lost for the rest; who is gone does nothing any more.
    async fn jobs_use_current_rights(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let acme = fleet.company("Acme").await;
        let budi = acme.budi_who_deletes(&fleet).await;
        let last = fleet.create(&acme.admin, owned_by(&budi, new_device("Last"))).await?;
        let job = fleet.bulk(&budi, delete([absent(MANY), vec![last.id.clone()]].concat())).await?;
        fleet.begun(&budi, &job.id).await;
        fleet.allow(&budi.grant.user_id.to_string(), &acme.id.to_string(), &[DEVICE_LIST]).await;
        let job = fleet.over(&budi, &job.id).await;
        assert_eq!((job.status(), job.done, job.failed), (JobStatus::Completed, 0, job.total));
        let request = ListJobItemsRequest {
            id: job.id.clone(), page: job.total.div_ceil(500), page_size: 500, ..Default::default()
        };
        let items = fleet.items(&budi, request).await?.items;
        assert_eq!(items.last().and_then(|item| item.error.as_deref()), Some("forbidden"));
        let first = fleet.items(&budi, ListJobItemsRequest { id: job.id.clone(), ..Default::default() }).await?;
        assert_eq!(first.items[0].error.as_deref(), Some("not_found"));
        assert!(fleet.get(&budi, &last.id).await.is_ok());

        let siti = &acme.siti;
        fleet.allow(&siti.grant.user_id.to_string(), &acme.id.to_string(), &[DEVICE_DELETE]).await;
        let job = fleet.bulk(siti, delete([absent(MANY), vec![last.id.clone()]].concat())).await?;
        fleet.begun(&acme.admin, &job.id).await;
        let identity = fleet.running.context.peers.transport("identity")?;
        let request = DeleteRequest { id: siti.grant.user_id.to_string(), row_version: None };
        answer(UsersClient::new(identity).delete(acme.admin.sign(request)).await)?;
        let job = fleet.over(&acme.admin, &job.id).await;
        assert_eq!((job.status(), job.error.as_deref()), (JobStatus::Cancelled, Some("job_user_gone")));
        assert!(fleet.get(&acme.admin, &last.id).await.is_ok());
        fleet.running.stop().await
    }

    async fn jobs_of_others_do_not_exist(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (acme, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let budi = acme.budi_who_deletes(&fleet).await;
        let of_budi = fleet.bulk(&budi, delete(absent(1))).await?.id;
        let of_admin = fleet.bulk(&acme.admin, delete(absent(1))).await?.id;
        let of_platform = fleet.bulk(&fleet.owner, delete(absent(1))).await?.id;
        let nowhere = Uuid::now_v7().to_string();
        for (caller, foreign) in [(&other.admin, &of_admin), (&acme.siti, &of_budi), (&budi, &of_admin), (&acme.admin, &of_platform)] {
            for id in [foreign.as_str(), &nowhere, "x"] {
                assert_eq!(fleet.job(caller, id).await.unwrap_err(), Error::not_found());
                assert_eq!(fleet.stop_job(caller, id).await.unwrap_err(), Error::not_found());
                let request = ListJobItemsRequest { id: id.to_owned(), ..Default::default() };
                assert_eq!(fleet.items(caller, request).await.unwrap_err(), Error::not_found());
            }
        }
        let all = [of_platform.clone(), of_admin.clone(), of_budi.clone()];
        assert_eq!(fleet.list_jobs(&other.admin, None).await?, [""; 0]);
        assert_eq!(fleet.list_jobs(&acme.siti, None).await?, [""; 0]);
        assert_eq!(fleet.list_jobs(&budi, None).await?, all[2..]);
        assert_eq!(fleet.list_jobs(&acme.admin, None).await?, all[1..]);
        assert_eq!(fleet.list_jobs(&fleet.owner, None).await?, all);
        assert_eq!(fleet.list_jobs(&fleet.owner, Some(acme.id.to_string())).await?, all[1..]);
        let foreign = fleet.list_jobs(&other.admin, Some(acme.id.to_string())).await;
        assert_eq!(foreign.unwrap_err(), Error::not_found());
        let elsewhere = JobRequest { service: "identity".to_owned(), id: of_admin.clone() };
        assert_eq!(answer(fleet.jobs().get(acme.admin.sign(elsewhere)).await).unwrap_err(), Error::not_found());
        fleet.running.stop().await
    }

    async fn a_user_has_so_many_jobs_at_a_time(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let acme = fleet.company("Acme").await;
        let first = fleet.bulk(&acme.admin, delete(absent(MANY * 2))).await?;
        for _ in 1..10 {
            fleet.bulk(&acme.admin, delete(absent(1))).await?;
        }
        let refused = fleet.bulk(&acme.admin, delete(absent(1))).await.unwrap_err();
        assert_eq!((refused.class, refused.code.as_str()), (Code::TooManyRequests, "too_many_jobs"));
        let budi = acme.budi_who_deletes(&fleet).await;
        let of_budi = fleet.bulk(&budi, delete(absent(1))).await?;
        assert_eq!(fleet.job(&budi, &of_budi.id).await?.status(), JobStatus::Queued);
        fleet.stop_job(&acme.admin, &first.id).await?;
        assert_eq!(fleet.over(&budi, &of_budi.id).await.status(), JobStatus::Completed);
        fleet.bulk(&acme.admin, delete(absent(1))).await?;
        fleet.running.stop().await
    }

    async fn an_erased_tenant_leaves_no_jobs(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (acme, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let truck = fleet.create(&acme.admin, new_device("Secret truck")).await?;
        let own = fleet.bulk(&acme.admin, update(vec![truck.id.clone()], with_vehicle_code("x"))).await?;
        let of_platform = fleet.bulk(&fleet.owner, update(vec![truck.id.clone()], with_vehicle_code("y"))).await?;
        let of_other = fleet.bulk(&other.admin, delete(absent(1))).await?;
        for job in [&own, &of_platform, &of_other] {
            fleet.over(&fleet.owner, &job.id).await;
        }
        let name = DeleteTenantInput { id: acme.id.to_string(), name: "Acme".to_owned(), row_version: None };
        answer(fleet.tenants().delete(fleet.owner.sign(name.clone())).await)?;
        answer(fleet.tenants().erase(fleet.owner.sign(name)).await)?;
        eventually_equal("the job is gone", SOON, Some(Error::not_found()), async || {
            Ok(fleet.job(&fleet.owner, &own.id).await.err())
        })
        .await;
        let items = fleet.items(&fleet.owner, ListJobItemsRequest { id: of_platform.id, ..Default::default() }).await?;
        assert_eq!((items.items[0].item_id.as_str(), items.items[0].name.as_str()), (truck.id.as_str(), ""));
        assert_eq!((fleet.count("job").await?, fleet.count("job_item").await?), (2, 2));
        fleet.running.stop().await
    }

    /// Of two instances, each takes a job from the other again and again, which still works on it.
    async fn job_items_run_once(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let second = another(&fleet).await;
        let acme = fleet.company("Acme").await;
        let all = fleet.many(&acme.admin, 1_500).await?;
        let (made, gone) = all.split_at(1_000);
        let changed = fleet.bulk(&acme.admin, update(ids(made), with_vehicle_code("B 1"))).await?;
        let removed = fleet.bulk(&acme.admin, delete(ids(gone))).await?;
        let mut taken = 0;
        // That of one of them, whose writers take turns: somebody else would wait until both are done.
        let database = fleet.running.context.database("fleet")?;
        let disturbed = async {
            while fleet.job(&acme.admin, &removed.id).await?.finished_at.is_none() {
                taken += execute(&database, "UPDATE job SET lease_until = 0 WHERE status = 'running'").await?;
                tokio::task::yield_now().await;
            }
            anyhow::Ok(())
        };
        tokio::time::timeout(SOON * 4, disturbed).await??;
        assert!(taken > 3, "{taken}");
        for (job, count) in [(changed, 1_000), (removed, 500)] {
            let job = fleet.over(&acme.admin, &job.id).await;
            assert_eq!((job.status(), job.done, job.failed), (JobStatus::Completed, count, 0));
        }
        let left = fleet.all(&acme.admin).await?;
        assert_eq!(ids(&left), ids(made));
        assert!(left.iter().all(|device| device.row_version == 2));
        second.stop().await?;
        fleet.running.stop().await
    }

    /// What one instance has begun another one finishes.
    async fn an_abandoned_job_goes_on_elsewhere(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let second = another(&fleet).await;
        let acme = fleet.company("Acme").await;
        let made = fleet.many(&acme.admin, 490).await?;
        let job = fleet.bulk(&acme.admin, update(ids(&made), with_vehicle_code("B 1"))).await?;
        fleet.begun(&acme.admin, &job.id).await;
        // It is dropped where it is, in the middle of an item.
        std::mem::replace(&mut fleet.running, second).abort().await;
        let job = fleet.over(&acme.admin, &job.id).await;
        assert_eq!((job.status(), job.done, job.failed), (JobStatus::Completed, 490, 0));
        let left = fleet.all(&acme.admin).await?;
        assert_eq!(ids(&left), ids(&made));
        assert!(left.iter().all(|device| device.row_version == 2));
        fleet.running.stop().await
    }
}

/// Another process with fleet alone.
async fn another(fleet: &Fleet) -> RunningProcess {
    let peers = [("identity".to_owned(), fleet.running.grpc.clone())].into();
    let context = fleet.world.context_with_peers(&["fleet"], peers).await;
    let mut process = fleet.world.process(&context);
    process.add(armada_fleet::build(&context, armada_fleet::Config::default()).await.unwrap());
    fleet.world.run(process).await
}

impl crate::support::Company {
    /// Budi, who may delete what he owns.
    async fn budi_who_deletes(&self, fleet: &Fleet) -> Signed {
        let keys = [DEVICE_LIST, DEVICE_DELETE];
        fleet.allow(&self.budi.grant.user_id.to_string(), &self.id.to_string(), &keys).await;
        self.budi.clone()
    }
}
