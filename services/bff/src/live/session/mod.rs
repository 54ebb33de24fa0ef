//! One open socket: it is written to, listened to and kept up to date at the same time, and ends with the first of the
//! three that ends.

mod listen;
pub(super) mod shared;
pub(super) mod write;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use armada_proto::{
    DeviceId, UserId,
    access::permission::{ALARM_LIST, COMMAND_LIST, EVENT_LIST, POSITION_LIVE},
};
use armada_runtime::{Code, Error, Result};
use axum::extract::ws::{Message, WebSocket};
use futures::{
    StreamExt,
    stream::{SplitSink, SplitStream},
};
use tokio::{
    sync::{Mutex, mpsc},
    time::{sleep, timeout},
};

use self::{
    shared::{CLOSING, End, FAILED, NOT_ALLOWED, SHUTDOWN, SIGNED_OUT, Shared, TIMEOUT, with_deadline},
    write::close,
};
use super::{
    columns::Columns,
    hub::Subscription,
    inbox::{Inbox, VisibilityChange},
    metrics::ClosedLabels,
    sockets::Sockets,
    viewer::Viewer,
};
use crate::http::language::Language;

/// Answers that wait to be written; a client that wants more has to read first.
const ANSWERS: usize = 16;
/// Several changes at once need one look.
const DEBOUNCE: Duration = Duration::from_millis(300);
/// More devices than these that come into view at once are asked for together with all others.
const ONE_BY_ONE_MAX: usize = 500;
/// When to ask again what could not be had.
const RETRY: Duration = Duration::from_secs(2);
/// How often to look whether rights are still being sent.
const RIGHTS_DOUBTED: Duration = Duration::from_secs(10);
/// How long a socket goes on showing what its user saw last when nobody can say what they see now. The live map is to
/// outlive a database that is away for a while, but not for ever.
const STALE_MAX: Duration = Duration::from_secs(300);

/// What a socket is opened with.
pub(super) struct Session {
    pub(super) sockets: Sockets,
    pub(super) viewer: Viewer,
    /// All visible devices are sent of.
    pub(super) everything: bool,
    /// In columns and not as JSON.
    pub(super) in_columns: bool,
    pub(super) language: Language,
}

impl Session {
    /// Until the socket is closed, by whomever.
    pub(super) async fn run(self, mut socket: WebSocket) {
        let Self { sockets, viewer, everything, in_columns, language } = self;
        let metrics = sockets.0.metrics.clone();
        metrics.open.inc();
        if in_columns {
            directory_is_complete(&sockets).await;
        }
        let columns = in_columns.then(|| Columns::new(viewer.of(), sockets.0.directory.clone()));
        let everything = everything || in_columns;
        let inbox = Arc::new(Inbox::new(everything, columns));
        let end = match Box::pin(begin(&sockets, &viewer, &inbox)).await {
            Ok(subscription) => {
                let shared = Shared { sockets, inbox, subscription, everything, language };
                let (mut sink, mut stream) = socket.split();
                let end = shared.live(viewer, &mut sink, &mut stream).await;
                close(&mut sink, &mut stream, &end).await;
                end
            }
            Err(error) => {
                tracing::warn!(%error, "a live socket could not begin");
                let _ = timeout(CLOSING, socket.send(FAILED.message())).await;
                FAILED
            }
        };
        metrics.open.dec();
        metrics.closed.get_or_create(&ClosedLabels { code: end.code }).inc();
    }
}

impl Shared {
    async fn live(
        &self,
        viewer: Viewer,
        sink: &mut SplitSink<WebSocket, Message>,
        stream: &mut SplitStream<WebSocket>,
    ) -> End {
        let session_end = self.sockets.0.ended.end_of(viewer.session());
        let user = viewer.user();
        let viewer = Mutex::new(viewer);
        let (answer, answers) = mpsc::channel(ANSWERS);
        let tasks = async {
            // The snapshot comes before all changes: what arrives meanwhile waits in the inbox. That of a large fleet takes
            // seconds: its first vehicles are asked for before all others, and what is there is sent meanwhile.
            let first = self.inbox.begin_snapshot();
            let snapshot = match first.is_empty() {
                true => Some(self.snapshot(&viewer).await),
                false => {
                    self.show_first(&viewer, first).await;
                    None
                }
            };
            let visible = async {
                let taken = match snapshot {
                    Some(taken) => taken,
                    None => self.snapshot(&viewer).await,
                };
                self.recheck(&viewer, !taken).await
            };
            tokio::select! {
                // What is there is written before more is asked for.
                biased;
                end = self.write(sink, answers) => end,
                end = self.listen(stream, &viewer, answer) => end,
                end = visible => end,
                end = self.follow_directory() => end,
                end = self.follow_rights(user) => end,
                () = session_end => SIGNED_OUT,
            }
        };
        // Boxed, or it would be held twice: as what is given, and as what runs.
        if let Some(end) = self.sockets.0.shutdown.run_until_cancelled(Box::pin(tasks)).await {
            return end;
        }
        self.sockets.turn_to_close().await;
        SHUTDOWN
    }

    async fn follow_directory(&self) -> End {
        let mut changes = self.sockets.0.directory.changes();
        while changes.changed().await.is_ok() {
            self.inbox.directory_changed();
            self.inbox.alarms_changed(|device| self.sockets.0.directory.alarm(device));
        }
        FAILED
    }

    /// Ends when the user may not look any more, or when nobody can tell whether they may. What else has changed in their
    /// rights may change what they see.
    async fn follow_rights(&self, user: UserId) -> End {
        let policies = &self.sockets.0.policies;
        let mut changes = policies.changes();
        let mut version = None;
        loop {
            match policies.of(user).await {
                Ok(rights) if !rights.allow(POSITION_LIVE) => return NOT_ALLOWED,
                Ok(rights) => {
                    self.inbox.commands.allow(rights.allow(COMMAND_LIST));
                    self.inbox.events.allow(rights.allow(EVENT_LIST) || rights.allow(ALARM_LIST));
                    if version.replace(rights.version).is_some_and(|before| before != rights.version) {
                        self.inbox.recheck.notify_one();
                    }
                }
                Err(error) if is_final(&error) => return SIGNED_OUT,
                Err(error) => {
                    tracing::warn!(%error, "what the user of a live socket may do is not known any more");
                    return FAILED;
                }
            }
            // A change, or none heard of because nobody tells.
            let _ = timeout(RIGHTS_DOUBTED, changes.changed()).await;
        }
    }

    /// False when the positions could not be had.
    async fn snapshot(&self, viewer: &Mutex<Viewer>) -> bool {
        if !self.everything {
            return true;
        }
        let asked = with_deadline(viewer.lock().await.positions(Vec::new())).await;
        let taken = match asked {
            Ok(positions) => {
                self.subscription.broadcast(&positions);
                let newest =
                    positions.into_iter().map(|update| self.subscription.newest(update.device).unwrap_or(update));
                self.inbox.offer(&newest.collect::<Vec<_>>());
                self.inbox.offer(&self.subscription.maybe_unstored());
                true
            }
            Err(error) => {
                tracing::warn!(%error, "no snapshot for a live socket; will try again");
                false
            }
        };
        self.inbox.end_snapshot();
        taken
    }

    /// Looks again what the user may see, now and then and whenever somebody says that it may have changed.
    async fn recheck(&self, viewer: &Mutex<Viewer>, mut missing: bool) -> End {
        let mut asked = Instant::now();
        let mut pause = Duration::from_secs(self.sockets.0.config.visibility_seconds);
        loop {
            if missing {
                pause = RETRY;
            }
            tokio::select! {
                () = self.inbox.recheck.notified() => sleep(DEBOUNCE).await,
                () = sleep(pause) => {}
            }
            match with_deadline(self.recheck_visibility(viewer)).await {
                Ok(gained) => {
                    asked = Instant::now();
                    pause = Duration::from_secs(self.sockets.0.config.visibility_seconds);
                    missing = (missing || gained) && !self.snapshot(viewer).await;
                }
                Err(error) if is_final(&error) => return SIGNED_OUT,
                Err(error) if asked.elapsed() > STALE_MAX => {
                    tracing::warn!(%error, "what the user of a live socket may see is not known any more");
                    return FAILED;
                }
                Err(error) => {
                    tracing::debug!(%error, "cannot ask what the user of a live socket may see");
                    pause = RETRY;
                }
            }
        }
    }

    /// True when the user sees so much more than before that the snapshot has to be taken again.
    async fn recheck_visibility(&self, viewer: &Mutex<Viewer>) -> Result<bool> {
        let mut viewer = viewer.lock().await;
        viewer.renew().await?;
        let gained = self.inbox.see(viewer.sees().await?);
        let subscribed = self.inbox.subscribed();
        let ids: Vec<_> = subscribed.iter().map(ToString::to_string).collect();
        let names = viewer.visible_of(&ids).await?;
        for (device, name) in &names {
            self.inbox.rename(*device, name);
        }
        self.inbox.unsubscribe(subscribed.into_iter().filter(|device| !names.contains_key(device)));
        Ok(self.everything && !self.show(&viewer, gained).await)
    }

    /// Tells of devices that came into view, if they are few; false when that was not possible.
    async fn show(&self, viewer: &Viewer, gained: VisibilityChange) -> bool {
        let devices = match gained {
            VisibilityChange::Some(devices) if devices.is_empty() => return true,
            VisibilityChange::Some(devices) if devices.len() <= ONE_BY_ONE_MAX => devices,
            _ => return false,
        };
        self.show_devices(viewer, devices).await
    }

    /// Tells where the first devices of a large fleet are. What cannot be had comes with the snapshot.
    async fn show_first(&self, viewer: &Mutex<Viewer>, devices: Vec<DeviceId>) {
        let viewer = viewer.lock().await;
        let shown = with_deadline(async { Ok(self.show_devices(&viewer, devices).await) }).await;
        if !matches!(shown, Ok(true)) {
            tracing::debug!("no positions of the first devices of a live socket");
        }
    }

    /// Tells where these devices are; false when that could not be had.
    async fn show_devices(&self, viewer: &Viewer, devices: Vec<DeviceId>) -> bool {
        let Ok(positions) = viewer.positions(devices.iter().map(ToString::to_string).collect()).await else {
            return false;
        };
        self.subscription.broadcast(&positions);
        self.inbox
            .offer(&devices.into_iter().filter_map(|device| self.subscription.newest(device)).collect::<Vec<_>>());
        true
    }
}

/// A catalogue that grows while the directory is being read would look as if devices were missing.
async fn directory_is_complete(sockets: &Sockets) {
    let mut changes = sockets.0.directory.changes();
    if timeout(TIMEOUT, changes.wait_for(Option::is_some)).await.is_err() {
        tracing::warn!("the devices are not known yet; a live socket begins without");
    }
}

/// Joins first and asks what the user sees then: no change in between goes unheard.
async fn begin(sockets: &Sockets, viewer: &Viewer, inbox: &Arc<Inbox>) -> Result<Subscription> {
    let subscription = sockets.0.hub.join(viewer.of(), inbox.clone()).await?;
    inbox.see(with_deadline(viewer.sees()).await?);
    Ok(subscription)
}

/// The user is gone, barred, or not what they were.
fn is_final(error: &Error) -> bool {
    matches!(error.class, Code::Unauthenticated | Code::Forbidden | Code::NotFound)
}
