//! The devices that report: imported from files, and found again by `armada replay --register-only` of the program that is
//! measured, which waits until ingest knows them.

use std::{fmt::Write, fs};

use anyhow::{Context as _, Result, ensure};
use armada_proto::TenantId;
use armada_track::{Imei, imei_of_name};
use serde_json::json;

use crate::{
    imports::{self, FILE},
    site::Site,
};

/// A device.
#[derive(Debug, Clone)]
pub struct Device {
    pub imei: Imei,
    pub id: String,
}

/// Makes devices of these names, and their tenant; ingest knows them then.
pub async fn register(site: &Site, names: &[String]) -> Result<Vec<Device>> {
    register_in(site, "Benchmark", names).await
}

/// The same in a tenant of this name.
pub async fn register_in(site: &Site, tenant: &str, names: &[String]) -> Result<Vec<Device>> {
    import(site, tenant, names).await?;
    let mut trace = "device,recorded_at,lat,lng,speed_kmh,course,extra\n".to_owned();
    for name in names {
        writeln!(trace, "{name},2026-01-05T00:00:00Z,0,0,,,")?;
    }
    let file = site.folder.join("devices.csv");
    fs::write(&file, trace)?;
    let made = site.command("replay").arg(&file).args(["--register-only", "--tenant", tenant]).output()?;
    ensure!(made.status.success(), "armada replay: {}", String::from_utf8_lossy(&made.stderr));
    let lines = String::from_utf8(made.stdout)?;
    lines.lines().skip(1).map(device).collect()
}

/// Makes the tenant and all of its devices; one by one takes ten times as long.
async fn import(site: &Site, tenant: &str, names: &[String]) -> Result<()> {
    let owner = site.token().await?;
    let tenant = site.post("/api/v1/tenants", Some(&owner), json!({ "name": tenant }).to_string()).await?;
    let tenant = tenant["id"].as_str().context("an id")?;
    for names in names.chunks(FILE) {
        let mut csv = "imei,name\n".to_owned();
        for name in names {
            writeln!(csv, "{},{name}", imei_of_name(name))?;
        }
        imports::devices(site, tenant, csv).await?;
    }
    Ok(())
}

/// The tenant of a device.
pub async fn tenant_of(site: &Site, device: &Device) -> Result<TenantId> {
    let device = site.get(&format!("/api/v1/devices/{}", device.id)).await?;
    Ok(device["tenant_id"].as_str().context("a tenant")?.parse()?)
}

fn device(line: &str) -> Result<Device> {
    let mut fields = line.split(',').skip(1);
    let (imei, id) = fields.next().zip(fields.next()).with_context(|| format!("{line} is no device"))?;
    Ok(Device { imei: imei.parse().ok().with_context(|| format!("{imei} is no IMEI"))?, id: id.to_owned() })
}
