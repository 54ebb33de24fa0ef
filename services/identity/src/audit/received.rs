//! What comes for the audit, and whom it is believed of. An event is entered when the service whose subject it came on has
//! signed it, and the act is that service's to name. Everything else is set aside: the chain of the platform tells what
//! it said, but for names, addresses and changes, and why nobody believes it. What comes again is entered once.

use std::collections::HashMap;

use armada_proto::{TenantId, Timestamp, UserId, v1::AuditEvent};
use armada_runtime::{
    Context, Result,
    audit::{self, STREAM},
    auth::IDENTITY,
    bus::MessageProof,
};
use async_nats::jetstream::Message;
use prost::Message as _;
use sea_orm::entity::prelude::Uuid;
use serde_json::json;
use sha2::{Digest, Sha256};

/// The act of what was set aside.
const REFUSED: &str = "audit:refused";
/// Characters of a text that is set aside.
const TEXT_MAX: usize = 200;

/// An event whose ids are ids.
#[derive(Clone)]
pub struct Event {
    pub(crate) id: Uuid,
    pub(crate) tenant: Option<TenantId>,
    pub(crate) actor: Option<UserId>,
    pub(crate) event: AuditEvent,
}

impl Event {
    /// None of what could not be entered.
    fn of(event: AuditEvent) -> Option<Self> {
        let id = Uuid::try_parse(&event.id).ok()?;
        let tenant = event.tenant_id.as_deref().map(str::parse).transpose().ok()?;
        let actor = event.actor_id.as_deref().map(str::parse).transpose().ok()?;
        Some(Self { id, tenant, actor, event })
    }

    /// What came late of a tenant that is erased.
    pub fn without_personal_data(self) -> Self {
        let AuditEvent { id, at, tenant_id, actor_id, act, object_kind, object_id, .. } = self.event;
        let event = AuditEvent { id, at, tenant_id, actor_id, act, object_kind, object_id, ..AuditEvent::default() };
        Self { event, ..self }
    }
}

/// Tells what services have said from what was said in their names.
pub struct Receiver {
    proofs: HashMap<&'static str, MessageProof>,
    /// Counts what came on a subject of no service.
    own: MessageProof,
}

impl Receiver {
    /// With the keys of all services, which identity knows.
    pub async fn open(context: &Context) -> Result<Self> {
        let since = context.bus.signed_since(STREAM).await?;
        let proof = |service| context.message_proof(STREAM, service).since(since);
        Ok(Self { proofs: audit::services().map(|service| (service, proof(service))).collect(), own: proof(IDENTITY) })
    }

    /// What is entered of a message.
    pub fn read(&self, message: &Message) -> Option<Event> {
        let service = message.subject.strip_prefix("audit.").unwrap_or_default();
        let said = AuditEvent::decode(message.payload.clone()).ok();
        let event = said.clone().and_then(Event::of);
        let Some(proof) = self.proofs.get(service) else {
            self.own.refuse(&message.subject, "no service");
            return refused(message, service, "no_service", said);
        };
        if !proof.is_sound_message(message) {
            return refused(message, service, "not_signed", said);
        }
        let Some(event) = event else {
            proof.refuse(&message.subject, "no event");
            return refused(message, service, "no_event", said);
        };
        if !audit::is_own(service, &event.event.act, event.tenant) {
            proof.refuse(&message.subject, "the act of another service");
            return refused(message, service, "foreign_act", said);
        }
        Some(event)
    }
}

/// The entry of what nobody believes, in the chain of the platform.
fn refused(message: &Message, service: &str, reason: &str, said: Option<AuditEvent>) -> Option<Event> {
    let said = said.unwrap_or_default();
    let after = json!({
        "reason": reason,
        "at": said.at,
        "tenant_id": said.tenant_id.as_deref().map(short),
        "actor_id": said.actor_id.as_deref().map(short),
        "object_kind": short(&said.object_kind),
        "object_id": short(&said.object_id),
    });
    let event = AuditEvent {
        id: fingerprint(message).to_string(),
        at: Timestamp::now().millis(),
        actor_name: short(service),
        act: REFUSED.to_owned(),
        object_kind: "audit".to_owned(),
        object_id: short(&said.id),
        object_name: short(&said.act),
        after: Some(after.to_string()),
        ..AuditEvent::default()
    };
    Event::of(event)
}

fn short(text: &str) -> String {
    text.chars().take(TEXT_MAX).collect()
}

/// The same of the same message.
fn fingerprint(message: &Message) -> Uuid {
    let digest = Sha256::new().chain_update(message.subject.as_bytes()).chain_update(&message.payload).finalize();
    let mut id = [0; 16];
    id.copy_from_slice(&digest[..16]);
    Uuid::from_bytes(id)
}
