//! The connections of gateways, as the servers know them: over a connection to their system account.

use std::{collections::HashMap, sync::Arc, time::Duration};

use armada_proto::{
    Timestamp,
    v1::{GatewayConnection, GatewayConnectionList},
};
use armada_runtime::{Bus, Error, Result};
use futures::{StreamExt, stream};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;

/// The user of NATS that asks servers for their connections, and ends some.
pub const NATS_USER: &str = "identity-system";

/// How long servers may take to answer.
const TIMEOUT: Duration = Duration::from_secs(2);
/// Connections of one gateway that are looked at.
const CONNECTIONS_MAX: usize = 20_000;
/// Gateways that are asked for at a time.
const AT_ONCE: usize = 8;
/// For how long is not asked again how many connections a gateway has.
const COUNT_CACHED_FOR: Duration = Duration::from_secs(2);
const PAGE_SIZE: usize = 25;

/// Asks the servers. Cheap to clone.
#[derive(Clone)]
pub struct Connections {
    bus: Bus,
    counts: moka::sync::Cache<String, u32>,
}

#[derive(Deserialize)]
struct ServerResponse<T> {
    server: Server,
    #[serde(alias = "statsz")]
    data: T,
}

#[derive(Deserialize)]
struct Server {
    id: String,
    name: String,
}

#[derive(Deserialize)]
struct Stats {
    active_servers: usize,
}

#[derive(Deserialize)]
struct Connz {
    connections: Vec<Connection>,
}

#[derive(Deserialize)]
struct Connection {
    cid: u64,
    #[serde(default)]
    ip: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    lang: String,
    #[serde(default)]
    version: String,
    start: String,
    last_activity: Option<String>,
    #[serde(default)]
    in_msgs: u64,
    #[serde(default)]
    in_bytes: u64,
    #[serde(default)]
    authorized_user: String,
    /// Empty while it waits to be let in.
    #[serde(default)]
    account: String,
}

impl Connections {
    /// Over the connection of [`NATS_USER`].
    pub fn new(bus: Bus) -> Self {
        Self { bus, counts: moka::sync::Cache::builder().max_capacity(10_000).time_to_live(COUNT_CACHED_FOR).build() }
    }

    /// How many connections gateways have; nothing of those that cannot be asked for.
    pub async fn counts(&self, gateways: Vec<String>) -> HashMap<String, u32> {
        let (known, others): (Vec<_>, Vec<_>) =
            gateways.into_iter().map(|name| (self.counts.get(&name), name)).partition(|(count, _)| count.is_some());
        let mut counts: HashMap<String, u32> =
            known.into_iter().filter_map(|(count, name)| Some((name, count?))).collect();
        if others.is_empty() {
            return counts;
        }
        let servers = match self.servers().await {
            Ok(servers) => servers,
            Err(error) => {
                tracing::debug!(%error, "cannot ask for the connections of gateways");
                return counts;
            }
        };
        let asked = stream::iter(others).map(|(_, name)| async move {
            let count = self.count(&name, servers).await;
            if let Err(error) = &count {
                tracing::debug!(gateway = name, %error, "cannot ask for the connections of a gateway");
            }
            Some((name, count.ok()?))
        });
        counts.extend(asked.buffer_unordered(AT_ONCE).filter_map(std::future::ready).collect::<Vec<_>>().await);
        counts
    }

    async fn count(&self, gateway: &str, servers: usize) -> Result<u32> {
        let count = u32::try_from(self.open(gateway, servers).await?.count()).unwrap_or(u32::MAX);
        self.counts.insert(gateway.to_owned(), count);
        Ok(count)
    }

    /// A page of them, the newest first.
    pub async fn page(&self, gateway: &str, page: u32, size: u32) -> Result<GatewayConnectionList> {
        let mut found: Vec<GatewayConnection> =
            self.open(gateway, self.servers().await?).await?.map(described).collect();
        found.sort_by_key(|connection| std::cmp::Reverse(connection.connected_at));
        let total = u32::try_from(found.len()).unwrap_or(u32::MAX);
        self.counts.insert(gateway.to_owned(), total);
        let size = if size == 0 { PAGE_SIZE } else { size as usize };
        let items = found.into_iter().skip(page.saturating_sub(1) as usize * size).take(size).collect();
        Ok(GatewayConnectionList { items, total })
    }

    /// Those that were let in.
    async fn open(
        &self,
        gateway: &str,
        servers: usize,
    ) -> Result<impl Iterator<Item = (Arc<Server>, Connection)> + use<>> {
        Ok(self.of(gateway, servers).await?.into_iter().filter(|(_, connection)| !connection.account.is_empty()))
    }

    /// Ends all connections of a gateway; how many there were.
    pub async fn end(&self, gateway: &str) -> Result<usize> {
        let found = self.of(gateway, self.servers().await?).await?;
        self.counts.invalidate(gateway);
        for (server, connection) in &found {
            let subject = format!("$SYS.REQ.SERVER.{}.KICK", server.id);
            let body = json!({ "cid": connection.cid }).to_string();
            let request = async_nats::Request::new().payload(body.into()).timeout(Some(TIMEOUT));
            // One that has gone by itself is no error worth a word.
            let _ = self.bus.client.send_request(subject, request).await;
        }
        Ok(found.len())
    }

    async fn of(&self, gateway: &str, servers: usize) -> Result<Vec<(Arc<Server>, Connection)>> {
        let asked = json!({ "user": gateway, "auth": true, "limit": CONNECTIONS_MAX });
        let answers: Vec<ServerResponse<Connz>> = self.ask("$SYS.REQ.SERVER.PING.CONNZ", asked, servers).await?;
        let mut found = Vec::new();
        for ServerResponse { server, data } in answers {
            let server = Arc::new(server);
            let own = data.connections.into_iter().filter(|connection| connection.authorized_user == gateway);
            found.extend(own.map(|connection| (server.clone(), connection)));
        }
        Ok(found)
    }

    /// How many servers there are: each answers what all are asked.
    async fn servers(&self) -> Result<usize> {
        let first: Vec<ServerResponse<Stats>> = self.ask("$SYS.REQ.SERVER.PING.STATSZ", json!({}), 1).await?;
        Ok(first.first().map_or(1, |answer| answer.data.active_servers))
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        subject: &'static str,
        body: serde_json::Value,
        servers: usize,
    ) -> Result<Vec<ServerResponse<T>>> {
        let answers = self.bus.ask_all(subject, body.to_string().into(), servers, TIMEOUT).await?;
        let read = answers.iter().map(|answer| serde_json::from_slice(answer));
        let read: Vec<_> = read.collect::<serde_json::Result<_>>().map_err(Error::unavailable)?;
        // One that does not answer says nothing of its connections, which may be many.
        if read.len() < servers {
            return Err(Error::unavailable("not all servers of NATS tell of their connections"));
        }
        Ok(read)
    }
}

fn described((server, connection): (Arc<Server>, Connection)) -> GatewayConnection {
    let client = format!("{} {}", connection.lang, connection.version);
    GatewayConnection {
        id: format!("{}-{}", server.id, connection.cid),
        server: server.name.clone(),
        address: connection.ip,
        program: connection.name,
        client: client.trim().to_owned(),
        connected_at: Timestamp::parse_rfc3339(&connection.start),
        last_activity_at: connection.last_activity.as_deref().and_then(Timestamp::parse_rfc3339),
        messages: i64::try_from(connection.in_msgs).unwrap_or(i64::MAX),
        bytes: i64::try_from(connection.in_bytes).unwrap_or(i64::MAX),
    }
}
