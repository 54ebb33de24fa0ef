//! A real nats-server for a test, with what a fault test does to it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use armada_runtime::nats_server::{self, GatewayLogins};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tempfile::TempDir;

use crate::{port::free_port, scratch};

/// As many as ingest has unless it is told otherwise.
pub(crate) const PARTITIONS: u32 = 8;

/// A nats-server on a free port, with its files in a temporary folder.
pub struct NatsServer {
    server: Option<nats_server::NatsServer>,
    program: PathBuf,
    folder: PathBuf,
    port: u16,
    logins: GatewayLogins,
    _files: TempDir,
}

impl NatsServer {
    /// Starts one that lets in whoever gives no name, as the gateway `local`.
    pub fn start() -> Self {
        Self::start_with(GatewayLogins::Anonymous)
    }

    /// Starts one that asks identity which gateways may connect, with the [`Self::gateway_issuer`].
    pub fn start_asking_identity() -> Self {
        Self::start_with(GatewayLogins::Identity)
    }

    fn start_with(logins: GatewayLogins) -> Self {
        let files = scratch::temp_dir("nats-");
        let folder = files.path().join("nats");
        let mut new = Self { server: None, program: nats_program(), folder, port: free_port(), logins, _files: files };
        new.start_again();
        new
    }

    /// The seed of the key by which identity says who may connect.
    pub fn gateway_issuer(&self) -> String {
        nats_server::gateway_issuer(&self.folder).expect("it was started once").seed()
    }

    /// Where a service connects, with its own rights alone.
    pub fn url_of(&self, service: &str) -> String {
        nats_server::url_of_service(&self.folder, self.port, service).expect("a service with a user of its own")
    }

    /// Where whoever runs the machine connects.
    pub fn url(&self) -> String {
        nats_server::url_of(&self.folder, self.port).expect("it was started once")
    }

    /// Where whoever runs the machine speaks with gateways.
    pub fn gateways_url(&self) -> String {
        nats_server::gateways_url_of(&self.folder, self.port).expect("it was started once")
    }

    /// Where whoever gives no name connects: the gateway [`armada_proto::gateway::ANONYMOUS`].
    pub fn anonymous_url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Kills it with signal 9. Its supervisor starts it again at once, as in production.
    pub fn kill(&self) {
        self.signal(Signal::SIGKILL);
    }

    /// Stops its process where it is.
    pub fn pause(&self) {
        self.signal(Signal::SIGSTOP);
    }

    /// Lets it go on.
    pub fn resume(&self) {
        self.signal(Signal::SIGCONT);
    }

    /// Shuts it down; it stays away until [`Self::start_again`].
    pub fn stop(&mut self) {
        self.server = None;
    }

    /// Has it know other passwords from its next start on: who was let in before is not any more.
    pub fn change_passwords(&self) {
        for entry in fs::read_dir(&self.folder).expect("its folder") {
            let path = entry.expect("an entry").path();
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("password")) {
                fs::remove_file(path).expect("a file of its own");
            }
        }
    }

    /// Starts it on the same port and files.
    pub fn start_again(&mut self) {
        let server = nats_server::NatsServer::start(&self.program, &self.folder, self.port, PARTITIONS, self.logins);
        self.server = Some(server.expect("nats-server starts"));
    }

    fn signal(&self, signal: Signal) {
        let pid = self.server.as_ref().and_then(nats_server::NatsServer::pid).expect("nats-server runs");
        kill(Pid::from_raw(pid), signal).expect("nats-server takes signals");
    }
}

/// The program: as the runtime finds it, and below the root of the repository, since tests run in the folders of their crates.
pub fn nats_program() -> PathBuf {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools/nats-server");
    if std::env::var_os("ARMADA_NATS_SERVER").is_none() && installed.is_file() {
        return installed;
    }
    nats_server::find().expect("scripts/install-tools nats")
}
