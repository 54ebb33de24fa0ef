//! Through whose eyes a socket looks: its user as identity knows them now, what fleet shows them, and the positions of
//! that.

use std::{collections::HashMap, sync::Arc};

use armada_proto::{
    DeviceId, UserId,
    v1::{Command, CommandInput, Empty, GetRequest, LastPositionsRequest, VisibleDevices, VisibleDevicesRequest},
};
use armada_runtime::{Caller, Code, Error, Result, Scope, auth::Grant};
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;
use uuid::Uuid;

use super::{
    sockets::Sockets,
    update::Update,
    visibility::{ByDevice, TenantFilter, Visibility},
};
use crate::resources::filled;

/// Devices in one question: as many as fleet answers.
const NAMES_AT_ONCE: usize = 10_000;

/// The user of a socket, and the user whose view they have chosen, if it is another one.
pub(super) struct Viewer {
    sockets: Sockets,
    grant: Grant,
    /// Only what this user sees as well.
    user_id: Option<String>,
    /// Only of this tenant.
    tenant: TenantFilter,
}

impl Viewer {
    /// An error when the chosen user does not exist for this one.
    pub(super) async fn new(sockets: Sockets, grant: Grant, user_id: Option<String>) -> Result<Self> {
        let own = grant.user_id.to_string();
        let tenant = grant.tenant_id;
        let mut viewer = Self { sockets, grant, user_id: user_id.filter(|id| *id != own), tenant };
        viewer.renew().await?;
        if let Some(id) = viewer.user_id.clone() {
            viewer.choose(&id).await?;
        }
        Ok(viewer)
    }

    async fn choose(&mut self, id: &str) -> Result<()> {
        let id: UserId = id.parse()?;
        let request = self.caller()?.sign(GetRequest { id: id.to_string() });
        let user = self.sockets.0.clients.users().get(request).await.map_err(|status| {
            let error = Error::from(status);
            // Who may not look at others sees none.
            if error.class == Code::Forbidden { Error::not_found() } else { error }
        })?;
        if let Some(tenant) = user.into_inner().tenant_id {
            self.tenant = Some(tenant.parse()?);
        }
        Ok(())
    }

    /// Takes over what identity says of the user now; an error when they may not be signed in any more.
    pub(super) async fn renew(&mut self) -> Result<()> {
        let request = self.caller()?.sign(Empty {});
        let user = self.sockets.0.clients.sessions().me(request).await?.into_inner();
        let tenant: TenantFilter = user.tenant_id.map(|id| id.parse()).transpose()?;
        if tenant != self.grant.tenant_id || user.is_platform_owner != self.grant.is_platform_owner {
            return Err(Error::unauthenticated());
        }
        self.grant.is_tenant_admin = user.is_tenant_admin;
        self.grant.policy_version = user.policy_version;
        Ok(())
    }

    /// Whose positions this one looks at.
    pub(super) fn of(&self) -> TenantFilter {
        self.tenant
    }

    /// Whose socket it is.
    pub(super) fn user(&self) -> UserId {
        self.grant.user_id
    }

    /// The sign-in that the socket goes back to.
    pub(super) fn session(&self) -> Option<Uuid> {
        self.grant.sid
    }

    /// What the user sees.
    pub(super) async fn sees(&self) -> Result<Visibility> {
        let answer = self.visible(&[]).await?;
        Ok(if answer.all { Visibility::All } else { Visibility::Some(parsed(answer.device_ids)) })
    }

    /// Which of these the user sees, with their names: of 10,000 in one question.
    pub(super) async fn visible_of(&self, device_ids: &[String]) -> Result<ByDevice<String>> {
        let mut named = HashMap::default();
        for ids in device_ids.chunks(NAMES_AT_ONCE) {
            let VisibleDevices { device_ids, names, .. } = self.visible(ids).await?;
            let pairs = device_ids.iter().zip(names);
            named.extend(pairs.filter_map(|(id, name)| Some((id.parse::<DeviceId>().ok()?, name))));
        }
        Ok(named)
    }

    async fn visible(&self, device_ids: &[String]) -> Result<VisibleDevices> {
        let request = VisibleDevicesRequest {
            user_id: self.user_id.clone(),
            tenant_id: self.tenant_id(),
            device_ids: device_ids.to_vec(),
            with_names: !device_ids.is_empty(),
            with_hidden: false,
        };
        Ok(self.sockets.0.clients.devices().visible(self.caller()?.sign(request)).await?.into_inner())
    }

    /// The newest positions of these devices, or of all that the user sees.
    pub(super) async fn positions(&self, device_ids: Vec<String>) -> Result<Vec<Arc<Update>>> {
        let request = LastPositionsRequest { user_id: self.user_id.clone(), tenant_id: self.tenant_id(), device_ids };
        let (mut positions, request) = (self.sockets.0.clients.positions(), self.caller()?.sign(request));
        // A task of its own: those of a large fleet take long, and the socket's task has something to write meanwhile.
        let asked = async move {
            let answer = positions.last(request).await?;
            Ok(answer.into_inner().items.into_iter().filter_map(Update::of).collect())
        };
        AbortOnDropHandle::new(tokio::spawn(asked.in_current_span())).await.map_err(Error::internal)?
    }

    /// Sends a command, as the user and not as whom they have chosen.
    pub(super) async fn send_command(&self, command: &CommandInput) -> Result<Command> {
        let (caller, clients, mut command) = (self.caller()?, &self.sockets.0.clients, command.clone());
        filled::command_input(clients, &caller, &mut command).await?;
        Ok(clients.commands().create(caller.sign(command)).await?.into_inner())
    }

    /// The tenant of whoever looks; none of platform owners.
    pub(super) fn tenant(&self) -> TenantFilter {
        self.grant.tenant_id
    }

    fn tenant_id(&self) -> Option<String> {
        self.tenant.map(|tenant| tenant.to_string())
    }

    /// A caller of this process on behalf of the user; never in a wider scope than the user's own.
    fn caller(&self) -> Result<Caller> {
        let scope = match self.grant.tenant_id {
            Some(tenant) => Scope::Tenant(tenant),
            None if self.grant.is_platform_owner => Scope::Platform,
            None => return Err(Error::unauthenticated()),
        };
        self.sockets.0.service_key.caller(scope, Some(self.grant.clone()))
    }
}

fn parsed<C: FromIterator<DeviceId>>(ids: Vec<String>) -> C {
    ids.iter().filter_map(|id| id.parse().ok()).collect()
}
