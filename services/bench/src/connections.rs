//! Many connections that each send a fix every ten seconds: what they take in memory, and whether all are answered.

use std::{sync::Arc, time::Duration};

use anyhow::{Result, ensure};
use armada_proto::gateway::{ANONYMOUS, inbox_of};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::Semaphore,
    task::JoinSet,
    time::Instant,
};

use crate::{devices::Device, latency, site::Site, usage::Usage};

/// How often each sends.
const SEND_INTERVAL: Duration = Duration::from_secs(10);
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
    eprintln!("{count} connections with a fix every {} s", SEND_INTERVAL.as_secs());
    let rss_before = Usage::of(site)?.rss_bytes;
    let opening = Arc::new(Semaphore::new(AT_ONCE));
    let address: Arc<str> = site.nats_address().into();
    let mut open = JoinSet::new();
    for (number, device) in devices.iter().cycle().take(count).enumerate() {
        let (subject, inbox) = anonymous(device);
        let (opening, address) = (opening.clone(), address.clone());
        let pause = SEND_INTERVAL.mul_f64(number as f64 / count as f64);
        open.spawn(async move {
            let permit = opening.acquire_owned().await?;
            let mut connection = Connection::open(&address, format!("{inbox}.c{number}")).await?;
            drop(permit);
            connection.idle(pause).await?;
            for step in 0..ROUNDS {
                connection.send(&subject, &latency::body(step as i32)).await?;
                connection.idle(SEND_INTERVAL).await?;
            }
            anyhow::Ok(connection)
        });
    }
    let (mut connections, mut rss) = (Vec::with_capacity(count), 0);
    while let Some(connection) = open.join_next().await {
        connections.push(connection??);
        // Those that are through stay open until all are.
        if connections.len() == 1 {
            rss = Usage::of(site)?.rss_bytes;
        }
    }
    Ok(Connections { count: connections.len(), rss_before, rss })
}

/// The subject and reply prefix of whoever gives no name.
fn anonymous(device: &Device) -> (String, String) {
    (format!("gps.{ANONYMOUS}.{}", device.imei), inbox_of(ANONYMOUS))
}

/// The client protocol of NATS, as little of it as a tracker's gateway needs
/// (<https://docs.nats.io/reference/reference-protocols/nats-protocol>).
pub struct Connection {
    stream: TcpStream,
    inbox: String,
    /// What was read and is no whole line yet.
    read: Vec<u8>,
}

impl Connection {
    async fn open(address: &str, inbox: String) -> Result<Self> {
        Self::open_with(address, inbox, "").await
    }

    /// As a gateway with a secret; returns when it is let in.
    pub async fn open_as(address: &str, gateway: &str, secret: &str) -> Result<Self> {
        let login = format!(",\"user\":\"{gateway}\",\"pass\":\"{secret}\"");
        Self::open_with(address, format!("{}.c", inbox_of(gateway)), &login).await
    }

    async fn open_with(address: &str, inbox: String, login: &str) -> Result<Self> {
        let mut this = Self { stream: TcpStream::connect(address).await?, inbox, read: Vec::with_capacity(512) };
        let hello = format!("CONNECT {{\"verbose\":false{login}}}\r\nSUB {} 1\r\nPING\r\n", this.inbox);
        this.stream.write_all(hello.as_bytes()).await?;
        this.wait_for("PONG").await?;
        Ok(this)
    }

    /// Publishes, and waits for the answer.
    async fn send(&mut self, subject: &str, body: &str) -> Result<()> {
        let message = format!("PUB {subject} {} {}\r\n{body}\r\n", self.inbox, body.len());
        self.stream.write_all(message.as_bytes()).await?;
        self.wait_for("MSG").await?;
        let answer = self.line().await?;
        ensure!(answer.starts_with("{\"stream\""), "{answer}");
        Ok(())
    }

    /// Answers the server's pings until the server ends the connection.
    pub async fn until_closed(mut self) {
        while let Ok(line) = self.line().await {
            if self.look_at(&line).await.is_err() {
                return;
            }
        }
    }

    /// Answers the server's pings for so long.
    async fn idle(&mut self, time: Duration) -> Result<()> {
        let until = Instant::now() + time;
        while let Ok(line) = tokio::time::timeout_at(until, self.line()).await {
            self.look_at(&line?).await?;
        }
        Ok(())
    }

    /// Reads up to the first line that begins so.
    async fn wait_for(&mut self, begin: &str) -> Result<()> {
        loop {
            let line = self.line().await?;
            self.look_at(&line).await?;
            if line.starts_with(begin) {
                return Ok(());
            }
        }
    }

    async fn look_at(&mut self, line: &str) -> Result<()> {
        ensure!(!line.starts_with("-ERR"), "{line}");
        if line.starts_with("PING") {
            self.stream.write_all(b"PONG\r\n").await?;
        }
        Ok(())
    }

    /// The next line. What was read of it stays when this is dropped.
    async fn line(&mut self) -> Result<String> {
        loop {
            if let Some(end) = self.read.windows(2).position(|pair| pair == b"\r\n") {
                let line: Vec<u8> = self.read.drain(..end + 2).take(end).collect();
                return Ok(String::from_utf8(line)?);
            }
            ensure!(self.stream.read_buf(&mut self.read).await? > 0, "the server closed a connection");
        }
    }
}
