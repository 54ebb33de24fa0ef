//! Commands: who may send which, how they reach a gateway once, and what becomes of them.

use std::{num::NonZeroU32, time::Duration};

use armada_proto::{
    Timestamp,
    access::permission::{COMMAND_CONSENT, COMMAND_CREATE, COMMAND_ENGINE, COMMAND_LIST, DEVICE_LIST, DEVICE_UPDATE},
    binding, coded,
    command::{self, GatewayCommand, GatewayReply, GatewayReplyState},
    route,
    v1::{
        CancelCommandRequest, Command, CommandInput, CommandKind, CommandReason, CommandState, ConsentCommandRequest,
        Device, DeviceInput, DeviceMemberInput, DeviceMemberRole, GetCommandKindsRequest, GetRequest, ImeiRoute,
        LastPosition, ListCommandsRequest, LiveFrame, Motion, ResolveCommandRequest, SavedCommandInput,
        SendCommandsRequest, TenantInput, commands_client::CommandsClient, saved_commands_client::SavedCommandsClient,
    },
};
use armada_runtime::{Code, Error, Result, Scope, Transport};
use armada_testkit::{Signed, both_databases, eventually};
use async_nats::{Subscriber, jetstream::kv};
use futures::StreamExt;
use prost::Message;
use sea_orm::ConnectionTrait;

use crate::{
    device_members::link,
    support::{Company, Fleet, SOON, answer, new_device},
};

impl Fleet {
    fn commands(&self) -> CommandsClient<Transport> {
        CommandsClient::new(self.running.context.peers.transport("fleet").unwrap())
    }

    pub async fn send(&self, caller: &Signed, input: CommandInput) -> Result<Command> {
        answer(self.commands().create(caller.sign(input)).await)
    }

    pub async fn listed_commands(&self, caller: &Signed) -> Result<u32> {
        Ok(answer(self.commands().list(caller.sign(ListCommandsRequest::default())).await)?.total)
    }

    pub async fn command(&self, caller: &Signed, id: &str) -> Result<Command> {
        answer(self.commands().get(caller.sign(GetRequest { id: id.to_owned() })).await)
    }

    /// Waits until a command stands like that.
    pub async fn wait_for_state(
        &self,
        caller: &Signed,
        id: &str,
        state: CommandState,
        reason: CommandReason,
    ) -> Command {
        eventually("the command stands so", SOON, async || {
            let command = self.command(caller, id).await?;
            anyhow::ensure!((command.state(), command.state_reason()) == (state, reason), "{command:?}");
            Ok(command)
        })
        .await
    }

    /// What position-ingest does when it begins.
    pub async fn has_routes(&self) {
        let config = kv::Config { bucket: route::BUCKET.to_owned(), history: 1, ..kv::Config::default() };
        self.world.bus.ensure_bucket(config).await.unwrap();
    }

    /// What it says when a tracker is heard.
    pub async fn routes(&self, device: &Device, gateway: &str) {
        let route = ImeiRoute { gateway: gateway.to_owned(), since: Timestamp::now().millis() };
        let bucket = self.world.bucket_of("position-ingest", route::BUCKET).await;
        bucket.put(&device.imei, coded::encode(&route).into()).await.unwrap();
    }

    pub async fn gateway(&self, name: &str) -> Subscriber {
        let gateways = &self.world.gateways_bus().await.client;
        let subscriber = gateways.subscribe(format!("command.{name}.*")).await.unwrap();
        gateways.flush().await.unwrap();
        subscriber
    }

    pub async fn reply(&self, gateway: &str, command: &GatewayCommand, state: GatewayReplyState, text: &str) {
        let reply = GatewayReply { id: command.id.clone(), state, text: text.to_owned(), reason: String::new() };
        let subject = command::reply_subject(gateway, &command.imei);
        let client = &self.world.gateways_bus().await.client;
        client.publish(subject, serde_json::to_vec(&reply).unwrap().into()).await.unwrap();
        client.flush().await.unwrap();
    }

    /// A live position of a vehicle, as position-ingest tells it.
    async fn live(&self, company: &Company, device: &Device, speed: f64) {
        let frame = LiveFrame { positions: vec![position(device, speed)] }.encode_to_vec();
        self.world.bus.client.publish(binding::live_subject(company.id), frame.into()).await.unwrap();
    }

    async fn alter(&self, sql: &str) -> anyhow::Result<()> {
        let tx = self.world.database("fleet").await.write(&Scope::Platform).await?;
        tx.execute_unprepared(sql).await?;
        Ok(tx.commit().await?)
    }
}

/// Where a vehicle is now, and how quick.
pub fn position(device: &Device, speed: f64) -> LastPosition {
    LastPosition {
        device_id: device.id.clone(),
        recorded_at: Some(Timestamp::now()),
        speed: Some(speed),
        valid: true,
        motion: if speed > 0.0 { Motion::Moving } else { Motion::Parked }.into(),
        ..LastPosition::default()
    }
}

/// A command of a kind that needs nothing else.
pub fn to(device: &Device, kind: CommandKind) -> CommandInput {
    CommandInput { device_id: device.id.clone(), kind: Some(kind.into()), ..CommandInput::default() }
}

pub fn stop(device: &Device) -> CommandInput {
    CommandInput { reason: Some("Stolen".to_owned()), ..to(device, CommandKind::EngineStop) }
}

pub async fn next(gateway: &mut Subscriber) -> GatewayCommand {
    let message = tokio::time::timeout(SOON, gateway.next()).await.expect("in time").expect("a command");
    serde_json::from_slice(&message.payload).expect("a command as JSON")
}

/// Nothing within a while in which it would have come.
async fn is_silent(gateway: &mut Subscriber) -> bool {
    tokio::time::timeout(Duration::from_millis(1500), gateway.next()).await.is_err()
}

both_databases! {
    async fn command_is_sent_once_and_answered(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        fleet.has_routes().await;
        let mut depot = fleet.gateway("depot").await;
        let mut changes = fleet.world.bus.client.subscribe(binding::commands_subject(company.id)).await?;
        fleet.routes(&truck, "depot").await;
        let input = CommandInput { interval_seconds: Some(30), ..to(&truck, CommandKind::PositionPeriodic) };
        let made = fleet.send(admin, input).await?;
        assert_eq!((made.state(), made.name.as_str(), &made.imei), (CommandState::Queued, "Truck", &truck.imei));

        let subscriber = next(&mut depot).await;
        assert_eq!((&subscriber.id, &subscriber.imei, subscriber.kind.as_str()), (&made.id, &truck.imei, "position_periodic"));
        assert_eq!(subscriber.arguments["interval_seconds"], 30);
        let sent = fleet.wait_for_state(admin, &made.id, CommandState::Sent, CommandReason::Unspecified).await;
        assert_eq!((sent.gateway.as_str(), sent.sent_at.is_some()), ("depot", true));
        // Another gateway cannot speak for it, nor can what is no reply.
        fleet.reply("other", &subscriber, GatewayReplyState::Failed, "no").await;
        let nonsense = command::reply_subject("depot", &truck.imei);
        fleet.world.gateways_bus().await.client.publish(nonsense, "nonsense".into()).await?;
        fleet.reply("depot", &subscriber, GatewayReplyState::Delivered, "").await;
        fleet.wait_for_state(admin, &made.id, CommandState::Delivered, CommandReason::Unspecified).await;
        fleet.reply("depot", &subscriber, GatewayReplyState::Acknowledged, "OK 30s").await;
        let done = fleet.wait_for_state(admin, &made.id, CommandState::Acknowledged, CommandReason::Unspecified).await;
        assert_eq!((done.answer.as_str(), done.answered_at.is_some()), ("OK 30s", true));
        // What is done stays done.
        fleet.reply("depot", &subscriber, GatewayReplyState::Failed, "late").await;
        assert!(is_silent(&mut depot).await, "it is sent once");
        assert_eq!(fleet.command(admin, &made.id).await?.state(), CommandState::Acknowledged);
        let mut received = Vec::new();
        while received.last() != Some(&CommandState::Acknowledged) {
            let message = tokio::time::timeout(SOON, changes.next()).await?.expect("a change");
            received.push(Command::decode(message.payload)?.state());
        }
        let wanted = [CommandState::Queued, CommandState::Sent, CommandState::Delivered, CommandState::Acknowledged];
        assert_eq!(received, wanted);
        Ok(())
    }

    async fn command_waits_for_its_tracker_and_expires(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        fleet.has_routes().await;
        let made = fleet.send(admin, to(&truck, CommandKind::Reboot)).await?;
        fleet.wait_for_state(admin, &made.id, CommandState::Queued, CommandReason::NotConnected).await;
        // A gateway that is away is none.
        fleet.routes(&truck, "depot").await;
        fleet.live(&company, &truck, 0.0).await;
        assert_eq!(fleet.command(admin, &made.id).await?.state(), CommandState::Queued);
        let mut depot = fleet.gateway("depot").await;
        let subscriber = eventually("it goes out when the tracker is heard", SOON, async || {
            fleet.live(&company, &truck, 0.0).await;
            let message = tokio::time::timeout(Duration::from_millis(300), depot.next()).await?.expect("a command");
            Ok(serde_json::from_slice::<GatewayCommand>(&message.payload)?)
        })
        .await;
        // It had lost the connection in that moment.
        fleet.reply("depot", &subscriber, GatewayReplyState::NotConnected, "").await;
        fleet.wait_for_state(admin, &made.id, CommandState::Queued, CommandReason::NotConnected).await;
        fleet.alter("UPDATE command SET expires_at = 1").await?;
        fleet.wait_for_state(admin, &made.id, CommandState::Expired, CommandReason::NotConnected).await;
        fleet.live(&company, &truck, 0.0).await;
        assert!(is_silent(&mut depot).await, "never after its expiry");
        // Once more is another command.
        let input = CommandInput { repeats: Some(made.id.clone()), ..to(&truck, CommandKind::Reboot) };
        let again = fleet.send(admin, input).await?;
        assert_eq!((next(&mut depot).await.id, again.repeats), (again.id, Some(made.id)));
        Ok(())
    }

    /// However many wait for trackers that are silent.
    async fn commands_of_others_are_no_hindrance(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (loud, quiet) = (fleet.company("Loud").await, fleet.company("Quiet").await);
        fleet.has_routes().await;
        for n in 0..12 {
            let silent = fleet.create(&loud.admin, new_device(&format!("Silent {n}"))).await?;
            for _ in 0..50 {
                fleet.send(&loud.admin, to(&silent, CommandKind::Reboot)).await?;
            }
            let error = fleet.send(&loud.admin, to(&silent, CommandKind::Reboot)).await.unwrap_err();
            assert_eq!((error.code.as_str(), error.limit.map(NonZeroU32::get)), ("device_command_limit_reached", Some(50)));
        }
        let truck = fleet.create(&quiet.admin, new_device("Truck")).await?;
        fleet.routes(&truck, "depot").await;
        let mut depot = fleet.gateway("depot").await;
        let sent = fleet.send(&quiet.admin, to(&truck, CommandKind::Reboot)).await?;
        assert_eq!(next(&mut depot).await.id, sent.id);
        Ok(())
    }

    /// The last word is the last that arrives. A stop that waits until the vehicle stands holds up its engine alone.
    async fn commands_of_a_device_keep_their_order(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        fleet.has_routes().await;
        let every = |seconds: u32| CommandInput { interval_seconds: Some(seconds), ..to(&truck, CommandKind::PositionPeriodic) };
        let first = fleet.send(admin, every(10)).await?;
        fleet.wait_for_state(admin, &first.id, CommandState::Queued, CommandReason::NotConnected).await;
        let second = fleet.send(admin, every(600)).await?;
        fleet.routes(&truck, "depot").await;
        let mut depot = fleet.gateway("depot").await;
        assert!(is_silent(&mut depot).await, "the first was put off, and the second waits behind it");
        fleet.live(&company, &truck, 40.0).await;
        fleet.alter("UPDATE command SET next_try_at = 0").await?;
        assert_eq!((next(&mut depot).await.id, next(&mut depot).await.id), (first.id, second.id));
        let stopped = fleet.send(admin, stop(&truck)).await?;
        fleet.wait_for_state(admin, &stopped.id, CommandState::Queued, CommandReason::NotStanding).await;
        let reboot = fleet.send(admin, to(&truck, CommandKind::Reboot)).await?;
        assert_eq!(next(&mut depot).await.id, reboot.id);
        Ok(())
    }

    async fn an_engine_stops_only_where_the_vehicle_stands(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        fleet.has_routes().await;
        fleet.routes(&truck, "depot").await;
        let mut depot = fleet.gateway("depot").await;
        assert_eq!(fleet.send(admin, to(&truck, CommandKind::EngineStop)).await.unwrap_err(), Error::field("reason", "required"));
        let made = fleet.send(admin, stop(&truck)).await?;
        fleet.wait_for_state(admin, &made.id, CommandState::Queued, CommandReason::NotStanding).await;
        fleet.live(&company, &truck, 40.0).await;
        assert!(is_silent(&mut depot).await, "it drives");
        eventually("it stands", SOON, async || {
            fleet.live(&company, &truck, 0.0).await;
            anyhow::ensure!(tokio::time::timeout(Duration::from_millis(300), depot.next()).await?.is_some());
            Ok(())
        })
        .await;
        fleet.wait_for_state(admin, &made.id, CommandState::Sent, CommandReason::Unspecified).await;
        Ok(())
    }

    async fn an_engine_that_shall_run_again_is_not_stopped(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        fleet.has_routes().await;
        fleet.routes(&truck, "depot").await;
        let mut depot = fleet.gateway("depot").await;
        let stopped = fleet.send(admin, stop(&truck)).await?;
        fleet.wait_for_state(admin, &stopped.id, CommandState::Queued, CommandReason::NotStanding).await;
        // A fix without a satellite says nothing, and what the edge knows is as good as what is heard.
        let blind = LastPosition { valid: false, ..position(&truck, 0.0) };
        fleet.send(admin, CommandInput { last_position: Some(blind), ..stop(&truck) }).await?;
        assert!(is_silent(&mut depot).await, "whether it stands is not known");
        let resume = fleet.send(admin, to(&truck, CommandKind::EngineResume)).await?;
        let superseded = fleet.wait_for_state(admin, &stopped.id, CommandState::Cancelled, CommandReason::Superseded).await;
        assert_eq!(superseded.decided_by, Some(admin.grant.user_id.to_string()));
        assert_eq!(next(&mut depot).await.id, resume.id);
        fleet.live(&company, &truck, 0.0).await;
        assert!(is_silent(&mut depot).await, "it stands, but shall run");
        let while_parked = CommandInput { last_position: Some(position(&truck, 0.0)), ..stop(&truck) };
        let stopped = fleet.send(admin, while_parked).await?;
        assert_eq!(next(&mut depot).await.id, stopped.id);
        Ok(())
    }

    async fn repeated_request_returns_the_same_command(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let (truck, van) = (fleet.create(admin, new_device("Truck")).await?, fleet.create(admin, new_device("Van")).await?);
        let request = Some("0199f2b4-6c1e-7d3a-9a55-0c2f5f0d8e11".to_owned());
        let reboot = |device| CommandInput { request_id: request.clone(), ..to(device, CommandKind::Reboot) };
        let made = fleet.send(admin, reboot(&truck)).await?;
        assert_eq!(fleet.send(admin, reboot(&truck)).await?.id, made.id);
        let (one, other) = tokio::join!(fleet.send(admin, reboot(&van)), fleet.send(admin, reboot(&van)));
        let (one, other) = (one?, other?);
        assert_eq!(one.id, other.id, "at the same moment as well");
        assert_ne!(one.id, made.id, "another device");
        assert_ne!(fleet.send(&fleet.owner, reboot(&truck)).await?.id, made.id, "another user");
        let wrong = CommandInput { request_id: Some("again".to_owned()), ..reboot(&truck) };
        assert_eq!(fleet.send(admin, wrong).await.unwrap_err(), Error::field("request_id", "invalid"));
        Ok(())
    }

    async fn command_to_a_deleted_device_is_not_sent(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        fleet.has_routes().await;
        let made = fleet.send(admin, to(&truck, CommandKind::Reboot)).await?;
        fleet.wait_for_state(admin, &made.id, CommandState::Queued, CommandReason::NotConnected).await;
        fleet.delete(admin, &truck.id, None).await?;
        // The tracker is another device's now.
        let input = DeviceInput { imei: Some(truck.imei.clone()), ..new_device("Resold") };
        let resold = fleet.create(admin, input).await?;
        let mut depot = fleet.gateway("depot").await;
        fleet.routes(&resold, "depot").await;
        fleet.live(&company, &truck, 0.0).await;
        let own = fleet.send(admin, to(&resold, CommandKind::AlarmArm)).await?;
        assert_eq!(next(&mut depot).await.id, own.id);
        assert!(is_silent(&mut depot).await, "what was meant for another vehicle");
        assert_eq!(fleet.command(admin, &made.id).await.unwrap_err(), Error::not_found(), "it rests with its vehicle");
        Ok(())
    }

    async fn unanswered_command_is_resolved_by_hand(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        fleet.has_routes().await;
        fleet.routes(&truck, "depot").await;
        let mut depot = fleet.gateway("depot").await;
        let made = fleet.send(admin, to(&truck, CommandKind::Reboot)).await?;
        next(&mut depot).await;
        fleet.wait_for_state(admin, &made.id, CommandState::Sent, CommandReason::Unspecified).await;
        // As if the process had died between the table and the gateway, a while ago.
        fleet.alter("UPDATE command SET answer_by = 1").await?;
        fleet.restart().await;
        let unknown = fleet.wait_for_state(admin, &made.id, CommandState::Unknown, CommandReason::NoAnswer).await;
        assert!(is_silent(&mut depot).await, "it is not sent again by itself");
        let request = ResolveCommandRequest { id: unknown.id.clone(), carried_out: false, row_version: Some(unknown.row_version) };
        let resolved = answer(fleet.commands().resolve(admin.sign(request.clone())).await)?;
        assert_eq!((resolved.state(), resolved.state_reason()), (CommandState::Failed, CommandReason::NotCarriedOut));
        let late = answer(fleet.commands().resolve(admin.sign(ResolveCommandRequest { row_version: None, ..request })).await);
        assert_eq!(late.unwrap_err().code, "command_state");
        Ok(())
    }

    async fn engine_stop_needs_a_second_person(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let (admin, budi) = (&company.admin, &company.budi);
        let truck = fleet.create(admin, new_device("Truck")).await?;
        let asks = TenantInput { id: company.id.to_string(), engine_stop_consent: Some(true), ..TenantInput::default() };
        answer(fleet.tenants().update(fleet.owner.sign(asks)).await)?;
        let id = budi.grant.user_id.to_string();
        fleet.allow(&id, &company.id.to_string(), &[DEVICE_LIST, DEVICE_UPDATE, COMMAND_LIST, COMMAND_CREATE, COMMAND_CONSENT]).await;
        let technician = DeviceMemberInput { role: Some(DeviceMemberRole::Technician.into()), ..link(&truck, budi) };
        fleet.link_one(admin, technician).await?;
        let made = fleet.send(admin, stop(&truck)).await?;
        assert_eq!(made.state(), CommandState::AwaitingConsent);
        let consent_request = |agrees| ConsentCommandRequest { id: made.id.clone(), agrees, row_version: None };
        let own = answer(fleet.commands().consent(admin.sign(consent_request(true))).await).unwrap_err();
        assert_eq!((own.class, own.code.as_str()), (Code::Conflict, "own_command"));
        let agreed = answer(fleet.commands().consent(budi.sign(consent_request(true))).await)?;
        assert_eq!((agreed.state(), agreed.decided_by), (CommandState::Queued, Some(id)));
        let again = answer(fleet.commands().consent(budi.sign(consent_request(false))).await).unwrap_err();
        assert_eq!(again.code, "command_state");
        let cancelled = CancelCommandRequest { id: made.id.clone(), row_version: None };
        assert_eq!(answer(fleet.commands().cancel(admin.sign(cancelled)).await)?.state(), CommandState::Cancelled);
        let refused = fleet.send(admin, stop(&truck)).await?;
        let no = ConsentCommandRequest { id: refused.id, agrees: false, row_version: None };
        let refused = answer(fleet.commands().consent(budi.sign(no)).await)?;
        assert_eq!((refused.state(), refused.state_reason()), (CommandState::Cancelled, CommandReason::ConsentRefused));
        Ok(())
    }

    async fn members_send_what_they_may(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, other) = (fleet.company("Acme").await, fleet.company("Globex").await);
        let (admin, budi) = (&company.admin, &company.budi);
        let truck = fleet.create(admin, new_device("Truck")).await?;
        let id = budi.grant.user_id.to_string();
        fleet.allow(&id, &company.id.to_string(), &[DEVICE_LIST, COMMAND_LIST, COMMAND_CREATE]).await;
        let reboot = || to(&truck, CommandKind::Reboot);
        assert_eq!(fleet.send(budi, reboot()).await.unwrap_err(), Error::not_found(), "they do not see it");
        assert_eq!(fleet.send(&other.admin, reboot()).await.unwrap_err(), Error::not_found());
        fleet.link_one(admin, link(&truck, budi)).await?;
        assert_eq!(fleet.send(budi, reboot()).await.unwrap_err(), Error::forbidden(), "a viewer");
        let technician = DeviceMemberInput { role: Some(DeviceMemberRole::Owner.into()), ..link(&truck, &company.siti) };
        fleet.link_one(admin, technician).await?;
        let siti = company.siti.grant.user_id.to_string();
        fleet.allow(&siti, &company.id.to_string(), &[DEVICE_LIST, COMMAND_LIST, COMMAND_CREATE]).await;
        let sent = fleet.send(&company.siti, reboot()).await?;
        assert_eq!(fleet.send(&company.siti, stop(&truck)).await.unwrap_err(), Error::forbidden(), "an engine takes more");
        let raw = CommandInput { text: Some("reset#".to_owned()), ..to(&truck, CommandKind::Custom) };
        assert_eq!(fleet.send(&company.siti, raw.clone()).await.unwrap_err(), Error::forbidden(), "so does a text");
        fleet.allow(&siti, &company.id.to_string(), &[DEVICE_LIST, DEVICE_UPDATE, COMMAND_LIST, COMMAND_CREATE, COMMAND_ENGINE]).await;
        fleet.send(&company.siti, stop(&truck)).await?;
        let list = ListCommandsRequest { states: vec![CommandState::Queued.into()], ..ListCommandsRequest::default() };
        assert_eq!(answer(fleet.commands().list(budi.sign(list.clone())).await)?.total, 2);
        assert_eq!(answer(fleet.commands().list(other.admin.sign(list)).await)?.total, 0);
        assert_eq!(fleet.command(&other.admin, &sent.id).await.unwrap_err(), Error::not_found());
        // Many at once, each as if it were alone.
        let many = SendCommandsRequest { device_ids: vec![truck.id.clone(), sent.id.clone()], command: Some(raw), ..SendCommandsRequest::default() };
        let report = answer(fleet.commands().send(admin.sign(many)).await)?;
        assert_eq!((report.succeeded, report.failed, report.items[1].error.as_str()), (1, 1, "not_found"));
        let kinds = answer(fleet.commands().kinds(budi.sign(GetCommandKindsRequest { id: truck.id.clone() })).await)?;
        assert_eq!((kinds.items.len(), kinds.engine_stop_consent), (10, false), "nothing is known of its protocol");
        Ok(())
    }

    async fn saved_commands_are_validated_like_sent_ones(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let mut saved = SavedCommandsClient::new(fleet.running.context.peers.transport("fleet").unwrap());
        let input = SavedCommandInput { name: Some("Every minute".to_owned()), kind: Some(CommandKind::PositionPeriodic.into()), ..SavedCommandInput::default() };
        let bad = answer(saved.create(company.admin.sign(input.clone())).await).unwrap_err();
        assert_eq!(bad, Error::field("interval_seconds", "required"));
        let input = SavedCommandInput { interval_seconds: Some(60), ..input };
        let made = answer(saved.create(company.admin.sign(input.clone())).await)?;
        assert_eq!((made.name.as_str(), made.interval_seconds), ("Every minute", 60));
        assert_eq!(answer(saved.create(company.admin.sign(input)).await).unwrap_err(), Error::taken("name"));
        Ok(())
    }
}
