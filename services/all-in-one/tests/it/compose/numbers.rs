//! What the board and the alerts ask for.

use std::{collections::BTreeSet, fs};

use anyhow::{Context as _, Result, ensure};
use armada_testkit::{Api, eventually};
use serde_json::Value;

use super::stack::Stack;
use crate::support::{SOON, compose};

/// Words of PromQL between two expressions.
const OPERATORS: [&str; 3] = ["and", "or", "unless"];

/// What Grafana and Prometheus ask for is there to be scraped.
pub(super) async fn exist(stack: &Stack) -> Result<()> {
    let mut expressions = alerts()?;
    let board = fs::read_to_string(compose::repository().join("deploy/grafana/dashboards/armada.json"))?;
    let board: Value = serde_json::from_str(&board)?;
    for panel in board["panels"].as_array().context("panels")? {
        let targets = panel["targets"].as_array().into_iter().flatten();
        expressions.extend(targets.filter_map(|target| target["expr"].as_str().map(str::to_owned)));
    }
    let asked: BTreeSet<String> = expressions.iter().flat_map(|expression| metrics_of(expression)).collect();
    assert!(asked.len() > 8, "{asked:?}");
    eventually("every number is there", SOON, async || {
        let mut there = BTreeSet::from(["up".to_owned()]);
        for (name, _) in stack.compose.roles() {
            let text = Api::new(&format!("http://{}", stack.address(name, 8081))).get("/metrics").await?.text;
            let names = text.lines().filter(|line| !line.starts_with('#')).filter_map(|l| l.split(['{', ' ']).next());
            there.extend(names.map(str::to_owned));
            // A gauge with a line for each consumer has none before there is one, but its description.
            let gauges = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.strip_suffix(" gauge"));
            there.extend(gauges.map(str::to_owned));
        }
        let missing: Vec<_> = asked.difference(&there).collect();
        ensure!(missing.is_empty(), "{missing:?} of {there:?}");
        Ok(())
    })
    .await;
    Ok(())
}

/// The expressions by which Prometheus alerts.
fn alerts() -> Result<Vec<String>> {
    let rules = fs::read_to_string(compose::repository().join("deploy/prometheus/rules.yml"))?;
    let rules: serde_yaml_ng::Value = serde_yaml_ng::from_str(&rules)?;
    let groups = rules["groups"].as_sequence().context("groups")?;
    let rules = groups.iter().filter_map(|group| group["rules"].as_sequence()).flatten();
    rules.map(|rule| Ok(rule["expr"].as_str().context("an expression")?.to_owned())).collect()
}

#[test]
fn there_is_an_alert_for_each_that_is_advised() -> Result<()> {
    let page = fs::read_to_string(compose::repository().join("docs/OPERATIONS.md"))?;
    let (_, advised) = page.split_once("\n## What to alert on\n").context("a section")?;
    let advised = advised.split("\n## ").next().unwrap_or_default();
    let rows = advised.lines().filter(|line| line.starts_with("| ")).count() - 1;
    assert_eq!(alerts()?.len(), rows, "deploy/prometheus/rules.yml and the table of docs/OPERATIONS.md, less its head");
    Ok(())
}

/// The names in an expression of PromQL that are neither functions, operators nor labels.
fn metrics_of(expression: &str) -> BTreeSet<String> {
    let without = |text: &str, begin: &str, end: char| {
        let mut pieces = text.split(begin);
        let mut plain = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            // What stands before `by (…)` is the name of a function.
            let kept = plain.trim_end_matches(|c: char| c.is_ascii_alphabetic() && begin == " by (").len();
            plain.truncate(kept);
            plain = plain + " " + piece.split_once(end).map_or("", |(_, after)| after);
        }
        plain
    };
    let plain = without(&without(expression, "{", '}'), "[", ']');
    let plain = without(&without(&plain, " by (", ')'), " on (", ')') + " ";
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = plain.split_inclusive(|c: char| !is_name(c)).filter(|word| !word.ends_with('('));
    let names = words.map(|word| word.trim_end_matches(|c: char| !is_name(c)));
    let names = names.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
    names.filter(|name| !OPERATORS.contains(name)).map(str::to_owned).collect()
}

#[test]
fn metrics_are_told_from_functions_and_labels() {
    let names = |expression| metrics_of(expression).into_iter().collect::<Vec<_>>();
    assert_eq!(
        names("sum by (reason) (rate(a_total{b=\"c\"}[5m])) > 0.05 * sum(rate(d_total[5m])) + 1"),
        ["a_total", "d_total"]
    );
    assert_eq!(names("histogram_quantile(0.5, sum by (le, route) (rate(e_bucket[5m])))"), ["e_bucket"]);
    assert_eq!(names("up{job=\"x\"} >= on (pool) db_max"), ["db_max", "up"]);
    assert_eq!(names("f_seconds > 600 and g > 0"), ["f_seconds", "g"]);
}
