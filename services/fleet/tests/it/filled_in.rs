//! What the edge fills in of a request is believed of services alone: not of a user who asks a service themselves.

use std::collections::HashMap;

use armada_proto::{
    Timestamp,
    v1::{
        CommandInput, CommandReason, CommandState, Device, DevicesInStates, ListDevicesRequest, MeterCorrectionInput,
        MeterReading, SendCommandsRequest, VehicleState, commands_client::CommandsClient,
        devices_client::DevicesClient, meters_client::MetersClient,
    },
};
use armada_runtime::{Error, Peers};
use armada_testkit::both_databases;
use sea_orm::prelude::Uuid;

use crate::{
    commands::{position, stop},
    support::{Fleet, answer, new_device},
};

/// With what its odometer was read as.
fn correction(device: &Device) -> anyhow::Result<MeterCorrectionInput> {
    let anchor = MeterReading {
        device_id: device.id.parse::<Uuid>()?.into_bytes().to_vec(),
        recorded_at: Timestamp::now().millis(),
        distance: 20_000,
        ..MeterReading::default()
    };
    Ok(MeterCorrectionInput {
        id: device.id.clone(),
        odometer: Some(90_000.0),
        reason: "read in the vehicle".to_owned(),
        anchor: Some(anchor),
        ..MeterCorrectionInput::default()
    })
}

both_databases! {
    async fn what_is_filled_in_is_believed_of_services_alone(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let admin = &fleet.company("Acme").await.admin;
        fleet.has_routes().await;
        let _depot = fleet.gateway("depot").await;
        let addresses: HashMap<_, _> = [("fleet".to_owned(), fleet.running.grpc.clone())].into();
        let port = Peers::new([("fleet".to_owned(), fleet.running.grpc.parse()?)].into()).transport("fleet")?;
        let edge = fleet.world.context_with_peers(&[], addresses).await.of("bff")?;
        let service = edge.peers.transport("fleet")?;
        let standing = |device: &Device| CommandInput { last_position: Some(position(device, 0.0)), ..stop(device) };
        let parked = ListDevicesRequest {
            live_states: vec![VehicleState::Parked.into()],
            in_states: Some(DevicesInStates { device_ids: Vec::new(), others: true }),
            ..ListDevicesRequest::default()
        };
        for (transport, is_believed) in [(port, false), (service, true)] {
            let (truck, van) = (fleet.create(admin, new_device("Truck")).await?, fleet.create(admin, new_device("Van")).await?);
            fleet.routes(&truck, "depot").await;
            fleet.routes(&van, "depot").await;
            let mut commands = CommandsClient::new(transport.clone());
            let one = answer(commands.create(admin.sign(standing(&truck))).await)?.id;
            let both = SendCommandsRequest {
                device_ids: vec![van.id.clone()],
                command: Some(standing(&truck)),
                last_positions: vec![position(&van, 0.0)],
            };
            let sent = answer(commands.send(admin.sign(both)).await)?;
            let other = sent.items[0].command.as_ref().map(|command| command.id.clone()).unwrap_or_default();
            let stands = match is_believed {
                true => (CommandState::Sent, CommandReason::Unspecified),
                false => (CommandState::Queued, CommandReason::NotStanding),
            };
            for id in [one, other] {
                fleet.wait_for_state(admin, &id, stands.0, stands.1).await;
            }
            let mut meters = MetersClient::new(transport.clone());
            let corrected = answer(meters.correct(admin.sign(correction(&truck)?)).await)?;
            assert_eq!(corrected.odometer_before.is_some(), is_believed, "{corrected:?}");
            let listed = answer(DevicesClient::new(transport).list(admin.sign(parked.clone())).await);
            match listed {
                Ok(list) => assert!(is_believed && list.total > 0, "{list:?}"),
                Err(error) => assert_eq!((is_believed, error), (false, Error::field("in_states", "invalid"))),
            }
        }
        fleet.running.stop().await
    }
}
