//! The socket of a visitor: it tells what the link shows, and ends within seconds when the link does.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use armada_proto::{
    TenantId, Timestamp, UserId,
    v1::{LastPositionsRequest, MapSourceList, OpenedShareLink, ShareLinkTicket},
};
use armada_runtime::{Code, Result, Scope};
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures::{
    StreamExt,
    stream::{SplitSink, SplitStream},
};
use tokio::{
    sync::Notify,
    time::{MissedTickBehavior, interval, sleep, timeout},
};

use super::shown::Shown;
use crate::{
    live::{
        hub::Subscription,
        inbox::Inbox,
        message::ServerMessage,
        metrics::ClosedLabels,
        session::{
            shared::{DISCONNECTED, End, FAILED, LINK_OVER, SHUTDOWN, SILENT, TOO_FAST, with_deadline},
            write::{close, send},
        },
        sockets::Sockets,
        update::Update,
        visibility::Visibility,
    },
    maps::catalogue::Catalogue,
};

/// How often is asked whether the link still shows what it did, if nobody told of a change before.
const RECHECK: Duration = Duration::from_secs(10);
/// Several changes at once need one look.
const DEBOUNCE: Duration = Duration::from_millis(300);
/// When to ask again what could not be had.
const RETRY: Duration = Duration::from_secs(2);
/// How long a link goes on showing what it did when nobody can say whether it may. Strangers look: not for long.
const STALE_MAX: Duration = Duration::from_secs(30);
/// Positions of one message.
const BATCH: usize = 500;
/// The longest wait at once, so that a clock that was set is noticed.
const SLEEP_MAX: Duration = Duration::from_secs(60);
/// Messages that a visitor may send in a minute: they answer pings.
const RATE_MAX: u32 = 60;

/// What the socket of a visitor is opened with.
pub(super) struct Visit {
    pub(super) sockets: Sockets,
    pub(super) catalogue: Catalogue,
    pub(super) ticket: ShareLinkTicket,
    pub(super) opened: OpenedShareLink,
}

impl Visit {
    /// Until the socket is closed, by whomever.
    pub(super) async fn run(self, socket: WebSocket) {
        let metrics = self.sockets.0.metrics.clone();
        metrics.open.inc();
        let (mut sink, mut stream) = socket.split();
        let end = match self.begin().await {
            Ok(open) => open.live(&mut sink, &mut stream).await,
            Err(error) if error.class == Code::NotFound => LINK_OVER,
            Err(error) => {
                tracing::warn!(%error, "the socket of a visitor could not begin");
                FAILED
            }
        };
        close(&mut sink, &mut stream, &end).await;
        metrics.open.dec();
        metrics.closed.get_or_create(&ClosedLabels { code: end.code }).inc();
    }

    /// Joins first and asks what the link shows then: no change in between goes unheard.
    async fn begin(self) -> Result<OpenVisit> {
        let (tenant, maker) = (self.opened.tenant_id.parse()?, self.opened.user_id.parse()?);
        let inbox = Arc::new(Inbox::new(true, None));
        let subscription = self.sockets.0.hub.join(Some(tenant), inbox.clone()).await?;
        let open = OpenVisit {
            sockets: self.sockets,
            catalogue: self.catalogue,
            ticket: self.ticket,
            tenant,
            maker,
            inbox,
            subscription,
            shown: Mutex::default(),
            lacks_positions: AtomicBool::new(true),
            changed: Notify::new(),
        };
        open.refresh().await?;
        Ok(open)
    }
}

/// An open socket of a visitor.
struct OpenVisit {
    sockets: Sockets,
    /// The street maps, whose addresses do not hold as long as a page may stay open.
    catalogue: Catalogue,
    ticket: ShareLinkTicket,
    tenant: TenantId,
    /// Who made the link.
    maker: UserId,
    inbox: Arc<Inbox>,
    subscription: Subscription,
    shown: Mutex<Shown>,
    /// Whether stored positions are still to be asked for.
    lacks_positions: AtomicBool,
    /// Notified when all that the link shows is to be told anew.
    changed: Notify,
}

impl OpenVisit {
    async fn live(&self, sink: &mut SplitSink<WebSocket, Message>, stream: &mut SplitStream<WebSocket>) -> End {
        let tasks = async {
            tokio::select! {
                end = self.write(sink) => end,
                end = self.listen(stream) => end,
                end = self.recheck() => end,
                end = self.follow_rights() => end,
                end = self.expiry() => end,
            }
        };
        // Boxed, or it would be held twice: as what is given, and as what runs.
        if let Some(end) = self.sockets.0.shutdown.run_until_cancelled(Box::pin(tasks)).await {
            return end;
        }
        self.sockets.turn_to_close().await;
        SHUTDOWN
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks what the link shows now, and shows that from now on; an error when it shows nothing any more.
    async fn refresh(&self) -> Result<()> {
        let opened = with_deadline(self.sockets.look_at_link(&self.ticket)).await?;
        let ages = |device| self.sockets.0.directory.ages(self.tenant, device);
        let is_other = self.shown().replace(opened, ages);
        if is_other {
            self.inbox.see(Visibility::Some(self.shown().devices().collect()));
            self.lacks_positions.store(true, Ordering::Relaxed);
        }
        if self.lacks_positions.load(Ordering::Relaxed) {
            match with_deadline(self.stored()).await {
                Ok(positions) => {
                    self.subscription.broadcast(&positions);
                    self.lacks_positions.store(false, Ordering::Relaxed);
                }
                Err(error) => tracing::debug!(%error, "no positions for a visitor; will try again"),
            }
            self.changed.notify_one();
        }
        Ok(())
    }

    /// The stored positions of what is shown.
    async fn stored(&self) -> Result<Vec<Arc<Update>>> {
        let device_ids = self.shown().devices().map(|device| device.to_string()).collect();
        let caller = self.sockets.0.service_key.caller(Scope::Tenant(self.tenant), None)?;
        let request = LastPositionsRequest { device_ids, ..LastPositionsRequest::default() };
        let answer = self.sockets.0.clients.positions().last(caller.sign(request)).await?;
        Ok(answer.into_inner().items.into_iter().filter_map(Update::of).collect())
    }

    /// Looks again now and then, and whenever somebody says that something may have changed.
    async fn recheck(&self) -> End {
        let mut refreshed = Instant::now();
        let mut pause = RECHECK;
        loop {
            tokio::select! {
                () = self.inbox.recheck.notified() => sleep(DEBOUNCE).await,
                () = sleep(pause) => {}
            }
            match self.refresh().await {
                Ok(()) => (refreshed, pause) = (Instant::now(), RECHECK),
                Err(error) if error.class == Code::NotFound => return LINK_OVER,
                Err(error) if refreshed.elapsed() > STALE_MAX => {
                    tracing::warn!(%error, "what a link may show is not known any more");
                    return FAILED;
                }
                Err(_) => pause = RETRY,
            }
        }
    }

    /// When the rights of who made the link change, it may be over.
    async fn follow_rights(&self) -> End {
        let policies = &self.sockets.0.policies;
        let mut changes = policies.changes();
        let mut version = None;
        loop {
            let now = policies.of(self.maker).await.ok().map(|rights| rights.version);
            if version.replace(now).is_some_and(|before| before != now) {
                self.inbox.recheck.notify_one();
            }
            if changes.changed().await.is_err() {
                return FAILED;
            }
        }
    }

    /// Ends when the link expires, to the second.
    async fn expiry(&self) -> End {
        loop {
            let left = self.shown().expires_at().millis() - Timestamp::now().millis();
            match u64::try_from(left) {
                Ok(left) if left > 0 => sleep(Duration::from_millis(left).min(SLEEP_MAX)).await,
                _ => return LINK_OVER,
            }
        }
    }

    /// Sends what waits, at most as fast as the visitor takes it.
    async fn write(&self, sink: &mut SplitSink<WebSocket, Message>) -> End {
        let config = &self.sockets.0.config;
        let (stuck, pause) = (Duration::from_secs(config.stuck_seconds), Duration::from_millis(config.flush_ms));
        let mut pings = interval(Duration::from_secs(config.ping_seconds));
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        pings.tick().await;
        // The first ones came with what opened the link.
        let mut renewals = interval(Duration::from_secs(config.maps.renew_seconds));
        renewals.set_missed_tick_behavior(MissedTickBehavior::Delay);
        renewals.tick().await;
        let mut due = Instant::now();
        loop {
            let text = tokio::select! {
                biased;
                _ = pings.tick() => ServerMessage::Ping.text(),
                _ = renewals.tick() => self.map_sources().await,
                () = self.changed.notified() => self.shown().vehicles(|device| self.subscription.newest(device)),
                () = self.due(due) => {
                    due = Instant::now() + pause;
                    self.shown().positions(&self.inbox.take_updates(BATCH))
                }
            };
            self.sockets.0.metrics.sent.inc();
            self.sockets.0.metrics.sent_bytes.inc_by(text.len() as u64);
            if let Err(end) = send(sink, [Message::Text(text)], stuck).await {
                return end;
            }
        }
    }

    /// The message about the street maps, with addresses of today.
    async fn map_sources(&self) -> Utf8Bytes {
        let payload = MapSourceList { items: self.catalogue.usable().await };
        ServerMessage::MapSources { payload }.text()
    }

    async fn due(&self, due: Instant) {
        self.inbox.filled().await;
        tokio::time::sleep_until(due.into()).await;
    }

    /// Hears that the visitor is still there.
    async fn listen(&self, stream: &mut SplitStream<WebSocket>) -> End {
        let silence = Duration::from_secs(self.sockets.0.config.silence_seconds);
        let (mut minute, mut count) = (Instant::now(), 0);
        loop {
            match timeout(silence, stream.next()).await {
                Err(_) => return SILENT,
                Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) => return DISCONNECTED,
                Ok(Some(Ok(_))) => {}
            }
            if minute.elapsed() >= Duration::from_secs(60) {
                (minute, count) = (Instant::now(), 0);
            }
            count += 1;
            if count > RATE_MAX {
                return TOO_FAST;
            }
        }
    }
}
