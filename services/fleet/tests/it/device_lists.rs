//! Lists of devices, and their exports: what stands in them, in which order, and for whom.

use armada_proto::{
    TenantId,
    v1::{DeviceInput, DeviceList, DeviceStatus, ListDevicesRequest},
};
use armada_runtime::{Error, Result, Scope};
use armada_testkit::{Kind, Signed, both_databases, expect_order_of_index};
use futures::TryStreamExt;

use crate::devices::renamed;
use crate::support::{Fleet, answer, new_device, owned_by, world};

impl Fleet {
    /// The pieces of an export, as they come.
    pub async fn export(&self, caller: &Signed, request: ListDevicesRequest) -> Result<tonic::Streaming<DeviceList>> {
        answer(self.devices().export(caller.sign(request)).await)
    }

    async fn exported(&self, caller: &Signed, request: ListDevicesRequest) -> Result<Vec<String>> {
        let pieces: Vec<DeviceList> = self.export(caller, request).await?.try_collect().await?;
        Ok(pieces.into_iter().flat_map(|piece| piece.items).map(|device| device.name).collect())
    }
}

both_databases! {
    async fn lists_are_paged_sorted_and_filtered(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let make = async |name: &str, sim: &str, owner: Option<&Signed>| {
            let input = DeviceInput { sim_number: Some(sim.to_owned()), ..new_device(name) };
            let input = owner.map_or(input.clone(), |owner| owned_by(owner, input));
            fleet.create(&company.admin, input).await
        };
        let echo = make("echo", "62-1", Some(&company.budi)).await?;
        make("Alpha", "62-2", Some(&company.siti)).await?;
        make("50% Ünal", "a_b", None).await?;
        make("bravo", "a-b", None).await?;
        fleet.create(&other.admin, new_device("Foreign")).await?;
        let off = DeviceInput { status: Some(DeviceStatus::Inactive.into()), ..renamed(&echo.id) };
        fleet.update(&company.admin, DeviceInput { name: None, ..off }).await?;

        let list = async |caller: &Signed, request: ListDevicesRequest| {
            fleet.list(caller, request).await.map(|(names, total)| (names.join(", "), total))
        };
        let sorted = |sort: &str| ListDevicesRequest { sort: sort.to_owned(), ..ListDevicesRequest::default() };
        let by_name = ("50% Ünal, Alpha, bravo, echo".to_owned(), 4);
        assert_eq!(list(&company.admin, sorted("")).await?, by_name);
        assert_eq!(list(&company.admin, sorted("name")).await?, by_name);
        let by_imei = ("echo, Alpha, 50% Ünal, bravo".to_owned(), 4);
        assert_eq!(list(&company.admin, sorted("imei")).await?, by_imei);
        assert_eq!(list(&company.admin, sorted("created_at")).await?, by_imei);
        assert!(list(&company.admin, sorted("-status")).await?.0.starts_with("echo"));
        assert!(list(&company.admin, sorted("-updated_at")).await?.0.starts_with("echo"));
        let page = |page| ListDevicesRequest { page, page_size: 3, ..sorted("-name") };
        assert_eq!(list(&company.admin, page(1)).await?, ("echo, bravo, Alpha".to_owned(), 4));
        assert_eq!(list(&company.admin, page(2)).await?, ("50% Ünal".to_owned(), 4));
        assert_eq!(list(&company.admin, page(3)).await?, (String::new(), 4));

        for (q, names) in [
            ("ünal", "50% Ünal"), ("0% Ü", "50% Ünal"), ("a_b", "50% Ünal"), ("ALPHA", "Alpha"), ("62-", "Alpha, echo"),
            (&echo.imei[3..], "echo"), ("' OR '1'='1", ""), ("%%", ""), ("_", "50% Ünal"), ("foreign", ""),
        ] {
            let found = list(&company.admin, ListDevicesRequest { q: q.to_owned(), ..sorted("") }).await?;
            assert_eq!(found.0, names, "{q}");
        }
        for sort in ["search", "tenant_id", "name; DROP TABLE device", "--name", "(select 1)"] {
            assert_eq!(list(&company.admin, sorted(sort)).await.unwrap_err(), Error::field("sort", "unknown"), "{sort}");
        }
        let of_status = |status: DeviceStatus| ListDevicesRequest { status: Some(status.into()), ..sorted("") };
        assert_eq!(list(&company.admin, of_status(DeviceStatus::Inactive)).await?, ("echo".to_owned(), 1));
        assert_eq!(list(&company.admin, of_status(DeviceStatus::Unspecified)).await?, by_name);
        let of = |users: &[&Signed]| ListDevicesRequest {
            user_ids: users.iter().map(|user| user.grant.user_id.to_string()).collect(),
            ..sorted("")
        };
        assert_eq!(list(&company.admin, of(&[&company.budi, &company.siti])).await?.0, "Alpha, echo");
        assert_eq!(list(&company.siti, of(&[&company.budi])).await?, (String::new(), 0));
        assert_eq!(list(&company.siti, of(&[&company.budi, &company.siti])).await?.0, "Alpha");
        let of_tenant = ListDevicesRequest { tenant_id: Some(company.id.to_string()), ..sorted("name") };
        assert_eq!(list(&fleet.owner, of_tenant).await?, by_name);
        assert_eq!(list(&fleet.owner, sorted("name")).await?.1, 5);
        fleet.running.stop().await
    }

    // Page behind page, in both directions; and whatever marks stand on letters, they are found without.
    async fn names_sort_by_their_numbers_and_are_found_without_accents(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let names = ["007", "B 9 Sūrabaya", "B 12", "Truk", "Truk 2", "truk 02", "Truk 2 Jalán", "Truk 10", "Truk 10 b", "Truk a"];
        for name in ["Truk 10", "truk 02", "Truk a", "Truk 2 Jalán", "007", "Truk", "B 12", "Truk 2", "Truk 10 b", "B 9 Sūrabaya"] {
            fleet.create(&company.admin, new_device(name)).await?;
        }
        for (sort, wanted) in [("name", names.to_vec()), ("-name", names.iter().rev().copied().collect())] {
            let (mut seen, mut after) = (Vec::new(), String::new());
            loop {
                let page = ListDevicesRequest { sort: sort.to_owned(), page_size: 3, after, ..Default::default() };
                let page = answer(fleet.devices().list(company.admin.sign(page)).await)?;
                seen.extend(page.items.into_iter().map(|device| device.name));
                let Some(next) = page.next else { break };
                after = next;
            }
            assert_eq!(seen, wanted, "{sort}");
        }
        for (q, wanted) in [
            ("jalan", "Truk 2 Jalán"), ("JALÁN", "Truk 2 Jalán"), ("surabaya", "B 9 Sūrabaya"), ("Su\u{304}ra", "B 9 Sūrabaya"),
            ("k 02", "truk 02"), ("uk 10", "Truk 10, Truk 10 b"),
        ] {
            let found = ListDevicesRequest { q: q.to_owned(), ..Default::default() };
            assert_eq!(fleet.list(&company.admin, found).await?.0.join(", "), wanted, "{q}");
        }
        let named = ListDevicesRequest { names: vec!["TRUK 2".to_owned(), "truk 10".to_owned()], ..Default::default() };
        assert_eq!(fleet.list(&company.admin, named).await?.0, ["Truk 2", "Truk 10"]);
        fleet.running.stop().await
    }

    async fn exports_hold_the_whole_list(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        fleet.create(&other.admin, new_device("Theirs")).await?;
        for name in ["Delta", "alpha", "Charlie", "bravo"] {
            fleet.create(&company.admin, owned_by(&company.budi, new_device(name))).await?;
        }
        fleet.create(&company.admin, new_device("Echo")).await?;
        let sorted = |sort: &str| ListDevicesRequest { sort: sort.to_owned(), page_size: 2, ..Default::default() };
        let by_name = ["alpha", "bravo", "Charlie", "Delta", "Echo"];
        assert_eq!(fleet.exported(&company.admin, sorted("name")).await?, by_name);
        assert_eq!(fleet.exported(&company.budi, sorted("-name")).await?, ["Delta", "Charlie", "bravo", "alpha"]);
        assert!(fleet.exported(&company.siti, sorted("name")).await?.is_empty());
        let found = ListDevicesRequest { q: "cha".to_owned(), ..sorted("name") };
        assert_eq!(fleet.exported(&company.admin, found).await?, ["Charlie"]);
        assert_eq!(fleet.exported(&fleet.owner, sorted("name")).await?.len(), 6);
        let foreign = ListDevicesRequest { tenant_id: Some(other.id.to_string()), ..sorted("name") };
        assert_eq!(fleet.export(&company.admin, foreign).await.err(), Some(Error::not_found()));
        assert_eq!(fleet.export(&company.admin, sorted("nonsense")).await.err(), Some(Error::field("sort", "unknown")));
        assert_eq!(
            answer(fleet.devices().export(ListDevicesRequest::default()).await).err(),
            Some(Error::unauthenticated())
        );
        fleet.running.stop().await
    }

    // More than one piece, and the list changes while it is read: what keeps its place is there once, as it is when its turn
    // comes; what is gone by then is not.
    async fn exports_go_on_behind_what_was_read(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let rows: Vec<_> =
            (0..1_100).map(|number| owned_by(&company.budi, new_device(&format!("{number:04}")))).collect();
        fleet.import_rows(admin, &rows).await?;
        let ids: Vec<_> = fleet.all(&company.budi).await?.into_iter().map(|device| device.id).collect();
        let request = ListDevicesRequest { sort: "name".to_owned(), ..Default::default() };
        let mut pieces = fleet.export(&company.budi, request).await?;
        let first = pieces.message().await?.unwrap();
        assert_eq!((first.items.len(), first.total), (500, 1_100));
        let rename = async |index: usize, name: &str| {
            let name = Some(name.to_owned());
            fleet.update(admin, DeviceInput { id: ids[index].clone(), name, ..Default::default() }).await
        };
        rename(1_089, "1089a").await?;
        rename(3, "9998").await?;
        rename(1_090, "0000").await?;
        fleet.create(admin, owned_by(&company.budi, new_device("9999"))).await?;
        fleet.delete(admin, &ids[1_050], None).await?;
        let nobody = DeviceInput { id: ids[1_060].clone(), user_id: Some(String::new()), ..Default::default() };
        fleet.update(admin, nobody).await?;
        let rest: Vec<DeviceList> = pieces.try_collect().await?;
        let seen: Vec<_> = first.items.into_iter().chain(rest.into_iter().flat_map(|piece| piece.items)).collect();
        let names: Vec<_> = seen.iter().map(|device| device.name.as_str()).collect();
        let kept = (0..1_100).filter(|number| ![1_050, 1_060, 1_089, 1_090].contains(number));
        let mut expected: Vec<_> = kept.map(|number| format!("{number:04}")).collect();
        expected.extend(["1089a", "9998", "9999"].map(str::to_owned));
        expected.sort();
        assert_eq!(names, expected);
        assert_eq!(seen.iter().filter(|device| device.id == ids[3]).count(), 2, "where it was, and where it is");
        fleet.running.stop().await
    }

    /// Whoever sees the rows of a tenant, or of all: no database sorts them to show a page, the first or another one.
    async fn pages_are_read_from_indexes(kind: Kind) -> anyhow::Result<()> {
        let world = world(kind).await;
        let db = world.database(armada_fleet::NAME).await;
        let id = if kind == Kind::Postgres { "'00000000-0000-7000-8000-000000000000'::uuid" } else { "x'00'" };
        let there = "hidden_at IS NULL AND deleted_at IS NULL";
        let hidden = "SELECT id FROM device WHERE hidden_at IS NOT NULL OR deleted_at IS NOT NULL";
        for (table, shown, sort, index) in [
            ("device", there, "name_folded", "device_tenant_name"),
            ("driver", "hidden_at IS NULL", "name_folded", "driver_by_name_folded"),
            ("document", "hidden_at IS NULL", "expiry_order", "document_by_expiry_order"),
            ("maintenance", "hidden_at IS NULL", "expected_on", "maintenance_by_expected_on"),
            ("maintenance_log", "hidden_at IS NULL", "done_on", "maintenance_log_by_done_on"),
            ("device_member", &format!("device_id NOT IN ({hidden})"), "device_name_folded", "device_member_name"),
            ("command", &format!("device_id NOT IN ({hidden})"), "created_at", "command_created"),
        ] {
            for (scope, of_tenant, index) in [
                (Scope::Tenant(TenantId::new()), format!("tenant_id = {id} AND "), index),
                (Scope::Platform, String::new(), &format!("{table}_of_all")),
            ] {
                let value = if sort == "created_at" { "7" } else { "'b'" };
                for behind in ["", &format!(" AND ({sort}, id) > ({value}, {id})")] {
                    let rows = format!("SELECT * FROM {table} WHERE {of_tenant}{shown}{behind}");
                    let sql = format!("{rows} ORDER BY {sort}, id LIMIT 26");
                    expect_order_of_index(&db, scope, &sql, index).await;
                }
            }
        }
        Ok(())
    }
}
