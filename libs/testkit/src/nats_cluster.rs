//! Real nats-servers, each a process of its own, with what a fault test does to one of them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use armada_runtime::nats_server::{self, GatewayLogins};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tempfile::TempDir;

use crate::{
    nats::{PARTITIONS, nats_program},
    port::free_port,
    process::spawn_until_death,
    scratch,
};

/// Servers with the same users and passwords: a cluster if there are several. Whoever gives no name is let in as the gateway
/// `local`. Nobody starts one again that died.
pub struct NatsCluster {
    servers: Vec<Server>,
    _files: TempDir,
}

struct Server {
    folder: PathBuf,
    port: u16,
    monitor: u16,
    process: Option<Child>,
}

impl NatsCluster {
    /// Starts so many.
    pub fn start(servers: usize) -> Self {
        let files = scratch::temp_dir("nats-");
        let routes: Vec<u16> = (0..servers).map(|_| free_port()).collect();
        let first = files.path().join("0");
        let servers = (0..servers).map(|number| {
            let folder = files.path().join(number.to_string());
            fs::create_dir_all(&folder).expect("a folder");
            // The first one has made the passwords.
            if number > 0 {
                copy_passwords(&first, &folder);
            }
            let server = Server { folder, port: free_port(), monitor: free_port(), process: None };
            server.configure(number, &routes);
            server
        });
        let mut new = Self { servers: servers.collect(), _files: files };
        (0..new.servers.len()).for_each(|number| new.start_again(number));
        new
    }

    /// Where whoever runs the machine connects: all addresses.
    pub fn url(&self) -> String {
        self.urls(|server| nats_server::url_of(&server.folder, server.port))
    }

    /// Where a service connects, with its own rights alone.
    pub fn url_of(&self, service: &str) -> String {
        self.urls(|server| nats_server::url_of_service(&server.folder, server.port, service))
    }

    /// Where whoever runs the machine speaks with gateways.
    pub fn gateways_url(&self) -> String {
        self.urls(|server| nats_server::gateways_url_of(&server.folder, server.port))
    }

    /// Where the servers tell of themselves.
    pub fn monitors(&self) -> String {
        self.urls(|server| Some(format!("http://127.0.0.1:{}", server.monitor)))
    }

    fn urls(&self, url: impl Fn(&Server) -> Option<String>) -> String {
        let urls: Vec<String> =
            self.servers.iter().map(|server| url(server).expect("a user of every server")).collect();
        urls.join(",")
    }

    /// The number of the server that listens on a port.
    pub fn number_of(&self, port: u16) -> Option<usize> {
        self.servers.iter().position(|server| server.port == port)
    }

    /// Stops the process of a server where it is.
    pub fn pause(&self, number: usize) {
        self.servers[number].signal(Signal::SIGSTOP);
    }

    /// Lets it go on.
    pub fn resume(&self, number: usize) {
        self.servers[number].signal(Signal::SIGCONT);
    }

    /// Kills it with signal 9, and waits until it is gone.
    pub fn kill(&mut self, number: usize) {
        self.servers[number].kill();
    }

    /// Starts it on the same ports and files.
    pub fn start_again(&mut self, number: usize) {
        let server = &mut self.servers[number];
        let mut command = Command::new(nats_program());
        command.arg("-c").arg(server.folder.join("server.conf")).arg("-l").arg(server.folder.join("server.log"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        server.process = Some(spawn_until_death(command, Signal::SIGKILL).expect("nats-server starts"));
    }
}

impl Server {
    fn configure(&self, number: usize, routes: &[u16]) {
        let text = nats_server::configuration(&self.folder, self.port, PARTITIONS, GatewayLogins::Anonymous);
        let mut text = text.expect("passwords can be made");
        text += &format!("server_name: nats-{number}\nhttp: \"127.0.0.1:{}\"\n", self.monitor);
        if let [_, _, ..] = routes {
            let own = routes[number];
            let others: Vec<String> = routes.iter().map(|port| format!("nats://127.0.0.1:{port}")).collect();
            let others = others.join(", ");
            text += &format!(
                "cluster {{ name: test, listen: \"127.0.0.1:{own}\", routes: [{others}], ping_interval: \"1s\" }}\n"
            );
        }
        fs::write(self.folder.join("server.conf"), text).expect("its configuration");
    }

    fn signal(&self, signal: Signal) {
        let process = self.process.as_ref().expect("it runs");
        kill(Pid::from_raw(process.id() as i32), signal).expect("nats-server takes signals");
    }

    fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            process.wait().expect("it ends");
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// All that is in the folder of a server before it runs, but for its configuration.
fn copy_passwords(from: &Path, to: &Path) {
    for file in fs::read_dir(from).expect("its folder").map(|file| file.expect("a file").path()) {
        let name = file.file_name().expect("a name");
        if name != "server.conf" {
            fs::copy(&file, to.join(name)).expect("a copy");
        }
    }
}
