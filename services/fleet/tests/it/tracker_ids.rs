//! Trackers without an IMEI: who binds one at once, and what is told of it.

use armada_proto::{
    command::GatewayReplyState,
    heard_imeis,
    v1::{
        CommandKind, CommandReason, CommandState, DeviceInput, ImeiAssignmentResult, ImeiClaimStatus, ImeiStatus,
        ListHeardImeisRequest, RemoveImeiAssignmentRequest, imei_assignments_client::ImeiAssignmentsClient,
    },
};
use armada_testkit::{both_databases, eventually};

use crate::{
    claims::with_new_imei,
    commands::{next, to},
    heard_imeis::all,
    support::{Fleet, SOON, answer, new_device, owned_by},
};

both_databases! {
    /// What is no IMEI can be guessed: nobody is trusted with it, and that it was never heard says nothing.
    async fn guessable_identifier_needs_own_gateways_or_a_decision(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (friend, other) = (fleet.company("Friend").await, fleet.company("Other").await);
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        fleet.give_gateway(&friend, "own").await?;
        for (id, gateways, wanted) in [
            ("0123456789", &["own"][..], ImeiStatus::Bound),
            ("0123456788", &["own", "open"], ImeiStatus::Pending),
            ("A100000009296F", &["open"], ImeiStatus::Pending),
        ] {
            fleet.record_heard_imei(id, gateways, false).await;
            assert_eq!(fleet.status(&friend, id).await, wanted, "{id}");
        }
        assert_eq!(fleet.status(&friend, "hape_Budi").await, ImeiStatus::Pending, "never heard");
        assert_eq!(fleet.status(&other, "0123456789").await, ImeiStatus::Pending, "somebody has it");
        let claim = fleet.claim_for("hape_Budi").await;
        assert!(claim.check_digit_ok, "it has none");
        assert_eq!(fleet.approve(&claim).await?.status(), ImeiClaimStatus::Approved);

        // Whoever had it last gets it back, unless it has spoken elsewhere since.
        let promised = fleet.assign(&friend, &["TK103-12345678", "TK103-87654321"]).await;
        assert_eq!(promised, [ImeiAssignmentResult::Assigned; 2]);
        for (id, wanted) in [("TK103-12345678", ImeiStatus::Bound), ("TK103-87654321", ImeiStatus::Pending)] {
            let device = fleet.name(&friend, id).await;
            assert_eq!(device.imei_status(), ImeiStatus::Bound, "promised");
            fleet.binding_start(&device).await;
            let mut client = ImeiAssignmentsClient::new(fleet.transport());
            let input = RemoveImeiAssignmentRequest { imei: id.to_owned() };
            answer(client.remove(fleet.owner.sign(input)).await)?;
            fleet.delete(&friend.admin, &device.id, None).await?;
            if wanted == ImeiStatus::Pending {
                fleet.record_heard_imei(id, &["open"], false).await;
            }
            assert_eq!(fleet.status(&other, id).await, ImeiStatus::Pending, "it was somebody else's");
            let claim = fleet.claim_for(id).await;
            fleet.delete(&other.admin, &claim.device_id, None).await?;
            assert_eq!(fleet.status(&friend, id).await, wanted, "{id}");
        }
        fleet.running.stop().await
    }

    /// A tenant's own gateways say what it wants.
    async fn own_gateways_are_enough_for_what_comes_through_them_alone(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let friend = fleet.company("Friend").await;
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        fleet.give_gateway(&friend, "own").await?;
        let id = "0123456789";
        fleet.record_heard_imei(id, &["own"], false).await;
        let is_for_own = async |wanted: bool| {
            eventually("it is bound so", SOON, async || {
                let binding = fleet.binding(id).await?;
                anyhow::ensure!(binding.as_ref().is_some_and(|binding| binding.own_gateways == wanted), "{binding:?}");
                Ok(())
            })
            .await;
        };
        let device = fleet.name(&friend, id).await;
        is_for_own(true).await;
        // To have had it makes it no more than it was.
        fleet.delete(&friend.admin, &device.id, None).await?;
        assert_eq!(fleet.name(&friend, id).await.imei_status(), ImeiStatus::Bound);
        is_for_own(true).await;
        assert_eq!(fleet.assign(&friend, &[id]).await, [ImeiAssignmentResult::Assigned]);
        is_for_own(false).await;
        fleet.running.stop().await
    }

    /// Trackers that were never given an IMEI all have the same.
    async fn an_imei_of_one_digit_is_a_guess(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        let zeros = fleet.name(&company, "000000000000000").await;
        assert_eq!((zeros.imei_status(), &zeros.warnings[..]), (ImeiStatus::Pending, &["imei_check_digit".to_owned()][..]));
        assert_eq!(fleet.name(&company, "000000000000042").await.imei_status(), ImeiStatus::Bound);
        fleet.running.stop().await
    }

    async fn identifiers_that_differ_by_case_alone_are_pointed_out(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        let first = fleet.name(&company, "hape_Budi").await;
        assert!(first.warnings.is_empty());
        assert!(fleet.name(&other, "hape_BUDI").await.warnings.is_empty(), "another company's is not told of");
        assert!(fleet.name(&company, "hape_Siti").await.warnings.is_empty());
        let second = fleet.name(&company, "HAPE_budi").await;
        assert_eq!((second.imei.as_str(), &second.warnings[..]), ("HAPE_budi", &["imei_case".to_owned()][..]));
        assert_eq!(fleet.get(&company.admin, &first.id).await?.warnings, ["imei_case"], "and of the other");
        // Whoever sees one of them is not told of the other.
        let shared = DeviceInput { id: first.id.clone(), ..DeviceInput::default() };
        fleet.update(&company.admin, owned_by(&company.budi, shared)).await?;
        assert!(fleet.get(&company.budi, &first.id).await?.warnings.is_empty());
        let renamed = fleet.update(&company.admin, with_new_imei(&second, "hape_Joko")).await?;
        assert!(renamed.warnings.is_empty());
        assert!(fleet.get(&company.admin, &first.id).await?.warnings.is_empty());
        fleet.running.stop().await
    }

    async fn heard_names_are_found_by_any_part_in_any_case(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        let [dashed, phone, imei] = ["TK103-12345678", "hape_Budi", "490154203237518"].map(str::to_owned);
        for id in [&dashed, &phone, &imei] {
            fleet.record_heard_imei(id, &["open"], false).await;
        }
        for (q, found) in [("k103-1", &dashed), ("BUDI", &phone), ("49-0154", &imei)] {
            fleet.expect_listed(&fleet.owner, ListHeardImeisRequest { q: q.to_owned(), ..all() }, &[found]).await;
        }
        let sorted = ListHeardImeisRequest { sort: "imei".to_owned(), ..all() };
        let items = fleet.expect_listed(&fleet.owner, sorted, &[&imei, &dashed, &phone]).await;
        assert!(items.iter().all(|item| item.check_digit_ok), "names have none");
        fleet.running.stop().await
    }

    async fn a_tracker_without_imei_is_commanded_by_its_name(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let (tenant_id, imei) = (Some(company.id.to_string()), Some("TK103-12345678".to_owned()));
        let truck = fleet.create(&fleet.owner, DeviceInput { tenant_id, imei, ..new_device("Truck") }).await?;
        fleet.has_routes().await;
        let mut depot = fleet.gateway("depot").await;
        fleet.routes(&truck, "depot").await;
        let made = fleet.send(&company.admin, to(&truck, CommandKind::Reboot)).await?;
        let command = next(&mut depot).await;
        assert_eq!((&command.id, command.imei.as_str()), (&made.id, "TK103-12345678"));
        fleet.reply("depot", &command, GatewayReplyState::Acknowledged, "OK").await;
        fleet.wait_for_state(&company.admin, &made.id, CommandState::Acknowledged, CommandReason::Unspecified).await;
        fleet.running.stop().await
    }
}
