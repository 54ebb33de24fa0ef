//! Whose tracker it is: who binds an IMEI at once, who has to wait for a decision, and what either is told.

use armada_proto::{
    Timestamp,
    access::permission::DEVICE_CREATE,
    coded, heard_imeis,
    v1::{
        ApproveImeiClaimRequest, Device, DeviceInput, Empty, GatewayInput, ImeiAssignmentInput, ImeiAssignmentResult,
        ImeiClaim, ImeiClaimList, ImeiClaimStatus, ImeiDecisionInput, ImeiHeard, ImeiStatus, ListDevicesRequest,
        ListImeiAssignmentsRequest, ListImeiClaimsRequest, RemoveImeiAssignmentRequest,
        gateways_client::GatewaysClient, imei_assignments_client::ImeiAssignmentsClient,
        imei_claims_client::ImeiClaimsClient,
    },
};
use armada_runtime::{Code, Error, Result, Transport};
use armada_testkit::{both_databases, eventually};
use async_nats::jetstream::kv;

use crate::support::{Company, Fleet, SOON, answer, new_device, new_imei};

impl Fleet {
    pub fn transport(&self) -> Transport {
        self.running.context.peers.transport("fleet").unwrap()
    }

    /// Makes the bucket that ingest fills.
    pub async fn create_heard_imei_bucket(&self, max_bytes: i64) {
        let config =
            kv::Config { bucket: heard_imeis::BUCKET.to_owned(), history: 1, max_bytes, ..kv::Config::default() };
        self.world.bus.ensure_bucket(config).await.unwrap();
    }

    /// What ingest notes of an IMEI that nobody has.
    pub async fn record_heard_imei(&self, imei: &str, gateways: &[&str], more_gateways: bool) {
        let now = Some(Timestamp::now());
        let gateways = gateways.iter().map(ToString::to_string).collect();
        let heard = ImeiHeard { gateways, more_gateways, first_heard: now, last_heard: now, fixes: 7 };
        let bucket = self.world.bucket_of("position-ingest", heard_imeis::BUCKET).await;
        bucket.put(imei, coded::encode(&heard).into()).await.unwrap();
    }

    pub async fn name(&self, company: &Company, imei: &str) -> Device {
        self.create(&company.admin, with_imei(imei)).await.unwrap()
    }

    pub async fn status(&self, company: &Company, imei: &str) -> ImeiStatus {
        self.name(company, imei).await.imei_status()
    }

    pub async fn assign(&self, company: &Company, lines: &[&str]) -> Vec<ImeiAssignmentResult> {
        let imeis = lines.iter().map(ToString::to_string).collect();
        let input = ImeiAssignmentInput { tenant_id: company.id.to_string(), imeis, accept_wrong_check_digits: false };
        let mut assignments = ImeiAssignmentsClient::new(self.transport());
        let lines = answer(assignments.assign(self.owner.sign(input)).await).unwrap();
        lines.items.iter().map(|line| line.result()).collect()
    }

    pub async fn give_gateway(&self, company: &Company, name: &str) -> Result<()> {
        let (name, tenant_id) = (Some(name.to_owned()), Some(company.id.to_string()));
        let input = GatewayInput { name, tenant_id, ..GatewayInput::default() };
        let identity = self.running.context.peers.transport("identity").unwrap();
        answer(GatewaysClient::new(identity).create(self.owner.sign(input)).await).map(drop)
    }

    async fn claims(&self, request: ListImeiClaimsRequest) -> Result<ImeiClaimList> {
        answer(ImeiClaimsClient::new(self.transport()).list(self.owner.sign(request)).await)
    }

    pub async fn claim_for(&self, imei: &str) -> ImeiClaim {
        let request = ListImeiClaimsRequest { q: imei.to_owned(), ..ListImeiClaimsRequest::default() };
        self.claims(request).await.unwrap().items.pop().expect("a claim")
    }

    pub async fn approve(&self, claim: &ImeiClaim) -> Result<ImeiClaim> {
        let input = ApproveImeiClaimRequest { id: claim.id.clone(), row_version: Some(claim.row_version) };
        answer(ImeiClaimsClient::new(self.transport()).approve(self.owner.sign(input)).await)
    }

    async fn reject(&self, claim: &ImeiClaim, reason: Option<&str>) -> Result<ImeiClaim> {
        let reason = reason.map(str::to_owned);
        let input = ImeiDecisionInput { id: claim.id.clone(), row_version: Some(claim.row_version), reason };
        answer(ImeiClaimsClient::new(self.transport()).reject(self.owner.sign(input)).await)
    }

    /// Waits until a device is bound to an IMEI; since when.
    pub async fn binding_start(&self, device: &Device) -> i64 {
        eventually("the device is bound", SOON, async || {
            let binding = self.binding(&device.imei).await?.filter(|binding| binding.device_id == device.id);
            binding.map(|binding| binding.bound_from).ok_or_else(|| anyhow::anyhow!("not bound yet"))
        })
        .await
    }
}

fn with_imei(imei: &str) -> DeviceInput {
    DeviceInput { imei: Some(imei.to_owned()), ..new_device("Truck") }
}

pub fn with_new_imei(device: &Device, imei: &str) -> DeviceInput {
    DeviceInput { id: device.id.clone(), imei: Some(imei.to_owned()), ..DeviceInput::default() }
}

/// What an answer says, but for what is another one each time.
fn without_timestamps(device: Device) -> Device {
    Device { id: String::new(), imei: String::new(), created_at: None, updated_at: None, ..device }
}

both_databases! {
    async fn imei_seen_at_another_tenants_gateway_needs_a_claim(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (stranger, friend) = (fleet.stranger("Stranger").await, fleet.company("Friend").await);
        // Nobody can say what was heard: that is no leave to take.
        assert_eq!(fleet.status(&stranger, &new_imei()).await, ImeiStatus::Pending);
        assert_eq!(fleet.status(&friend, &new_imei()).await, ImeiStatus::Bound);
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        assert_eq!(fleet.status(&stranger, &new_imei()).await, ImeiStatus::Bound, "never heard");

        fleet.give_gateway(&stranger, "own").await?;
        fleet.give_gateway(&friend, "theirs").await?;
        for (gateways, more, wanted) in [
            (&["own"][..], false, ImeiStatus::Bound),
            (&["theirs"], false, ImeiStatus::Pending),
            (&["own", "open"], false, ImeiStatus::Pending),
            (&["own"], true, ImeiStatus::Pending),
        ] {
            let imei = new_imei();
            fleet.record_heard_imei(&imei, gateways, more).await;
            assert_eq!(fleet.status(&stranger, &imei).await, wanted, "{gateways:?} {more}");
        }
        let imei = new_imei();
        fleet.record_heard_imei(&imei, &["later"], false).await;
        fleet.give_gateway(&stranger, "later").await?;
        assert_eq!(fleet.status(&stranger, &imei).await, ImeiStatus::Pending, "whoever had the name before");
        let imei = new_imei();
        fleet.record_heard_imei(&imei, &["open"], false).await;
        assert_eq!(fleet.status(&friend, &imei).await, ImeiStatus::Bound, "a company that is vouched for");
        let imei = new_imei();
        fleet.world.bus.bucket(heard_imeis::BUCKET).await?.put(&imei, "nonsense".into()).await?;
        assert_eq!(fleet.status(&stranger, &imei).await, ImeiStatus::Pending, "what cannot be read says nothing");
        fleet.running.stop().await
    }

    /// With the bucket full, what was heard last may not stand in it.
    async fn full_bucket_still_requires_a_claim(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let stranger = fleet.stranger("Stranger").await;
        fleet.create_heard_imei_bucket(heard_imeis::FREE_BYTES / 2).await;
        assert_eq!(fleet.status(&stranger, &new_imei()).await, ImeiStatus::Pending);
        fleet.running.stop().await
    }

    async fn assignment_outranks_all_but_a_binding(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (stranger, friend) = (fleet.stranger("Stranger").await, fleet.company("Friend").await);
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        let (heard, taken, other) = (new_imei(), new_imei(), new_imei());
        fleet.record_heard_imei(&heard, &["open"], false).await;
        assert_eq!(fleet.status(&friend, &taken).await, ImeiStatus::Bound);
        assert_eq!(fleet.assign(&stranger, &[&heard, &taken]).await, [ImeiAssignmentResult::Assigned; 2]);
        assert_eq!(fleet.assign(&friend, &[&other]).await, [ImeiAssignmentResult::Assigned]);
        assert_eq!(fleet.status(&friend, &heard).await, ImeiStatus::Pending, "promised to somebody else");
        assert_eq!(fleet.status(&stranger, &heard).await, ImeiStatus::Bound);
        assert_eq!(fleet.status(&stranger, &taken).await, ImeiStatus::Pending);
        assert_eq!(fleet.status(&stranger, &other).await, ImeiStatus::Pending, "never heard, promised elsewhere");
        fleet.running.stop().await
    }

    /// No oracle: which trackers somebody has cannot be told from which were heard.
    async fn taken_and_heard_imeis_get_the_same_answer(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (stranger, friend) = (fleet.stranger("Stranger").await, fleet.company("Friend").await);
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        let (taken, heard) = (new_imei(), new_imei());
        let holder = fleet.name(&friend, &taken).await;
        fleet.record_heard_imei(&heard, &["open"], false).await;
        let [of_taken, of_heard] = [fleet.name(&stranger, &taken).await, fleet.name(&stranger, &heard).await];
        assert_eq!(of_taken.imei_status(), ImeiStatus::Pending);
        assert_eq!(without_timestamps(of_taken.clone()), without_timestamps(of_heard.clone()));
        assert_eq!(fleet.get(&stranger.admin, &of_taken.id).await?, of_taken, "it is there all the same");
        for device in [&of_taken, &of_heard] {
            fleet.delete(&stranger.admin, &device.id, None).await?;
        }

        let mut changed = Vec::new();
        for imei in [&taken, &heard] {
            let device = fleet.name(&stranger, &new_imei()).await;
            assert_eq!(device.imei_status(), ImeiStatus::Bound);
            changed.push((fleet.update(&stranger.admin, with_new_imei(&device, imei)).await?, device.imei));
        }
        assert_eq!(without_timestamps(changed[0].0.clone()), without_timestamps(changed[1].0.clone()));
        assert_eq!(changed[0].0.imei_status(), ImeiStatus::Pending);
        for (_, released) in &changed {
            eventually("the former IMEI is let go", SOON, async || {
                anyhow::ensure!(fleet.binding(released).await?.is_none());
                Ok(())
            })
            .await;
        }
        assert_eq!(fleet.binding_start(&holder).await, 0, "who has it keeps it");
        assert!(fleet.binding(&heard).await?.is_none());

        let pending = ListDevicesRequest { imei_status: Some(ImeiStatus::Pending.into()), ..Default::default() };
        assert_eq!(answer(fleet.devices().list(stranger.admin.sign(pending)).await)?.total, 2);
        fleet.running.stop().await
    }

    async fn approved_claim_gets_held_fixes(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let stranger = fleet.stranger("Stranger").await;
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        let imei = new_imei();
        fleet.record_heard_imei(&imei, &["open"], false).await;
        let device = fleet.name(&stranger, &imei).await;
        let claim = fleet.claim_for(&imei).await;
        assert_eq!((claim.status(), &claim.device_id, &claim.tenant_id), (ImeiClaimStatus::Waiting, &device.id, &stranger.id.to_string()));
        assert_eq!((claim.heard.as_ref().unwrap().gateways.as_slice(), claim.heard_known), (&["open".to_owned()][..], true));
        assert!(claim.holder.is_none() && claim.check_digit_ok && claim.assigned_tenant_id.is_none());
        assert!(fleet.binding(&imei).await?.is_none());

        let approved = fleet.approve(&claim).await?;
        assert_eq!((approved.status(), approved.row_version), (ImeiClaimStatus::Approved, 2));
        assert_eq!(approved.decided_by, Some(fleet.owner.grant.user_id.to_string()));
        assert_eq!(fleet.binding_start(&device).await, 0, "nobody had it before");
        assert_eq!(fleet.get(&stranger.admin, &device.id).await?.imei_status(), ImeiStatus::Bound);
        assert_eq!(fleet.approve(&claim).await.unwrap_err(), Error::version_mismatch());
        assert_eq!(fleet.approve(&approved).await.unwrap_err().code, "imei_claim_decided");
        assert_eq!(fleet.reject(&approved, Some("no")).await.unwrap_err().code, "imei_claim_decided");
        fleet.running.stop().await
    }

    async fn a_claim_waits_until_the_holder_lets_go_and_somebody_decides(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (stranger, friend) = (fleet.stranger("Stranger").await, fleet.company("Friend").await);
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        let imei = new_imei();
        let holder = fleet.name(&friend, &imei).await;
        let waiting = fleet.name(&stranger, &imei).await;
        let claim = fleet.claim_for(&imei).await;
        assert_eq!(claim.holder.as_ref().unwrap().device_id, holder.id);
        let held = fleet.approve(&claim).await.unwrap_err();
        assert_eq!((held.class, held.code.as_str(), held.conflicting.unwrap().id), (Code::Conflict, "imei_held", holder.id.clone()));
        let spare = new_imei();
        let before = Timestamp::now().millis();
        fleet.update(&friend.admin, with_new_imei(&holder, &spare)).await?;
        let after = Timestamp::now().millis();
        assert_eq!(fleet.binding_start(&Device { imei: spare, ..holder.clone() }).await, 0);
        assert!(fleet.binding(&imei).await?.is_none(), "nothing is bound by itself");
        assert_eq!(fleet.get(&stranger.admin, &waiting.id).await?.imei_status(), ImeiStatus::Pending);

        fleet.approve(&claim).await?;
        let bound_from = fleet.binding_start(&waiting).await;
        assert!((before..=after).contains(&bound_from), "what it recorded before is the former holder's: {bound_from}");
        fleet.running.stop().await
    }

    async fn a_refused_claim_says_why_and_can_still_be_approved(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let stranger = fleet.stranger("Stranger").await;
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        let imei = new_imei();
        fleet.record_heard_imei(&imei, &["open"], false).await;
        let device = fleet.name(&stranger, &imei).await;
        let claim = fleet.claim_for(&imei).await;
        for reason in [None, Some(" ")] {
            assert_eq!(fleet.reject(&claim, reason).await.unwrap_err(), Error::field("reason", "required"));
        }
        let rejected = fleet.reject(&claim, Some("Send us the invoice.")).await?;
        assert_eq!(rejected.status(), ImeiClaimStatus::Rejected);
        let seen = fleet.get(&stranger.admin, &device.id).await?;
        assert_eq!((seen.imei_status(), seen.imei_reason.as_str()), (ImeiStatus::Rejected, "Send us the invoice."));
        assert_eq!(fleet.reject(&rejected, Some("again")).await.unwrap_err().code, "imei_claim_decided");
        // Saving the form leaves it as it is.
        let same = fleet.update(&stranger.admin, with_new_imei(&device, &imei)).await?;
        assert_eq!(same.imei_status(), ImeiStatus::Rejected);
        assert!(fleet.binding(&imei).await?.is_none());
        fleet.approve(&rejected).await?;
        assert_eq!(fleet.binding_start(&device).await, 0);
        let seen = fleet.get(&stranger.admin, &device.id).await?;
        assert_eq!((seen.imei_status(), seen.imei_reason.as_str()), (ImeiStatus::Bound, ""));
        fleet.running.stop().await
    }

    async fn releasing_tenant_may_bind_again(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (stranger, other) = (fleet.stranger("Stranger").await, fleet.stranger("Other").await);
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        let (heard, own) = (new_imei(), new_imei());
        fleet.record_heard_imei(&heard, &["open"], false).await;
        let device = fleet.name(&stranger, &heard).await;
        let claim = fleet.claim_for(&heard).await;
        let device = fleet.update(&stranger.admin, with_new_imei(&device, &own)).await?;
        assert_eq!(device.imei_status(), ImeiStatus::Bound);
        assert_eq!(fleet.approve(&claim).await.unwrap_err(), Error::not_found());
        assert_eq!(fleet.claims(ListImeiClaimsRequest::default()).await?.total, 0);

        // It speaks while nobody has it; who had it last is believed, everybody else has to wait.
        fleet.delete(&stranger.admin, &device.id, None).await?;
        fleet.record_heard_imei(&own, &["open"], false).await;
        let back = fleet.name(&stranger, &own).await;
        assert_eq!(back.imei_status(), ImeiStatus::Bound);
        fleet.delete(&stranger.admin, &back.id, None).await?;
        let claiming = fleet.name(&other, &own).await;
        assert_eq!(claiming.imei_status(), ImeiStatus::Pending, "somebody else had it");
        let again = fleet.name(&stranger, &own).await;
        assert_eq!(again.imei_status(), ImeiStatus::Pending, "two say that it is theirs");
        fleet.delete(&other.admin, &claiming.id, None).await?;
        let waiting = fleet.claims(ListImeiClaimsRequest::default()).await?;
        assert_eq!((waiting.total, &waiting.items[0].device_id), (1, &again.id));
        fleet.running.stop().await
    }

    async fn conflict_names_the_own_device(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let made = fleet.create(&company.admin, DeviceInput { name: Some("B 1 A".to_owned()), ..new_device("x") }).await?;
        let written = format!("{}-{} {}", &made.imei[..2], &made.imei[2..8], &made.imei[8..]);
        let error = fleet.create(&company.admin, with_imei(&written)).await.unwrap_err();
        assert_eq!((error.class, error.fields["imei"].as_str()), (Code::Conflict, "taken_by_own"));
        let named = error.conflicting.unwrap();
        assert_eq!((named.id, named.name.as_str()), (made.id.clone(), "B 1 A"));
        // Who does not see that device is not told its name.
        fleet.allow(&company.budi.grant.user_id.to_string(), &company.id.to_string(), &[DEVICE_CREATE]).await;
        let error = fleet.create(&company.budi, with_imei(&made.imei)).await.unwrap_err();
        assert_eq!((error.fields["imei"].as_str(), error.conflicting), ("taken_by_unseen", None));
        // A platform owner is told that another tenant has it.
        let other = fleet.company("Other").await;
        let input = DeviceInput { tenant_id: Some(other.id.to_string()), ..with_imei(&made.imei) };
        assert_eq!(fleet.create(&fleet.owner, input).await.unwrap_err(), Error::taken("imei"));
        fleet.running.stop().await
    }

    async fn imei_lists_are_checked_per_line(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (one, two) = (fleet.company("One").await, fleet.company("Two").await);
        let (a, b) = (new_imei(), new_imei());
        let spaced = format!("{} {}-{}", &a[..6], &a[6..14], &a[14..]);
        let results = fleet.assign(&one, &[&spaced, "", "  ", &a, "no imei", "490154203237519", "49-015420-323751", "4901542032375180"]).await;
        assert_eq!(results, [
            ImeiAssignmentResult::Assigned,
            ImeiAssignmentResult::AlreadyAssigned,
            ImeiAssignmentResult::NotAnImei,
            ImeiAssignmentResult::WrongCheckDigit,
            ImeiAssignmentResult::ImeiLength,
            ImeiAssignmentResult::ImeiLength,
        ]);
        assert_eq!(fleet.assign(&two, &[&a, &b]).await, [ImeiAssignmentResult::AssignedElsewhere, ImeiAssignmentResult::Assigned]);

        let mut client = ImeiAssignmentsClient::new(fleet.transport());
        let odd = ImeiAssignmentInput {
            tenant_id: one.id.to_string(),
            imeis: vec!["490154203237519".to_owned(), "4901542032375180".to_owned()],
            accept_wrong_check_digits: true,
        };
        assert_eq!(answer(client.assign(fleet.owner.sign(odd.clone())).await)?.assigned, 2);
        let many = ImeiAssignmentInput { imeis: vec!["1".to_owned(); 1001], ..odd.clone() };
        assert_eq!(answer(client.assign(fleet.owner.sign(many)).await).unwrap_err(), Error::field("imeis", "too_many"));
        for (tenant_id, code) in [(String::new(), "required"), ("x".to_owned(), "unknown")] {
            let input = ImeiAssignmentInput { tenant_id, ..odd.clone() };
            assert_eq!(answer(client.assign(fleet.owner.sign(input)).await).unwrap_err(), Error::field("tenant_id", code));
        }
        let request = ListImeiAssignmentsRequest {
            tenant_id: Some(one.id.to_string()),
            sort: "-imei".to_owned(),
            page_size: 1,
            ..ListImeiAssignmentsRequest::default()
        };
        let listed = answer(client.list(fleet.owner.sign(request)).await)?;
        assert_eq!((listed.total, listed.items[0].imei.as_str()), (3, "490154203237519"));
        let remove = RemoveImeiAssignmentRequest { imei: a.clone() };
        assert_eq!(answer(client.remove(fleet.owner.sign(remove.clone())).await)?, Empty {});
        assert_eq!(answer(client.remove(fleet.owner.sign(remove)).await).unwrap_err(), Error::not_found());
        assert_eq!(fleet.assign(&two, &[&a]).await, [ImeiAssignmentResult::Assigned]);
        let refused = answer(client.assign(one.admin.sign(odd)).await).unwrap_err();
        assert_eq!(refused.class, Code::Forbidden);
        fleet.running.stop().await
    }

    async fn claims_are_listed_for_platform_owners_alone(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (stranger, friend) = (fleet.stranger("Stranger").await, fleet.company("Friend").await);
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        let (first, second) = (new_imei(), new_imei());
        fleet.name(&friend, &first).await;
        fleet.name(&stranger, &first).await;
        fleet.assign(&friend, &[&second]).await;
        fleet.name(&stranger, &second).await;
        let imeis = async |request: ListImeiClaimsRequest| -> Result<Vec<String>> {
            Ok(fleet.claims(request).await?.items.into_iter().map(|claim| claim.imei).collect())
        };
        let asked = ListImeiClaimsRequest::default;
        assert_eq!(imeis(asked()).await?, [second.clone(), first.clone()], "the newest first");
        assert_eq!(imeis(ListImeiClaimsRequest { sort: "-imei".to_owned(), page_size: 1, ..asked() }).await?, std::slice::from_ref(&second));
        assert_eq!(imeis(ListImeiClaimsRequest { q: second.clone(), ..asked() }).await?, std::slice::from_ref(&second));
        assert_eq!(fleet.claim_for(&second).await.assigned_tenant_id, Some(friend.id.to_string()));
        fleet.reject(&fleet.claim_for(&second).await, Some("no")).await?;
        let waiting = ListImeiClaimsRequest { status: Some(ImeiClaimStatus::Waiting.into()), ..asked() };
        assert_eq!(imeis(waiting).await?, std::slice::from_ref(&first));
        let theirs = ListImeiClaimsRequest { tenant_id: Some(friend.id.to_string()), ..asked() };
        assert!(imeis(theirs).await?.is_empty());
        let refused = answer(ImeiClaimsClient::new(fleet.transport()).list(friend.admin.sign(asked())).await);
        assert_eq!(refused.unwrap_err().class, Code::Forbidden);
        fleet.running.stop().await
    }
}
