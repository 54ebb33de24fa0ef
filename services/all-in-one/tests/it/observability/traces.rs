//! Traces leave the program when OTLP is configured, and hang together across processes and over NATS.

use anyhow::{Context as _, Result};
use armada_runtime::Bus;
use armada_testkit::{Collector, Kind, NatsServer, free_port};
use async_nats::HeaderMap;
use nix::sys::signal::Signal;
use serde_json::Value;

use super::{Device, IMEI, fix, just_now, quiet, support::site::Site, whole_log};

const BROWSER_TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const BROWSER_SPAN: &str = "b7ad6b7169203331";
const GATEWAY_TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const GATEWAY_SPAN: &str = "00f067aa0ba902b7";

/// The edge in a process of its own, and everything else in another, which the edge calls over the network.
struct Split {
    site: Site,
    nats: NatsServer,
    collector: Collector,
}

impl Split {
    async fn new(kind: Kind) -> Self {
        let (nats, collector) = (NatsServer::start(), Collector::start().await);
        let mut site = quiet(Site::new(kind).await);
        site.use_nats(&nats);
        site.set("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url);
        // Nothing is sent before the end: what arrives was flushed.
        site.set("OTEL_BSP_SCHEDULE_DELAY", "600000");
        Self { site, nats, collector }
    }
}

armada_testkit::both_databases! {
    async fn spans_form_one_trace(kind: Kind) -> Result<()> {
        let split = Split::new(kind).await;
        let (grpc, admin) = (format!("127.0.0.1:{}", free_port()), format!("127.0.0.1:{}", free_port()));
        let inner = [("ARMADA_GRPC_ADDR", grpc.as_str()), ("ARMADA_ADMIN_ADDR", admin.as_str())];
        let only = ["--only", "identity,fleet,notification,position-ingest", "--migrate"];
        let mut services = split.site.start_as("services", &only, &inner);
        services.ready(&admin).await;
        let url = format!("http://{grpc}");
        let edge_grpc = format!("127.0.0.1:{}", free_port());
        let peers = [
            ("ARMADA_GRPC_ADDR", edge_grpc.as_str()),
            ("ARMADA_PEERS__IDENTITY", url.as_str()),
            ("ARMADA_PEERS__FLEET", url.as_str()),
            ("ARMADA_PEERS__NOTIFICATION", url.as_str()),
            ("ARMADA_PEERS__POSITION_INGEST", url.as_str()),
            ("ARMADA_LOG", "info,armada_bff=debug"),
        ];
        let mut edge = split.site.start_as("edge", &["--only", "bff"], &peers);
        edge.ready(&split.site.admin).await;

        let owner = split.site.owner().await?;
        let traceparent = format!("00-{BROWSER_TRACE}-{BROWSER_SPAN}-01");
        let device = Device::create(&owner, &[("traceparent", &traceparent)]).await?;
        let recorded_at = just_now();
        publish(&split.nats, &recorded_at).await?;
        device.is_at(&owner, &recorded_at).await;
        for process in [edge, services] {
            let (status, printed) = process.stop(Signal::SIGTERM).await?;
            assert!(status.success(), "{printed}");
        }

        a_request_is_one_trace(&split.collector)?;
        rounds_link_to_publishers(&split.collector)?;
        lines_have_the_trace(&whole_log(&split.site, "edge"));
        Ok(())
    }
}

/// As a gateway that is traced itself.
async fn publish(nats: &NatsServer, recorded_at: &str) -> Result<()> {
    let bus = Bus::connect_as_gateway(&nats.anonymous_url(), "local").await?;
    let mut headers = HeaderMap::new();
    headers.insert("traceparent", format!("00-{GATEWAY_TRACE}-{GATEWAY_SPAN}-01"));
    let body = fix(recorded_at, -6.2, 106.8).to_string();
    #[allow(clippy::disallowed_methods, reason = "as a stranger publishes")]
    bus.jetstream.publish_with_headers(format!("gps.local.{IMEI}"), headers, body.into()).await?.await?;
    Ok(())
}

/// From the browser over the edge and the service that stores, to the relay that carries the change into the bucket.
fn a_request_is_one_trace(collector: &Collector) -> Result<()> {
    let only = |name: &str| {
        let found = collector.of_trace(BROWSER_TRACE, name);
        let [span] = &found[..] else { anyhow::bail!("{} spans {name}: {:?}", found.len(), collector.spans()) };
        Ok(span.clone())
    };
    let request = only("POST /api/v1/devices")?;
    assert_eq!((request.service.as_str(), request.parent_span_id.as_str()), ("armada-bff", BROWSER_SPAN));
    assert_eq!(request.attributes["http.response.status_code"], "201");
    let call = only("armada.v1.Devices/Create")?;
    assert_eq!((call.service.as_str(), &call.parent_span_id), ("armada", &request.span_id));
    assert_eq!(call.attributes["rpc.response.status_code"], "OK");
    let relays = collector.of_trace(BROWSER_TRACE, "relay change");
    assert!(!relays.is_empty(), "the bucket has the device");
    assert!(relays.iter().all(|relay| relay.parent_span_id == call.span_id), "{relays:?}");
    Ok(())
}

/// The receiver's batch links to the gateway's span, the round to the batch; who follows POSITIONS links to the round.
fn rounds_link_to_publishers(collector: &Collector) -> Result<()> {
    let spans = collector.spans();
    let gateway = (GATEWAY_TRACE.to_owned(), GATEWAY_SPAN.to_owned());
    let batch = spans.iter().find(|span| span.name == "receive positions" && span.links.contains(&gateway));
    let batch = batch.with_context(|| format!("a batch that links to the gateway: {spans:?}"))?;
    assert_ne!(batch.trace_id, GATEWAY_TRACE, "it is no part of what it links to");
    let to_batch = (batch.trace_id.clone(), batch.span_id.clone());
    let round = spans.iter().find(|span| span.name == "process positions" && span.links.contains(&to_batch));
    let round = round.with_context(|| format!("a round that links to the batch: {spans:?}"))?;
    assert_eq!(round.attributes["armada.positions"], "1");
    let to_round = (round.trace_id.clone(), round.span_id.clone());
    let follows = spans.iter().find(|span| span.name == "process positions.{partition}");
    assert_eq!(follows.context("the reader of POSITIONS")?.links, [to_round]);
    Ok(())
}

fn lines_have_the_trace(log: &str) {
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let mut answered = lines.filter(|line| line["message"] == "answered" && line["trace_id"] == BROWSER_TRACE);
    let line = answered.next().expect("the request was logged with its trace");
    assert_eq!(line["http.route"], "/api/v1/devices");
    assert_eq!(line["span_id"].as_str().map(str::len), Some(16));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_followed_is_refused() {
    let mut site = Site::new(Kind::Sqlite).await;
    site.set("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318");
    site.set("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf");
    let output = site.output(&["run"]);
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!(text, "armada: OTEL_EXPORTER_OTLP_PROTOCOL = http/protobuf: must be grpc\n");
}
