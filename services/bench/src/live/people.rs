//! Who looks: users of tenants who see all of its vehicles, those of a group, or single ones.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use futures::{StreamExt, TryStreamExt, stream};
use serde_json::json;

use crate::{
    devices::{self, Device},
    site::Site,
};

const PASSWORD: &str = "correct horse battery";
/// Users who are made, or who sign in, at a time.
const AT_ONCE: usize = 4;
/// Groups of a tenant, each with as many vehicles.
const GROUPS: usize = 10;
/// Vehicles of a user who sees single ones.
const SINGLE: usize = 3;

/// A tenant and its vehicles.
pub struct Tenant {
    pub devices: Vec<Device>,
    id: String,
    /// The role of whoever is no admin.
    role: String,
}

impl Tenant {
    /// Makes one; ingest knows its vehicles then. Names of tenants name their vehicles, too.
    pub async fn make(site: &Site, name: &str, devices: usize) -> Result<Self> {
        let names: Vec<String> = (0..devices).map(|number| format!("{name}-{number:06}")).collect();
        let devices = devices::register_in(site, name, &names).await?;
        let id = devices::tenant_of(site, devices.first().context("a device")?).await?.to_string();
        let role = json!({ "tenant_id": id, "name": "Benchmark", "template": "viewer" }).to_string();
        let role = site.post("/api/v1/roles", Some(&site.token().await?), role).await?;
        Ok(Self { devices, id, role: role["id"].as_str().context("an id")?.to_owned() })
    }

    /// The ids of the vehicles that a user of it sees.
    fn seen_by(&self, rights: Rights, number: usize) -> Vec<String> {
        let ids = self.devices.iter().map(|device| device.id.clone());
        match rights {
            Rights::Whole => ids.collect(),
            Rights::Group => ids.skip(number % GROUPS.min(self.devices.len())).step_by(GROUPS).collect(),
            Rights::Single => ids.skip(number % self.devices.len()).take(SINGLE).collect(),
        }
    }
}

/// What somebody sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rights {
    /// All vehicles of the tenant, as its admin.
    Whole,
    /// Those of a group, each linked to them.
    Group,
    /// A few, each linked to them.
    Single,
}

/// Of five users of a tenant one sees all of it, two a group, and two single vehicles.
const RIGHTS_OF_FIVE: [Rights; 5] = [Rights::Whole, Rights::Group, Rights::Single, Rights::Group, Rights::Single];

/// Somebody who has chosen their password.
pub struct Person {
    pub rights: Rights,
    /// By the place of their tenant among all.
    pub tenant: usize,
    email: String,
    address: String,
    sees: Arc<[String]>,
}

impl Person {
    /// Makes so many users with rights of all kinds, the first ones of each tenant admins. `series` makes their email
    /// addresses others than those of another call.
    pub async fn mixed(site: &Site, series: &str, tenants: &[Tenant], count: usize) -> Result<Vec<Self>> {
        Self::many(site, series, tenants, count, |place| RIGHTS_OF_FIVE[place % RIGHTS_OF_FIVE.len()]).await
    }

    /// The same, all of them admins.
    pub async fn admins(site: &Site, series: &str, tenants: &[Tenant], count: usize) -> Result<Vec<Self>> {
        Self::many(site, series, tenants, count, |_| Rights::Whole).await
    }

    /// `rights_of` says what the users of a tenant see, by their place in it.
    async fn many(
        site: &Site,
        series: &str,
        tenants: &[Tenant],
        count: usize,
        rights_of: impl Fn(usize) -> Rights,
    ) -> Result<Vec<Self>> {
        let token = site.token().await?;
        let token = token.as_str();
        let people = (0..count).map(|number| {
            let (place, tenant) = (number / tenants.len(), number % tenants.len());
            let rights = rights_of(place);
            let sees = tenants[tenant].seen_by(rights, place).into();
            let (email, address) = (format!("{series}{number}@bench.local"), address(number));
            (Self { rights, tenant, email, address, sees }, &tenants[tenant])
        });
        let made = stream::iter(people).map(|(person, tenant)| async move {
            person.make(site, token, tenant).await.with_context(|| person.email.clone())?;
            anyhow::Ok(person)
        });
        made.buffered(AT_ONCE).try_collect().await
    }

    /// Invites them, and has them choose a password; then gives them what they see.
    async fn make(&self, site: &Site, token: &str, tenant: &Tenant) -> Result<()> {
        let is_admin = self.rights == Rights::Whole;
        let user = json!({
            "tenant_id": tenant.id, "name": "Benchmark", "email": self.email, "invite": true, "is_tenant_admin": is_admin,
        });
        let user = site.post("/api/v1/users", Some(token), user.to_string()).await?;
        let id = user["id"].as_str().context("an id")?;
        if !is_admin {
            let roles = json!({ "role_ids": [tenant.role] }).to_string();
            site.put(&format!("/api/v1/users/{id}/roles"), token, roles).await?;
        }
        let purpose = json!({ "purpose": "invitation" }).to_string();
        let sent = site.post(&format!("/api/v1/users/{id}/links"), Some(token), purpose).await?;
        let (_, secret) = sent["link"].as_str().and_then(|link| link.split_once('#')).context("a link")?;
        let choice = json!({ "token": secret, "new_password": PASSWORD }).to_string();
        site.post_from(&self.address, "/auth/links/use", None, choice).await?;
        if !is_admin {
            let link = json!({ "user_id": id, "role": "viewer", "device_ids": *self.sees }).to_string();
            site.post("/api/v1/device-members/link", Some(token), link).await?;
        }
        Ok(())
    }

    /// Signs in, from an address of their own.
    async fn sign_in(&self, site: &Site) -> Result<Session> {
        let account = json!({ "email": self.email, "password": PASSWORD }).to_string();
        let answer = site.post_from(&self.address, "/auth/login", None, account).await?;
        let token = answer["token"].as_str().context("a token")?.to_owned();
        Ok(Session { rights: self.rights, sees: self.sees.clone(), address: self.address.clone(), token })
    }
}

/// An address for each, as a proxy would tell it.
fn address(number: usize) -> String {
    format!("203.0.{}.{}", number / 250 % 250, number % 250)
}

/// Somebody who is signed in, for ten minutes.
pub struct Session {
    pub rights: Rights,
    /// The ids of the vehicles that they see.
    pub sees: Arc<[String]>,
    pub address: String,
    token: String,
}

impl Session {
    /// All of these people sign in.
    pub async fn of<'a>(site: &Site, people: impl IntoIterator<Item = &'a Person>) -> Result<Vec<Self>> {
        let signing_in = stream::iter(people).map(|person| person.sign_in(site));
        signing_in.buffered(AT_ONCE).try_collect().await
    }

    /// A ticket for the live socket.
    pub async fn ticket(&self, site: &Site) -> Result<String> {
        let answer = site.post_from(&self.address, "/api/v1/ws-ticket", Some(&self.token), "{}".to_owned()).await?;
        Ok(answer["ticket"].as_str().context("a ticket")?.to_owned())
    }
}
