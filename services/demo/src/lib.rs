//! The demonstration: a tenant whose vehicles are made up, and a simulator that drives them.
//!
//! [`vehicles`] says what there is, [`roads`] where one can drive. [`schedule`] and [`drive`] tell where a vehicle is at any
//! instant, [`tracker`] what its tracker reports of it, and [`simulator`] publishes that as any gateway does. It obeys
//! [`commands`] as well: [`orders`] are what they have made of a vehicle.
//! [`registrar`] makes the tenant, its vehicles and [`drivers`] through the services, in their [`places`]; [`records`] what a fleet has
//! besides, such as [`papers`]. [`handling`] does what its admin does at first. [`removal`] takes all of it away again.
//!
//! What needs no service is public, so that it is tested by itself; the others are tested by what they do to an Armada.

#![warn(missing_docs)]

pub mod calendar;
mod commands;
mod decision;
mod drive;
mod drivers;
mod handling;
pub mod imeis;
mod orders;
mod papers;
pub mod path;
mod places;
pub mod random;
mod records;
mod registrar;
mod removal;
pub mod roads;
pub mod schedule;
mod simulator;
pub mod tracker;
pub mod vehicles;

use std::path::Path;

use anyhow::Result;
use armada_runtime::{Context, Service, service::Process};

pub use self::{removal::remove, simulator::GATEWAYS_USER};

use self::{
    decision::Decision,
    records::Records,
    registrar::{Made, NewUser, Registrar},
};

/// Makes what is missing of the demonstration, whatever was decided before, and says what it made.
pub async fn make(data_dir: &Path, context: &Context) -> Result<String> {
    let registrar = Registrar::new(context)?;
    let made = complete(&registrar).await?;
    registrar.wait_for_bindings().await?;
    Decision::Made.write(data_dir)?;
    let mut lines = vec![format!("{} devices made; `make run` drives them", made.devices)];
    lines.extend(sign_ins(&made.users));
    Ok(lines.join("\n"))
}

/// For `armada run` with ARMADA_DEMO=1: makes the demonstration if it is time for it, and lets the process drive its
/// vehicles. Returns the lines that say how to sign in. A demonstration that fails is no reason not to serve.
pub async fn start(data_dir: &Path, context: &Context, process: &mut Process) -> Vec<String> {
    process.add(Service::new("demo").task("simulator", simulator::run(context.clone())));
    create_demo(data_dir, context).await.unwrap_or_else(|error| {
        tracing::warn!(error = format!("{error:#}"), "the demonstration cannot be made");
        Vec::new()
    })
}

/// Makes the demonstration in an installation that has no tenants yet, or completes it. What was removed, or changed by
/// its users, stays as it is.
async fn create_demo(data_dir: &Path, context: &Context) -> Result<Vec<String>> {
    if Decision::read(data_dir)?.is_some() {
        return Ok(Vec::new());
    }
    let registrar = Registrar::new(context)?;
    if registrar.others_only().await? {
        return Ok(Vec::new());
    }
    let made = complete(&registrar).await?;
    Decision::Made.write(data_dir)?;
    Ok(sign_ins(&made.users))
}

/// Makes what is missing; nothing when all is there.
async fn complete(registrar: &Registrar) -> Result<Made> {
    let made = registrar.complete().await?;
    Records::new(registrar, &made.tenant).await?.complete().await?;
    Ok(made)
}

/// Passwords are shown here and nowhere else.
fn sign_ins(users: &[NewUser]) -> Vec<String> {
    let line = |user: &NewUser| format!("  demo      {}  {}  ({})", user.email, user.password, user.role);
    users.iter().map(line).collect()
}
