//! `armada-bench fuzz`: messages that were cut, stretched and scrambled, through the subjects that gateways publish on. Each
//! must be answered, and what is right must be stored all the while.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use armada_proto::Timestamp;
use armada_runtime::Bus;
use armada_track::{FrameBuilder, Report};
use async_nats::Request;
use clap::Args;
use prost::Message;
use serde_json::Value;
use tokio::task::JoinSet;

use crate::{
    devices::{self, Device},
    site::{Site, Target},
};

const GATEWAY: &str = "fuzz";
/// Messages under way.
const IN_FLIGHT: usize = 64;
/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(20);
/// How long it may take until everything right is stored.
const STORED_WITHIN: Duration = Duration::from_secs(60);

/// For how long.
#[derive(Args)]
pub struct FuzzArgs {
    /// Minutes.
    #[arg(long, default_value_t = 30)]
    minutes: u64,
    /// The same number makes the same messages.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Fails at the first message that is not answered.
#[allow(clippy::print_stdout, reason = "what came of it is what the command is for")]
pub async fn run(args: &FuzzArgs, target: &Target) -> Result<()> {
    let mut site = Site::start(target).await?;
    let fuzzed = fuzz(args, &site).await;
    site.stop().await?;
    for (answer, count) in fuzzed? {
        println!("{answer:<32}{count:>12}");
    }
    Ok(())
}

async fn fuzz(args: &FuzzArgs, site: &Site) -> Result<BTreeMap<String, u64>> {
    let bus = Bus::connect_as_gateway(&site.gateways_url()?, GATEWAY).await?;
    let devices = devices::register(site, &["fuzzed".to_owned(), "sound".to_owned()]).await?;
    let [fuzzed, sound] = &devices[..] else { anyhow::bail!("two devices") };
    let mut random = Random(args.seed.max(1));
    let mut answers = BTreeMap::<String, u64>::new();
    let until = Instant::now() + Duration::from_secs(args.minutes * 60);
    let mut under_way = JoinSet::new();
    let (mut sent, mut right) = (0_u64, 0_u64);
    while Instant::now() < until {
        if under_way.len() >= IN_FLIGHT
            && let Some(answered) = under_way.join_next().await
        {
            *answers.entry(answered??).or_default() += 1;
        }
        sent += 1;
        let (device, body) = if sent % 100 == 0 {
            right += 1;
            (sound.imei.to_string(), valid_json(right))
        } else {
            message(&mut random, fuzzed)
        };
        under_way.spawn(ask(bus.clone(), device, body));
    }
    while let Some(answered) = under_way.join_next().await {
        *answers.entry(answered??).or_default() += 1;
    }
    let started = Instant::now();
    let path = format!("/api/v1/devices/{}/track?from=2026-01-01T00:00:00Z&to=2036-01-01T00:00:00Z", sound.id);
    loop {
        let found = site.get(&path).await?["items"].as_array().context("a track")?.len() as u64;
        if found == right {
            return Ok(answers);
        }
        ensure!(started.elapsed() < STORED_WITHIN, "{found} of {right} right fixes are stored");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn ask(bus: Bus, device: String, body: Vec<u8>) -> Result<String> {
    let start = String::from_utf8_lossy(&body[..body.len().min(200)]).into_owned();
    let request = Request::new().payload(body.into()).timeout(Some(TIMEOUT));
    let answer = bus.client.send_request(format!("gps.{GATEWAY}.{device}"), request).await;
    let answer = answer.with_context(|| format!("no answer to {device} {start}"))?;
    let answer: Value = serde_json::from_slice(&answer.payload).context("an answer in JSON")?;
    Ok(match answer["error"]["description"].as_str() {
        Some(reason) => reason.to_owned(),
        None if answer["seq"].is_u64() => "taken in".to_owned(),
        None => anyhow::bail!("{device}: {answer}"),
    })
}

/// Xorshift (Marsaglia 2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

fn valid_json(step: u64) -> Vec<u8> {
    let at = Timestamp::from_millis(1_767_571_200_000 + step as i64 * 1000).to_rfc3339();
    format!(r#"{{"recorded_at":"{at}","lat":-6.2,"lng":106.8,"speed":38.5,"attrs":{{"a":[1,{{}}]}}}}"#).into_bytes()
}

/// A subject's last token and a body: something right that was damaged, or bytes without any sense.
fn message(random: &mut Random, device: &Device) -> (String, Vec<u8>) {
    let imei = device.imei.to_string();
    let (name, mut body) = match random.below(6) {
        0 => (imei, valid_json(random.next() % 1_000_000)),
        1 => (imei, array(random)),
        2 => ("frame".to_owned(), frame(random, device)),
        3 => (token(random), valid_json(1)),
        4 => (imei, frame(random, device)),
        _ => {
            let longest = if random.below(200) == 0 { 2 << 20 } else { 2_000 };
            let length = random.below(longest);
            (imei, (0..length).map(|_| random.next() as u8).collect())
        }
    };
    for _ in 0..random.below(6) {
        corrupt(random, &mut body);
    }
    (name, body)
}

fn array(random: &mut Random) -> Vec<u8> {
    let most = if random.below(50) == 0 { 6_000 } else { 20 };
    let count = random.below(most);
    let elements: Vec<Vec<u8>> = (0..count).map(|_| valid_json(random.next() % 1_000_000)).collect();
    [b"[".to_vec(), elements.join(&b','), b"]".to_vec()].concat()
}

fn frame(random: &mut Random, device: &Device) -> Vec<u8> {
    let mut frame = FrameBuilder::default();
    for _ in 0..random.below(30) {
        let at = 1_767_571_200_000 + random.below(1_000_000) as i64;
        frame.push(device.imei, &Report::new(at, random.next() as i32, random.next() as i32));
    }
    frame.take().encode_to_vec()
}

/// What a subject may hold between two dots.
fn token(random: &mut Random) -> String {
    let length = 1 + random.below(30);
    (0..length).map(|_| char::from(b"0123456789abcXYZ-_$%~\"{}"[random.below(24)])).collect()
}

fn corrupt(random: &mut Random, body: &mut Vec<u8>) {
    if body.is_empty() {
        return;
    }
    let place = random.below(body.len());
    match random.below(4) {
        0 => body[place] = random.next() as u8,
        1 => body.truncate(place),
        2 => drop(body.remove(place)),
        _ => body.insert(place, b"\"{}[],:\\0\xff"[random.below(10)]),
    }
}
