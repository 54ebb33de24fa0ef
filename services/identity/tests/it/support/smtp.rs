//! A mail server that keeps what it is given.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use base64::{Engine, engine::general_purpose::STANDARD};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::{RwLock, mpsc},
};

use super::SOON;

/// An email as the server took it.
#[derive(Debug, Clone)]
pub struct Mailed {
    /// Who the envelope names.
    pub recipients: Vec<String>,
    /// Its parts, decoded: text first, HTML second.
    pub parts: Vec<String>,
}

impl Mailed {
    /// What follows the `#` of the link in it.
    pub fn token(&self) -> String {
        let (_, rest) = self.parts[0].split_once('#').expect("a link");
        rest.split_whitespace().next().expect("a token").to_owned()
    }
}

/// The server.
pub struct Sink {
    pub url: String,
    /// How many emails to turn away for now before one is taken.
    pub turn_away: Arc<AtomicUsize>,
    /// Whoever has it for themselves keeps every answer from being given.
    pub gate: Arc<RwLock<()>>,
    refusals: Refusals,
    emails: mpsc::UnboundedReceiver<Mailed>,
}

/// What is answered to a command in place of consent; to `220` for the greeting.
type Refusals = Arc<Mutex<HashMap<&'static str, &'static str>>>;

impl Sink {
    /// Answers a command so from now on: `RCPT` with `550 5.1.1 nobody`, `220` (the greeting) with `554 closed`.
    pub fn refuse(&self, command: &'static str, answer: &'static str) {
        self.refusals.lock().unwrap().insert(command, answer);
    }

    /// Takes everything again.
    pub fn take_all(&self) {
        self.refusals.lock().unwrap().clear();
    }

    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        let (sender, emails) = mpsc::unbounded_channel();
        let turn_away = Arc::new(AtomicUsize::new(0));
        let busy = turn_away.clone();
        let refusals = Refusals::default();
        let refused = refusals.clone();
        let gate = Arc::<RwLock<()>>::default();
        let open = gate.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (sender, busy, refused, gate) = (sender.clone(), busy.clone(), refused.clone(), open.clone());
                tokio::spawn(async move { serve(stream, &sender, &busy, &refused, &gate).await });
            }
        });
        Self { url, turn_away, gate, refusals, emails }
    }

    /// The next email.
    pub async fn next(&mut self) -> Mailed {
        tokio::time::timeout(SOON, self.emails.recv()).await.expect("an email in time").expect("the sink runs")
    }
}

/// One connection, as RFC 5321 has it.
async fn serve(
    stream: TcpStream,
    sender: &mpsc::UnboundedSender<Mailed>,
    busy: &AtomicUsize,
    refusals: &Refusals,
    gate: &RwLock<()>,
) -> Option<()> {
    let refused = |command: &str| Some(format!("{}\r\n", refusals.lock().unwrap().get(command)?));
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    write.write_all(refused("220").as_deref().unwrap_or("220 sink\r\n").as_bytes()).await.ok()?;
    let mut recipients = Vec::new();
    while let Some(line) = lines.next_line().await.ok()? {
        drop(gate.read().await);
        let command = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        if let Some(answer) = refused(&command) {
            write.write_all(answer.as_bytes()).await.ok()?;
            continue;
        }
        let answer = match command.as_str() {
            "EHLO" => "250-sink\r\n250 8BITMIME\r\n",
            "MAIL" if busy.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok() => {
                "451 later\r\n"
            }
            "RCPT" => {
                recipients.push(line.split(['<', '>']).nth(1).unwrap_or_default().to_owned());
                "250 ok\r\n"
            }
            "DATA" => {
                write.write_all(b"354 go on\r\n").await.ok()?;
                let mut text = String::new();
                while let Some(line) = lines.next_line().await.ok()?.filter(|line| line != ".") {
                    text.push_str(line.strip_prefix('.').unwrap_or(&line));
                    text.push_str("\r\n");
                }
                sender.send(mailed(std::mem::take(&mut recipients), &text)).ok()?;
                "250 ok\r\n"
            }
            "QUIT" => {
                write.write_all(b"221 bye\r\n").await.ok()?;
                return None;
            }
            _ => "250 ok\r\n",
        };
        write.write_all(answer.as_bytes()).await.ok()?;
    }
    None
}

fn mailed(recipients: Vec<String>, text: &str) -> Mailed {
    let (headers, body) = text.split_once("\r\n\r\n").expect("headers and a body");
    let unfolded = headers.replace("\r\n ", " ").replace("\r\n\t", " ");
    let boundary = unfolded.split("boundary=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a boundary");
    let separator = format!("--{boundary}");
    let parts = body.split(&separator).filter_map(|part| part.split_once("\r\n\r\n"));
    Mailed { recipients, parts: parts.map(|(head, body)| decoded(head, body)).collect() }
}

fn decoded(head: &str, body: &str) -> String {
    let head = head.to_ascii_lowercase();
    if head.contains("base64") {
        let compact: String = body.split_whitespace().collect();
        return String::from_utf8(STANDARD.decode(compact).expect("base64")).expect("text");
    }
    if !head.contains("quoted-printable") {
        return body.to_owned();
    }
    let joined = body.replace("=\r\n", "");
    let mut bytes = Vec::new();
    let mut rest = joined.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        match (byte, after) {
            (b'=', [high, low, after @ ..]) => {
                let hex = [*high, *low];
                bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).expect("hex"), 16).expect("hex"));
                rest = after;
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).expect("text")
}
