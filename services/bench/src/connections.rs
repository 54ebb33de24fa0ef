//! Many connections that each send a fix every ten seconds: what they take in memory, and whether all are answered.

use std::{sync::Arc, time::Duration};

use anyhow::{Context as _, Result, ensure};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    sync::Semaphore,
    task::JoinSet,
};

use crate::{devices::Device, latency, single::anonymous, site::Site, usage::Usage};

/// How often each sends.
const EVERY: Duration = Duration::from_secs(10);
/// How often each sends in a measurement.
const ROUNDS: usize = 3;
/// Connections that are opened at a time.
const AT_ONCE: usize = 64;

/// What they took.
pub struct Connections {
    pub count: usize,
    /// Resident memory of all processes but the load, before and while they are there.
    pub rss_before: u64,
    pub rss: u64,
}

/// Opens the connections, has each send three fixes, and looks at the memory before they are closed.
pub async fn measure(site: &Site, devices: &[Device], count: usize) -> Result<Connections> {
    eprintln!("{count} connections with a fix every {} s", EVERY.as_secs());
    let rss_before = Usage::of(site)?.rss_bytes;
    let opening = Arc::new(Semaphore::new(AT_ONCE));
    let address: Arc<str> = site.nats_address().into();
    let mut open = JoinSet::new();
    for (number, device) in devices.iter().cycle().take(count).enumerate() {
        let (subject, inbox) = anonymous(device);
        let (opening, address) = (opening.clone(), address.clone());
        let pause = EVERY.mul_f64(number as f64 / count as f64);
        open.spawn(async move {
            let permit = opening.acquire_owned().await?;
            let mut connection = Connection::open(&address, format!("{inbox}.c{number}")).await?;
            drop(permit);
            tokio::time::sleep(pause).await;
            for step in 0..ROUNDS {
                connection.send(&subject, &latency::body(step as i32)).await?;
                tokio::time::sleep(EVERY).await;
            }
            anyhow::Ok(connection)
        });
    }
    let mut connections = Vec::with_capacity(count);
    while let Some(connection) = open.join_next().await {
        connections.push(connection??);
    }
    let rss = Usage::of(site)?.rss_bytes;
    Ok(Connections { count: connections.len(), rss_before, rss })
}

/// The client protocol of NATS, as little of it as a tracker's gateway needs
/// (<https://docs.nats.io/reference/reference-protocols/nats-protocol>).
struct Connection {
    stream: BufReader<TcpStream>,
    inbox: String,
}

impl Connection {
    async fn open(address: &str, inbox: String) -> Result<Self> {
        let stream = BufReader::with_capacity(512, TcpStream::connect(address).await?);
        let mut this = Self { stream, inbox };
        let hello = format!("CONNECT {{\"verbose\":false}}\r\nSUB {} 1\r\nPING\r\n", this.inbox);
        this.stream.get_mut().write_all(hello.as_bytes()).await?;
        this.wait_for("PONG").await?;
        Ok(this)
    }

    /// Publishes, and waits for the answer.
    async fn send(&mut self, subject: &str, body: &str) -> Result<()> {
        let message = format!("PUB {subject} {} {}\r\n{body}\r\n", self.inbox, body.len());
        self.stream.get_mut().write_all(message.as_bytes()).await?;
        let head = self.wait_for("MSG").await?;
        let length: usize = head.rsplit(' ').next().context("a length")?.parse()?;
        let mut answer = vec![0; length + 2];
        self.stream.read_exact(&mut answer).await?;
        ensure!(answer.starts_with(b"{\"stream\""), "{}", String::from_utf8_lossy(&answer));
        Ok(())
    }

    /// The first line that begins so; pings on the way are answered.
    async fn wait_for(&mut self, begin: &str) -> Result<String> {
        let mut line = String::new();
        loop {
            line.clear();
            ensure!(self.stream.read_line(&mut line).await? > 0, "the server closed a connection");
            if line.starts_with("PING") {
                self.stream.get_mut().write_all(b"PONG\r\n").await?;
            }
            ensure!(!line.starts_with("-ERR"), "{line}");
            if line.starts_with(begin) {
                return Ok(line.trim_end().to_owned());
            }
        }
    }
}
