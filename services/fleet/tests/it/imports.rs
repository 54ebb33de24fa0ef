//! Files of devices: tried out, and taken in many at a time.

use std::collections::{BTreeMap, HashSet};

use armada_fleet::NAME;
use armada_proto::v1::{
    BulkDevicesRequest, Device, DeviceInput, DeviceList, Empty, GetRequest, ImportDevicesRequest, ImportMode,
    ImportReport, Job, JobItem, JobItemStatus, JobRequest, JobStatus, ListDevicesRequest, MasterDataEntryInput,
    MasterDataKind,
};
use armada_runtime::{Error, Result};
use armada_testkit::{Signed, both_databases, eventually_equal};
use futures::TryStreamExt;

use crate::support::{Company, Fleet, SOON, answer, new_device, owned_by};

/// More than are made together, and more than twice as many are not.
const ROWS: usize = 130;

impl Fleet {
    async fn import(&self, caller: &Signed, rows: &[DeviceInput], mode: ImportMode) -> Result<Job> {
        let request = ImportDevicesRequest {
            rows: rows.to_vec(),
            deleted_ids: Vec::new(),
            // The first row of a file is its heading.
            numbers: (2..).take(rows.len()).collect(),
            mode: mode.into(),
            wrong_rows: Vec::new(),
        };
        answer(self.devices().import(caller.sign(request)).await)
    }

    /// What came of rows, once their job is over, and that job.
    async fn report(&self, caller: &Signed, rows: &[DeviceInput], mode: ImportMode) -> Result<(Job, ImportReport)> {
        let id = self.import(caller, rows, mode).await?.id;
        let job = self.over(caller, &id).await;
        let request = JobRequest { service: NAME.to_owned(), id };
        Ok((job, answer(self.jobs().get_import_report(caller.sign(request)).await)?))
    }

    /// The job that takes rows in, once it is over, and what became of each.
    pub async fn import_rows(&self, caller: &Signed, rows: &[DeviceInput]) -> Result<(Job, Vec<JobItem>)> {
        let id = self.import(caller, rows, ImportMode::Valid).await?.id;
        let job = self.over(caller, &id).await;
        let mut items = self.items_of(caller, &id, JobItemStatus::Failed).await?;
        items.extend(self.items_of(caller, &id, JobItemStatus::Done).await?);
        Ok((job, items))
    }

    /// So many devices, which are not made one by one; there are no others.
    pub async fn many(&self, caller: &Signed, count: usize) -> Result<Vec<Device>> {
        let rows: Vec<_> = (0..count).map(|n| new_device(&format!("Truck {n:04}"))).collect();
        self.import_rows(caller, &rows).await?;
        self.all(caller).await
    }

    /// The devices that there are, by their names.
    pub async fn all(&self, caller: &Signed) -> Result<Vec<Device>> {
        let request = ListDevicesRequest { sort: "name".to_owned(), ..Default::default() };
        let pieces: Vec<DeviceList> = self.export(caller, request).await?.try_collect().await.map_err(Error::from)?;
        Ok(pieces.into_iter().flat_map(|piece| piece.items).collect())
    }
}

/// Rows that name an owner and two groups, one of them by what it is called.
async fn rows(fleet: &Fleet, company: &Company) -> Result<Vec<DeviceInput>> {
    for name in ["Jawa", "Bali"] {
        let group = MasterDataEntryInput {
            kind: Some(MasterDataKind::DeviceGroup.into()),
            name: Some(name.to_owned()),
            ..MasterDataEntryInput::default()
        };
        fleet.make_entry(&company.admin, group).await?;
    }
    let row = |n: usize| DeviceInput {
        group_ids: Some(if n.is_multiple_of(2) { "Jawa, bali" } else { "Jawa" }.to_owned()),
        ..owned_by(&company.budi, new_device(&format!("Truck {n:03}")))
    };
    Ok((0..ROWS).map(row).collect())
}

both_databases! {
    /// A wrong row costs nobody else a place, whether it is found together with others or alone.
    async fn import_skips_invalid_rows(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let before = fleet.create(&company.admin, new_device("Before")).await?;
        let mut rows = rows(&fleet, &company).await?;
        rows[110].imei = Some(before.imei.clone());
        rows[120].imei = rows[5].imei.clone();
        rows[125].user_id = Some("nobody".to_owned());

        let (job, tried) = fleet.report(&company.admin, &rows, ImportMode::DryRun).await?;
        assert_eq!((job.is_trial, job.total, job.done, job.failed), (true, 130, 127, 3));
        let wrong: Vec<_> = tried.errors.iter().map(|error| (error.row, error.fields.clone())).collect();
        let field = |name: &str, code: &str| BTreeMap::from([(name.to_owned(), code.to_owned())]);
        let expected = [
            (112, field("imei", "taken_by_own")),
            (122, field("imei", "repeated")),
            (127, field("user_id", "unknown")),
        ];
        assert_eq!((tried.creates, tried.failed, wrong.as_slice()), (127, 3, expected.as_slice()));
        assert_eq!(fleet.all(&company.admin).await?.len(), 1, "nothing was done");
        let (job, _) = fleet.report(&company.admin, &rows, ImportMode::All).await?;
        let refused = (JobStatus::Failed, Some("import_refused"), 0, 3);
        assert_eq!((job.status(), job.error.as_deref(), job.done, job.failed), refused);
        assert_eq!(fleet.all(&company.admin).await?.len(), 1, "none is taken in when one is wrong");

        let (job, items) = fleet.import_rows(&company.admin, &rows).await?;
        assert_eq!((job.total, job.done, job.failed), (130, 127, 3));
        let (failed, done): (Vec<_>, Vec<_>) = items.iter().partition(|item| item.status() == JobItemStatus::Failed);
        assert_eq!(failed.iter().map(|item| item.item_id.as_str()).collect::<Vec<_>>(), ["112", "122", "127"]);
        let made = fleet.all(&company.budi).await?;
        let known = |made: &[Device]| made.iter().map(|device| (device.id.clone(), device.name.clone())).collect::<HashSet<_>>();
        let results: HashSet<_> = done.iter().map(|item| (item.item_id.clone(), item.name.clone())).collect();
        assert_eq!(known(&made), results, "each item names what it made, and its owner sees that");
        assert_eq!((made[0].groups.as_str(), made[1].groups.as_str()), ("Jawa, Bali", "Jawa"));
        // Each is heard, and each is in the audit once.
        eventually_equal("the last one is bound", SOON, true, async || Ok(fleet.binding(&made[126].imei).await?.is_some())).await;
        assert!(fleet.binding(&made[0].imei).await?.is_some());
        eventually_equal("the audit has them", SOON, 128, async || fleet.count_acts(&company.admin, "device:create").await).await;
        fleet.running.stop().await
    }

    /// However many are made at once.
    async fn a_limit_holds_in_the_middle_of_a_file(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        fleet.limit(company.id, 105).await?;
        let rows = rows(&fleet, &company).await?;
        let (_, tried) = fleet.report(&company.admin, &rows, ImportMode::DryRun).await?;
        assert_eq!((tried.creates, tried.failed), (105, 25));
        let (job, items) = fleet.import_rows(&company.admin, &rows).await?;
        assert_eq!((job.done, job.failed), (105, 25));
        let errors: HashSet<_> = items.iter().filter_map(|item| item.error.as_deref()).collect();
        assert_eq!(errors, HashSet::from(["device_limit_reached"]));
        assert_eq!(fleet.all(&company.admin).await?.len(), 105);
        fleet.running.stop().await
    }

    /// In whichever transactions they are tried.
    async fn rows_see_what_those_before_them_do(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let first = fleet.create(&company.admin, new_device("First")).await?;
        let mut rows: Vec<_> = (0..ROWS).map(|n| new_device(&format!("Truck {n:03}"))).collect();
        // A tracker moves from one vehicle to another; a third row wants it as well.
        rows[0] = DeviceInput { id: first.id.clone(), ..new_device("First") };
        rows[110].imei = Some(first.imei.clone());
        rows[120].imei = Some(first.imei.clone());
        let (_, tried) = fleet.report(&company.admin, &rows, ImportMode::DryRun).await?;
        let wrong: Vec<_> = tried.errors.iter().map(|error| (error.row, error.fields["imei"].as_str())).collect();
        assert_eq!(wrong, [(122, "repeated")]);
        rows[120] = new_device("Another");
        let (job, report) = fleet.report(&company.admin, &rows, ImportMode::All).await?;
        assert_eq!((job.status(), job.is_trial, job.failed), (JobStatus::Completed, false, 0), "{report:?}");
        assert_eq!((report.creates, report.updates), (129, 1));
        assert_eq!(fleet.all(&company.admin).await?.len(), ROWS);
        fleet.running.stop().await
    }

    /// A long job gives way, and goes on as if it had not: what was tried before is known.
    async fn a_short_job_does_not_wait_for_a_long_one(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let rows: Vec<_> = (0..5_000).map(|n| new_device(&format!("Truck {n}"))).collect();
        let long = fleet.import(&company.admin, &rows, ImportMode::All).await?;
        let (short, _) = fleet.report(&company.admin, &[new_device("One")], ImportMode::DryRun).await?;
        assert_eq!(short.done, 1);
        let under_way = fleet.job(&company.admin, &long.id).await?;
        assert!(under_way.finished_at.is_none(), "{under_way:?}");
        assert_eq!(fleet.over(&company.admin, &long.id).await.done, 5_000);

        let mut rows: Vec<_> = (0..3000).map(|n| new_device(&format!("Bus {n}"))).collect();
        rows[2990].imei = rows[0].imei.clone();
        // What a vehicle has that is changed, another one takes.
        let changed = fleet.all(&company.admin).await?.remove(0);
        rows[10].id = changed.id;
        rows[2980].imei = Some(changed.imei);
        fleet.limit(company.id, 7_995).await?;
        let long = fleet.import(&company.admin, &rows, ImportMode::DryRun).await?;
        while fleet.job(&company.admin, &long.id).await?.finished_at.is_none() {
            fleet.report(&company.admin, &[new_device("One")], ImportMode::DryRun).await?;
        }
        let request = JobRequest { service: NAME.to_owned(), id: long.id };
        let tried = answer(fleet.jobs().get_import_report(company.admin.sign(request)).await)?;
        let wrong: Vec<_> = tried.errors.iter().map(|error| (error.row, error.error.as_str())).collect();
        let full = "device_limit_reached";
        assert_eq!(wrong, [(2992, "invalid"), (2999, full), (3000, full), (3001, full)]);
        fleet.running.stop().await
    }

    async fn a_platform_owner_takes_rows_in_for_tenants(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (acme, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let of = |company: &Company, name: &str| DeviceInput { tenant_id: Some(company.id.to_string()), ..new_device(name) };
        let rows = [of(&acme, "a"), of(&acme, "b"), of(&other, "c"), of(&acme, "d")];
        let (_, tried) = fleet.report(&fleet.owner, &rows, ImportMode::DryRun).await?;
        assert_eq!((tried.creates, tried.errors), (4, Vec::new()));
        let (job, items) = fleet.import_rows(&fleet.owner, &rows).await?;
        assert_eq!((job.done, job.failed), (4, 0), "{items:?}");
        let wanted = fleet.execute("UPDATE job_item SET name = name WHERE request IS NOT NULL").await?;
        assert_eq!(wanted, 0, "what was wanted is forgotten once it is done");
        let names = async |caller: &Signed| anyhow::Ok(fleet.all(caller).await?.into_iter().map(|device| device.name).collect::<Vec<_>>());
        assert_eq!((names(&acme.admin).await?, names(&other.admin).await?), (vec!["a".to_owned(), "b".to_owned(), "d".to_owned()], vec!["c".to_owned()]));
        fleet.running.stop().await
    }

    /// Those that the caller may not touch cost the others nothing, and what they were stays known.
    async fn many_are_changed_and_removed(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (acme, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let foreign = fleet.create(&other.admin, new_device("Foreign")).await?;
        fleet.import_rows(&acme.admin, &rows(&fleet, &acme).await?).await?;
        let all = fleet.all(&acme.admin).await?;
        let mut ids: Vec<_> = all.iter().map(|device| device.id.clone()).collect();
        ids.insert(50, foreign.id.clone());
        let bulk = async |request: BulkDevicesRequest| {
            let id = fleet.bulk(&acme.admin, request).await?.id;
            anyhow::Ok(fleet.over(&acme.admin, &id).await)
        };
        let input = DeviceInput { group_ids: Some("Bali".to_owned()), vehicle_code: Some("x".to_owned()), ..DeviceInput::default() };
        let job = bulk(BulkDevicesRequest { ids: ids.clone(), update: Some(input), ..Default::default() }).await?;
        assert_eq!((job.done, job.failed), (130, 1));
        let changed = fleet.all(&acme.admin).await?;
        assert!(changed.iter().all(|device| (device.groups.as_str(), device.vehicle_code.as_str(), device.row_version) == ("Bali", "x", 2)));
        let back = fleet.undo_job(&acme.admin, &job.id).await?;
        assert_eq!((fleet.over(&acme.admin, &back.id).await.done, fleet.get(&acme.admin, &all[0].id).await?.groups.as_str()), (130, "Jawa, Bali"));
        let job = bulk(BulkDevicesRequest { ids, delete: Some(Empty {}), ..Default::default() }).await?;
        assert_eq!((job.done, job.failed), (130, 1));
        assert_eq!(fleet.all(&acme.admin).await?, Vec::new());
        assert!(fleet.get(&other.admin, &foreign.id).await.is_ok());
        eventually_equal("nothing is bound", SOON, false, async || Ok(fleet.binding(&all[129].imei).await?.is_some())).await;
        // They can be brought back, and their IMEIs are free.
        fleet.create(&other.admin, DeviceInput { imei: Some(all[0].imei.clone()), ..new_device("Again") }).await?;
        let request = GetRequest { id: all[1].id.clone() };
        let back = answer(fleet.devices().restore(acme.admin.sign(request)).await)?;
        assert_eq!((back.name.as_str(), back.groups.as_str()), ("Truck 001", "Jawa"));
        fleet.running.stop().await
    }
}
