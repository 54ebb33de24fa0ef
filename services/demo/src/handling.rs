//! What the admin of the demonstration has done in its first minutes: a few commands and share links, and to all alarms of the time
//! before but a few they have seen.

use anyhow::Result;
use armada_proto::v1::{
    AcknowledgeAlarmInput, Alarm, AlarmState, ListAlarmsRequest, Tenant, alarms_client::AlarmsClient,
};
use armada_runtime::auth::Grant;

use super::{
    records::Records,
    registrar::{Registrar, own},
    tracker::OPEN_SINCE,
};

/// So long after the demonstration was made its past may still be on its way.
const UNTIL: i64 = 30 * 60_000;
/// So long what was not sent or shared yet still is. What somebody removes later stays away.
const SENT_UNTIL: i64 = 3 * 60_000;
/// What was said of them.
const NOTES: [&str; 4] = [
    "Pengemudi sudah dihubungi, aman.",
    "Pintu belum tertutup rapat saat bongkar muat.",
    "Sudah dicek di lokasi, tidak ada kerusakan.",
    "Perangkat digeser saat servis.",
];

/// Does what is still to be done at an instant; nothing once the past is told.
pub(super) async fn settle(registrar: &Registrar, tenant: &Tenant, now: i64) -> Result<()> {
    let Some(made_at) = tenant.created_at.map(|at| at.millis()).filter(|made_at| now < made_at + UNTIL) else {
        return Ok(());
    };
    // Somebody may have removed them.
    let Some(admin) = registrar.admin(&tenant.id).await? else { return Ok(()) };
    if now < made_at + SENT_UNTIL {
        Records::new(registrar, &tenant.id).await?.complete_as(&admin).await?;
    }
    acknowledge_past(registrar, tenant, made_at, &admin).await
}

/// Acknowledges what was raised long enough before.
async fn acknowledge_past(registrar: &Registrar, tenant: &Tenant, made_at: i64, admin: &Grant) -> Result<()> {
    let mut client = AlarmsClient::new(registrar.context.peers.transport(armada_notification::NAME)?);
    let mut request = ListAlarmsRequest { tenant_id: Some(tenant.id.clone()), ..ListAlarmsRequest::default() };
    request.states.push(AlarmState::Open.into());
    let open = client.list(registrar.caller()?.sign(request)).await.map_err(own)?.into_inner().items;
    let is_past = |alarm: &Alarm| alarm.first_at.is_some_and(|at| at.millis() < made_at - OPEN_SINCE);
    for (place, alarm) in open.into_iter().filter(is_past).enumerate() {
        let input = AcknowledgeAlarmInput { id: alarm.id, note: NOTES[place % NOTES.len()].to_owned() };
        client.acknowledge(registrar.caller_for(admin)?.sign(input)).await.map_err(own)?;
    }
    Ok(())
}
