//! Two processes of each service, and who starts one again that ended, as an orchestrator does.

use std::{collections::BTreeSet, time::Duration};

use anyhow::{Result, ensure};
use armada_testkit::{Api, eventually, free_port};
use nix::sys::signal::Signal;

use crate::support::site::{Armada, Site};

/// All services, in the order in which they depend on each other.
pub(super) const SERVICES: [&str; 5] = ["identity", "fleet", "notification", "position-ingest", "bff"];

struct Instance {
    service: &'static str,
    number: usize,
    grpc: String,
    admin: String,
    http: String,
    process: Option<Armada>,
}

/// All processes.
pub(super) struct Instances {
    site: Site,
    all: Vec<Instance>,
}

impl Instances {
    /// Starts two of each.
    pub(super) fn start(site: Site) -> Self {
        let address = || format!("127.0.0.1:{}", free_port());
        let both = SERVICES.into_iter().flat_map(|service| [(service, 0), (service, 1)]);
        let all = both.map(|(service, number)| Instance {
            service,
            number,
            grpc: address(),
            admin: address(),
            http: address(),
            process: None,
        });
        let mut new = Self { all: all.collect(), site };
        new.keep_running().expect("nothing has ended");
        new
    }

    /// Starts each that does not run.
    pub(super) fn keep_running(&mut self) -> Result<()> {
        let peers: Vec<(String, String)> = SERVICES[..4].iter().map(|service| self.peers(service)).collect();
        for instance in &mut self.all {
            let runs = match &mut instance.process {
                Some(process) => !process.has_ended()?,
                None => false,
            };
            if runs {
                continue;
            }
            let mut variables = vec![
                ("ARMADA_GRPC_ADDR", instance.grpc.as_str()),
                ("ARMADA_ADMIN_ADDR", &instance.admin),
                ("ARMADA_HTTP_ADDR", &instance.http),
            ];
            variables.extend(peers.iter().map(|(name, value)| (name.as_str(), value.as_str())));
            let name = format!("{}-{}", instance.service, instance.number);
            instance.process = Some(self.site.start_as(&name, &["--only", instance.service], &variables));
        }
        Ok(())
    }

    /// The variable that says where a service is called.
    fn peers(&self, service: &str) -> (String, String) {
        let of_service = self.all.iter().filter(|instance| instance.service == service);
        let addresses: Vec<String> = of_service.map(|instance| format!("http://{}", instance.grpc)).collect();
        (format!("ARMADA_PEERS__{}", service.to_uppercase().replace('-', "_")), addresses.join(","))
    }

    /// Makes schemas, streams and buckets, which brings into service what has waited for them.
    pub(super) async fn migrate_and_wait(&mut self, deadline: Duration) -> Result<()> {
        let migrated = self.site.output(&["migrate", "--wait", "60"]);
        ensure!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
        eventually("everything serves", deadline, async || {
            self.keep_running()?;
            let missing = self.missing().await?;
            ensure!(missing.is_empty(), "{missing:?}");
            Ok(())
        })
        .await;
        Ok(())
    }

    /// What the processes miss, and those that say nothing.
    pub(super) async fn missing(&self) -> Result<BTreeSet<String>> {
        let mut found = BTreeSet::new();
        for Instance { service, number, admin, .. } in &self.all {
            let Ok(reply) = Api::new(&format!("http://{admin}")).get("/readyz").await else {
                found.insert(format!("{service}-{number}"));
                continue;
            };
            let body = reply.json();
            let failed = body["checks"].as_array().into_iter().flatten().filter(|check| check["ok"] == false);
            found.extend(failed.map(|check| format!("{service}-{number}: {} {}", check["name"], check["message"])));
        }
        Ok(found)
    }

    /// Waits until none misses anything.
    pub(super) async fn have_everything(&self, deadline: Duration) {
        eventually("nothing is missing", deadline, async || {
            let missing = self.missing().await?;
            ensure!(missing.is_empty(), "{missing:?}");
            Ok(())
        })
        .await;
    }

    /// An error with the log of one that has ended by itself.
    pub(super) fn none_has_ended(&mut self) -> Result<()> {
        for Instance { service, number, process, .. } in &mut self.all {
            let Some(process) = process else { continue };
            ensure!(!process.has_ended()?, "{service}-{number} has ended: {}", process.log());
        }
        Ok(())
    }

    fn process(&mut self, service: &str, number: usize) -> &mut Armada {
        let mut all = self.all.iter_mut();
        let found = all.find(|instance| instance.service == service && instance.number == number);
        found.and_then(|instance| instance.process.as_mut()).expect("it runs")
    }

    /// Kills one with signal 9.
    pub(super) fn kill(&mut self, service: &str, number: usize) {
        self.process(service, number).kill();
    }

    /// Sends one a signal.
    pub(super) fn signal(&mut self, service: &str, number: usize, signal: Signal) {
        self.process(service, number).signal(signal);
    }

    /// The addresses of both edges.
    pub(super) fn edges(&self) -> Vec<String> {
        let edges = self.all.iter().filter(|instance| instance.service == "bff");
        edges.map(|instance| instance.http.clone()).collect()
    }

    /// The name and the admin port of each.
    pub(super) fn admins(&self) -> Vec<(String, String)> {
        let named = |instance: &Instance| (format!("{}-{}", instance.service, instance.number), instance.admin.clone());
        self.all.iter().map(named).collect()
    }

    /// The platform owner, signed in at an edge.
    pub(super) async fn owner_at(&self, edge: &str) -> Result<Api> {
        self.site.owner_at(edge).await
    }

    /// The same at the first one.
    pub(super) async fn owner(&self, deadline: Duration) -> Api {
        let edge = self.edges().swap_remove(0);
        eventually("the owner signs in", deadline, async || self.owner_at(&edge).await).await
    }
}
