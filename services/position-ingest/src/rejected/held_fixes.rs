//! Fixes of an IMEI that nobody has are held; when somebody gets it they are taken in, as far as the binding allows.

use std::{collections::HashMap, time::Duration};

use armada_runtime::{Bus, Code, Error, Result};
use armada_track::TrackerId;
use futures::StreamExt;
use tokio::{
    sync::broadcast::error::RecvError,
    time::{MissedTickBehavior, interval},
};

use super::replay::release_held;
use crate::{
    directory::{
        gateways::Gateways,
        registry::{NewBinding, Registry},
    },
    streams::{HELD, HELD_SUBJECTS},
};

/// How often everything is looked through: an instance that died may have left something behind.
const INTERVAL: Duration = Duration::from_secs(60);

/// What releases them.
pub struct HeldFixes {
    /// Where they are held.
    pub(crate) bus: Bus,
    /// Where they are taken in.
    pub(crate) to_gateways: Bus,
    pub(crate) registry: Registry,
    pub(crate) gateways: Gateways,
    pub(crate) partitions: u32,
}

impl HeldFixes {
    /// Releases what is held of IMEIs that somebody got, for ever. Each instance does; what one has taken in is not there for
    /// the next.
    pub async fn run(&self) -> Result<()> {
        let mut new_bindings = self.registry.new_bindings();
        self.registry.loaded().await;
        let mut ticks = interval(INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let released = tokio::select! {
                _ = ticks.tick() => self.release_all_bound().await,
                update = new_bindings.recv() => match update {
                    Ok(NewBinding::Tracker(imei)) => self.release(imei).await,
                    Ok(NewBinding::Any) | Err(RecvError::Lagged(_)) => self.release_all_bound().await,
                    Err(RecvError::Closed) => return Ok(()),
                },
            };
            match released {
                Ok(()) => {}
                Err(error) if error.class == Code::Unavailable => {
                    tracing::debug!(%error, "cannot take in what was held; will try again");
                    ticks.reset_after(Duration::from_secs(1));
                }
                Err(error) => tracing::warn!(%error, "cannot take in what was held; will try again"),
            }
        }
    }

    async fn release_all_bound(&self) -> Result<()> {
        let stream = self.bus.stream(HELD, &HashMap::new()).await?;
        if stream.cached_info().state.messages == 0 {
            return Ok(());
        }
        let mut subjects = stream.info_with_subjects(HELD_SUBJECTS).await.map_err(Error::unavailable)?;
        let mut bound = Vec::new();
        while let Some(subject) = subjects.next().await {
            let (subject, _) = subject.map_err(Error::unavailable)?;
            let imei = subject.rsplit('.').next().and_then(|imei| imei.parse::<TrackerId>().ok());
            bound.extend(imei.filter(|imei| self.registry.get(*imei).is_some()));
        }
        let mut failed = Ok(());
        for imei in bound {
            match self.release(imei).await {
                Err(error) if error.class == Code::Unavailable => return Err(error),
                // What cannot be taken in is in nobody else's way.
                Err(error) => failed = Err(error),
                Ok(()) => {}
            }
        }
        failed
    }

    async fn release(&self, imei: TrackerId) -> Result<()> {
        let stream = self.bus.stream(HELD, &HashMap::new()).await?;
        if stream.cached_info().state.messages == 0 {
            return Ok(());
        }
        let binding = self.registry.get(imei);
        let takes = |gateway: &str| {
            let own = self.gateways.tenant_of(gateway);
            !binding.as_ref().is_some_and(|binding| binding.is_closed_to(own))
        };
        let released = release_held(&self.to_gateways, &stream, imei, self.partitions, takes).await?;
        if released > 0 {
            tracing::info!(%imei, messages = released, "somebody has it now: what was held is taken in");
        }
        Ok(())
    }
}
