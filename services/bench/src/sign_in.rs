//! `armada-bench signin`: people sign in with right passwords while others guess as fast as they are answered. Each has an
//! address of their own, told by a proxy as it would be. Half of the people are in a browser that was in before.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use futures::{StreamExt, TryStreamExt, stream};
use serde_json::json;

use crate::site::{Site, Target};

const PASSWORD: &str = "correct horse battery";

/// What is measured.
#[derive(Args)]
pub struct SignInArgs {
    /// Sign-ins with right passwords.
    #[arg(long, default_value_t = 5_000)]
    sign_ins: usize,
    /// Of so many at a time.
    #[arg(long, default_value_t = 16)]
    at_once: usize,
    /// Users who sign in, one after the other.
    #[arg(long, default_value_t = 100)]
    users: usize,
    /// Clients that guess meanwhile, with as many guesses under way as a queue takes from one of them.
    #[arg(long, default_value_t = 10)]
    floods: usize,
}

/// Measures and prints; fails when a right password was refused.
#[allow(clippy::print_stdout, reason = "the table is what the command is for")]
pub async fn run(args: &SignInArgs, target: &Target) -> Result<()> {
    ensure!(args.sign_ins > 0 && args.users > 0 && args.at_once > 0, "nothing to measure");
    let mut site = Site::start(target).await?;
    let measured = measure(args, &site).await;
    site.stop().await?;
    println!("{}", measured?);
    Ok(())
}

async fn measure(args: &SignInArgs, site: &Site) -> Result<String> {
    let owner = site.token().await?;
    let tenant = site.post("/api/v1/tenants", Some(&owner), json!({ "name": "Benchmark" }).to_string()).await?;
    for number in 0..args.users {
        let user = json!({
            "tenant_id": tenant["id"], "name": "Benchmark", "email": email(number), "password": PASSWORD,
        });
        site.post("/api/v1/users", Some(&owner), user.to_string()).await?;
    }
    let refused = AtomicUsize::new(0);
    let floods = stream::iter(0..args.floods).map(|number| flood(site, number, &refused)).buffer_unordered(args.floods);
    let started = Instant::now();
    let sign_ins = stream::iter(0..args.sign_ins).map(|number| async move {
        let begun = Instant::now();
        let (known, user) = (number % 2 == 0, number % args.users);
        let browser = reqwest::Client::builder().cookie_store(known).build()?;
        let address = format!("203.0.{}.{}", number / 250 % 250, number % 250);
        for _ in 0..=usize::from(known) {
            let status = sign_in(site, &browser, &address, &email(user), PASSWORD).await?;
            ensure!(status.is_success(), "a right password got {status}");
        }
        anyhow::Ok(begun.elapsed())
    });
    let took = sign_ins.buffer_unordered(args.at_once).try_collect::<Vec<_>>();
    let mut took = tokio::select! {
        took = took => took?,
        _ = floods.collect::<Vec<_>>() => anyhow::bail!("nobody floods any more"),
    };
    took.sort();
    let at = |share: usize| took.get(took.len() * share / 100).copied().unwrap_or_default();
    let refused = refused.load(Ordering::Relaxed);
    Ok(format!(
        "{} people signed in within {:.1} s (median {} ms, 99 % {} ms) while {} clients got {refused} refusals",
        took.len(),
        started.elapsed().as_secs_f64(),
        millis(at(50)),
        millis(at(99)),
        args.floods,
    ))
}

/// Guesses until it is dropped.
async fn flood(site: &Site, number: usize, refused: &AtomicUsize) -> Result<()> {
    let (browser, address) = (reqwest::Client::new(), format!("198.51.100.{number}"));
    let guesses = stream::iter(0_usize..).map(|guess| {
        let (browser, address) = (&browser, &address);
        async move { sign_in(site, browser, address, &format!("x{guess}@bench.local"), "wrong password").await }
    });
    let mut guesses = guesses.buffer_unordered(32);
    while let Some(status) = guesses.next().await {
        ensure!(!status.context("a guess")?.is_success(), "a wrong password was right");
        refused.fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}

async fn sign_in(
    site: &Site,
    browser: &reqwest::Client,
    address: &str,
    email: &str,
    password: &str,
) -> Result<reqwest::StatusCode> {
    let body = json!({ "email": email, "password": password }).to_string();
    let request = browser.post(format!("http://{}/auth/login", site.http_addr)).body(body);
    let request = request.header("content-type", "application/json").header("x-forwarded-for", address);
    Ok(request.send().await?.status())
}

fn email(number: usize) -> String {
    format!("user{number}@bench.local")
}

fn millis(time: Duration) -> u128 {
    time.as_millis()
}
