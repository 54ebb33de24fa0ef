//! Where live positions come in: one subscription for each tenant that somebody looks at, however many sockets do. Each
//! position is decoded once, dropped when a newer one is known, and offered to every inbox.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use armada_proto::{DeviceId, binding, v1::LastPositionsRequest};
use armada_runtime::{Bus, Context, Error, Result, Scope, ServiceKey, telemetry::messaging::following};
use async_nats::{Message, Subscriber};
use futures::{FutureExt, StreamExt};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    commands::CommandUpdate,
    events,
    inbox::Inbox,
    metrics::Metrics,
    update::Update,
    visibility::{ByDevice, TenantFilter},
};
use crate::clients::Clients;

/// How long to wait until the server has surely taken a subscription.
const SUBSCRIBE_DELAY: Duration = Duration::from_secs(2);
/// The subject of live positions, as metrics name it.
const LIVE: &str = "live.{tenant}";
/// When to ask again for positions that could not be had.
const RETRY: Duration = Duration::from_secs(1);
/// A position is shown live before it is stored. Until this long after, who asks for stored ones may not get it.
const STORED_WITHIN: Duration = Duration::from_secs(60);
/// By when nearly all that was shown live right before a channel was opened is stored.
const MOSTLY_STORED_WITHIN: Duration = Duration::from_secs(2);

/// All subscriptions of this process.
pub(super) struct Hub {
    feed: Feed,
    channels: Mutex<HashMap<TenantFilter, ChannelSlot>>,
    next_seat: AtomicU64,
}

/// The way to the channel of a tenant, if it is open. Whoever comes first opens it, and those of the same tenant wait for
/// that; those of others do not.
type ChannelSlot = Arc<tokio::sync::Mutex<Weak<Channel>>>;

/// What a channel needs to be fed.
#[derive(Clone)]
struct Feed {
    bus: Bus,
    clients: Clients,
    service_key: ServiceKey,
    metrics: Metrics,
}

/// One subscription and those who listen. It ends with the last of them.
struct Channel {
    audience: Arc<Audience>,
    _stop: DropGuard,
}

/// What is known of the devices of a channel, and the inboxes that receive it.
#[derive(Default)]
struct Audience {
    state: Mutex<AudienceState>,
}

#[derive(Default)]
struct AudienceState {
    newest: ByDevice<Arc<Update>>,
    inboxes: HashMap<u64, Arc<Inbox>>,
}

/// From where a position comes.
#[derive(Clone, Copy)]
enum Source {
    /// Whoever took it in publishes it.
    Pushed,
    /// It was asked for; what was published meanwhile may be newer.
    Asked,
}

/// A place at a channel; dropping it leaves.
pub(super) struct Subscription {
    channel: Arc<Channel>,
    number: u64,
    metrics: Metrics,
}

impl Hub {
    pub(super) fn new(context: &Context, clients: Clients, metrics: Metrics) -> Self {
        let feed = Feed { bus: context.bus.clone(), clients, service_key: context.service_key.clone(), metrics };
        Self { feed, channels: Mutex::default(), next_seat: AtomicU64::new(0) }
    }

    /// From now on the inbox is offered the live positions of a tenant, or of all.
    pub(super) async fn join(&self, of: TenantFilter, inbox: Arc<Inbox>) -> Result<Subscription> {
        let slot = self.slot(of);
        let mut open = slot.lock().await;
        let channel = match open.upgrade() {
            Some(channel) => channel,
            None => {
                let channel = self.feed.open(of).await?;
                *open = Arc::downgrade(&channel);
                channel
            }
        };
        drop(open);
        let number = self.next_seat.fetch_add(1, Ordering::Relaxed);
        channel.audience.state().inboxes.insert(number, inbox);
        Ok(Subscription { channel, number, metrics: self.feed.metrics.clone() })
    }
}

impl Hub {
    /// Where nobody listens and nobody comes, there is no slot any more.
    fn slot(&self, of: TenantFilter) -> ChannelSlot {
        let mut channels = self.channels.lock().expect("no panic while held");
        if !channels.contains_key(&of) {
            let in_use = |slot: &ChannelSlot| {
                Arc::strong_count(slot) > 1 || slot.try_lock().is_ok_and(|open| open.strong_count() > 0)
            };
            channels.retain(|_, slot| in_use(slot));
        }
        channels.entry(of).or_default().clone()
    }
}

impl Subscription {
    /// Offers everybody on the channel positions that were asked for.
    pub(super) fn broadcast(&self, updates: &[Arc<Update>]) {
        self.channel.audience.apply(updates, Source::Asked, &self.metrics);
    }

    /// The newest positions of all devices that anybody has heard of here.
    pub(super) fn all_newest(&self) -> Vec<Arc<Update>> {
        self.channel.audience.state().newest.values().cloned().collect()
    }

    /// Those of them that may not be stored yet.
    pub(super) fn maybe_unstored(&self) -> Vec<Arc<Update>> {
        let state = self.channel.audience.state();
        state.newest.values().filter(|update| update.heard_at.elapsed() < STORED_WITHIN).cloned().collect()
    }

    /// The newest positions of these devices that anybody has heard of here.
    pub(super) fn newest_of(&self, devices: impl IntoIterator<Item = DeviceId>) -> Vec<Arc<Update>> {
        let state = self.channel.audience.state();
        devices.into_iter().filter_map(|device| state.newest.get(&device).cloned()).collect()
    }

    /// The newest position of a device that anybody has heard of here.
    pub(super) fn newest(&self, device: DeviceId) -> Option<Arc<Update>> {
        self.channel.audience.state().newest.get(&device).cloned()
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.channel.audience.state().inboxes.remove(&self.number);
    }
}

impl Audience {
    fn state(&self) -> std::sync::MutexGuard<'_, AudienceState> {
        self.state.lock().expect("no panic while held")
    }

    /// Offers what is newer than what is known. The inboxes are filled under the lock, so that two sources of positions
    /// cannot overtake each other.
    fn apply(&self, updates: &[Arc<Update>], source: Source, metrics: &Metrics) {
        let mut state = self.state();
        let newer: Vec<_> = updates.iter().filter(|update| state.record(update, source)).collect();
        for inbox in state.inboxes.values() {
            metrics.conflated.inc_by(inbox.offer(newer.iter().copied()));
        }
    }

    fn deliver_command(&self, update: &CommandUpdate) {
        let state = self.state();
        let concerned = state.inboxes.values().filter(|inbox| inbox.sees(update.device));
        concerned.for_each(|inbox| inbox.commands.offer(update));
    }

    /// Events or alarms of devices changed. Nil is no device, and seen by who sees everything.
    fn deliver_events(&self, devices: &[DeviceId]) {
        let state = self.state();
        let concerned = state.inboxes.values().filter(|inbox| devices.iter().any(|device| inbox.sees(*device)));
        concerned.for_each(|inbox| inbox.events.offer());
    }

    fn recheck(&self) {
        self.state().inboxes.values().for_each(|inbox| inbox.recheck.notify_one());
    }
}

impl AudienceState {
    /// False when as new a position is known already. What is told again of the same fix is read in another way from now
    /// on: its odometer was corrected.
    fn record(&mut self, update: &Arc<Update>, source: Source) -> bool {
        let newer = self.newest.get(&update.device).is_none_or(|known| match source {
            Source::Pushed => known.recorded_at() <= update.recorded_at() && known.position != update.position,
            Source::Asked => known.recorded_at() < update.recorded_at(),
        });
        if newer {
            self.newest.insert(update.device, update.clone());
        }
        newer
    }
}

impl Feed {
    async fn open(&self, of: TenantFilter) -> Result<Arc<Channel>> {
        let subscribe = async |subject: String| self.bus.client.subscribe(subject).await.map_err(Error::unavailable);
        let live = subscribe(of.map_or(binding::LIVE_OF_ALL.to_owned(), binding::live_subject)).await?;
        let changes = subscribe(of.map_or(binding::CHANGES_OF_ALL.to_owned(), binding::changed_subject)).await?;
        let commands = subscribe(of.map_or(binding::COMMANDS_OF_ALL.to_owned(), binding::commands_subject)).await?;
        let events = subscribe(of.map_or(binding::EVENTS_OF_ALL.to_owned(), binding::events_subject)).await?;
        self.settle().await?;
        let (audience, stop) = (Arc::<Audience>::default(), CancellationToken::new());
        let run = self.clone().run(of, audience.clone(), [live, changes, commands, events]);
        let stopped = stop.clone();
        tokio::spawn(async move { stopped.run_until_cancelled(run).await });
        Ok(Arc::new(Channel { audience, _stop: stop.drop_guard() }))
    }

    /// The server takes the commands of a connection in their order: when a message to ourselves has come back, it has
    /// taken the subscriptions before it. While the server is away there is nothing to miss.
    async fn settle(&self) -> Result<()> {
        let inbox = self.bus.client.new_inbox();
        let mut echo = self.bus.client.subscribe(inbox.clone()).await.map_err(Error::unavailable)?;
        self.bus.client.publish(inbox, Default::default()).await.map_err(Error::unavailable)?;
        if tokio::time::timeout(SUBSCRIBE_DELAY, echo.next()).await.is_err() {
            tracing::warn!("NATS does not answer; live positions come when it does");
        }
        Ok(())
    }

    async fn run(self, of: TenantFilter, audience: Arc<Audience>, subscribed: [Subscriber; 4]) {
        let [mut live, mut changes, mut commands, mut event_changes] = subscribed;
        let mut connections = self.bus.connections();
        // What was published just before the subscription is neither heard nor, for whoever asks at once, stored.
        let catch_up_after = async |pause: Duration| {
            tokio::time::sleep(pause).await;
            self.catch_up(of, &audience).await;
        };
        let mut catching_up = std::pin::pin!(catch_up_after(MOSTLY_STORED_WITHIN).fuse());
        loop {
            tokio::select! {
                Some(message) = live.next() => self.take(&message, &audience),
                Some(_) = changes.next() => audience.recheck(),
                Some(message) = commands.next() => match CommandUpdate::of(&message.payload) {
                    Some(update) => audience.deliver_command(&update),
                    None => tracing::warn!(subject = %message.subject, "no command"),
                },
                Some(message) = event_changes.next() => audience.deliver_events(&events::devices(&message.payload)),
                // What was published while the connection was away is lost.
                Ok(()) = connections.changed() => {
                    audience.recheck();
                    catching_up.set(catch_up_after(Duration::ZERO).fuse());
                }
                () = &mut catching_up => {}
                else => return,
            }
        }
    }

    fn take(&self, message: &Message, audience: &Audience) {
        let begun = Instant::now();
        let _span = following(LIVE, message.headers.as_ref()).entered();
        match Update::of_frame(&message.payload) {
            Some(updates) => {
                audience.apply(&updates, Source::Pushed, &self.metrics);
                self.metrics.messages.processed(LIVE, begun.elapsed());
            }
            None => {
                tracing::warn!(subject = %message.subject, "no frame of live positions");
                self.metrics.messages.failed(LIVE, "malformed", begun.elapsed());
            }
        }
    }

    async fn catch_up(&self, of: TenantFilter, audience: &Audience) {
        loop {
            match self.positions(of).await {
                Ok(updates) => return audience.apply(&updates, Source::Asked, &self.metrics),
                Err(error) => tracing::debug!(%error, "cannot catch up with live positions; will try again"),
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    async fn positions(&self, of: TenantFilter) -> Result<Vec<Arc<Update>>> {
        let caller = self.service_key.caller(of.map_or(Scope::Platform, Scope::Tenant), None)?;
        let answer = self.clients.positions().last(caller.sign(LastPositionsRequest::default())).await?;
        Ok(answer.into_inner().items.into_iter().filter_map(Update::of).collect())
    }
}
