//! The last messages of a gateway: each process has those that it received, and whoever is asked asks all.

use std::time::Duration;

use armada_proto::{
    gateway::LAST_MESSAGES,
    v1::{GatewayMessageList, ListGatewayMessagesRequest, gateway_messages_server},
};
use armada_runtime::{Bus, Caller, Database, Error, Result, Scope};
use futures::StreamExt;
use prost::Message;
use sea_orm::{EntityTrait, PaginatorTrait};
use tonic::{Request, Response, Status};

use crate::{
    directory::gateways::Gateways,
    entity::instance,
    receiver::{RecentMessages, merged},
};

/// How long other processes may take: one that counts as alive may have died a moment ago.
const TIMEOUT: Duration = Duration::from_millis(800);

/// The RPC.
pub struct GatewayMessages {
    /// Reaches the other processes.
    pub bus: Bus,
    /// Tells how many there are.
    pub db: Database,
    /// For whom gateways speak: who may look at them.
    pub gateways: Gateways,
}

impl gateway_messages_server::GatewayMessages for GatewayMessages {
    async fn list(&self, request: Request<ListGatewayMessagesRequest>) -> Result<Response<GatewayMessageList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.list(&caller, &request.into_inner().name).await?))
    }
}

impl GatewayMessages {
    /// A gateway of the platform is looked at by platform owners alone, and one of another tenant does not exist.
    async fn list(&self, caller: &Caller, gateway: &str) -> Result<GatewayMessageList> {
        let is_own = match caller.scope() {
            Scope::Platform => true,
            Scope::Tenant(tenant) => self.gateways.tenant_of(gateway) == Some(tenant),
        };
        if !is_own {
            return Err(Error::not_found());
        }
        let tx = self.db.read(&Scope::Platform).await?;
        let instances = instance::Entity::find().count(&tx).await? as usize;
        drop(tx);
        let answers = self.bus.ask_all(LAST_MESSAGES, gateway.to_owned().into(), instances, TIMEOUT).await?;
        let lists = answers.into_iter().filter_map(|answer| GatewayMessageList::decode(answer).ok());
        Ok(merged(lists.map(|list| list.items)))
    }
}

/// Answers what other processes ask, for ever.
pub async fn answer(bus: &Bus, recent: &RecentMessages) -> Result<()> {
    let mut questions = bus.client.subscribe(LAST_MESSAGES).await.map_err(Error::unavailable)?;
    while let Some(question) = questions.next().await {
        let Some(reply) = question.reply else { continue };
        let gateway = String::from_utf8_lossy(&question.payload);
        let list = recent.of(&gateway).encode_to_vec();
        if let Err(error) = bus.client.publish(reply, list.into()).await {
            tracing::debug!(%error, "cannot say what a gateway sent last");
        }
    }
    Ok(())
}
