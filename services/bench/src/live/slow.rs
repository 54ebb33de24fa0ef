//! A reader of one byte a second beside others: what it costs them.

use anyhow::{Context as _, Result};

use super::{
    flood::{Load, open_maps},
    people::{Person, Rights, Session},
    socket::{ReceivedMessages, read_slowly},
};
use crate::site::Site;

/// Readers beside it.
pub const OTHERS: usize = 20;

/// What the others heard.
pub struct Slow {
    pub without: ReceivedMessages,
    pub with: ReceivedMessages,
}

/// Publishes twice; all readers see the whole of one tenant.
pub async fn measure(site: &Site, load: &Load, people: &[Person]) -> Result<Slow> {
    let admins = people.iter().filter(|person| person.tenant == 0 && person.rights == Rights::Whole);
    let sessions = Session::of(site, admins).await?;
    let slow = sessions.first().context("an admin")?;
    eprintln!("{OTHERS} readers by themselves, then beside one of a byte a second");
    let without = load.publish(site, open_maps(site, &sessions, OTHERS).await?).await?.received;
    let others = open_maps(site, &sessions, OTHERS).await?;
    let with = tokio::select! {
        ended = read_slowly(site, slow) => match ended.context("the slow reader")? {},
        flood = load.publish(site, others) => flood?.received,
    };
    Ok(Slow { without, with })
}
