//! The pods of the chart as processes of this machine.

use anyhow::{Result, ensure};
use armada_testkit::{Api, eventually};
use http::StatusCode;
use nix::sys::signal::Signal;

use crate::{
    compose::{
        nats_rights,
        serving::takes_a_position_to_the_map,
        stack::{Stack, TOGETHER},
    },
    support::{SOON, chart::Chart, site::Armada},
};

/// As a cluster starts them: all at once, with the Job that migrates last here.
#[tokio::test(flavor = "multi_thread")]
async fn pods_wait_for_their_schemas_and_serve() -> Result<()> {
    let mut stack = Stack::of_chart("default").await?;
    stack.start_nats()?;
    stack.initialise_postgres().await?;
    let storing = ["fleet", "identity", "notification", "position-ingest"];
    let mut running: Vec<(&str, Armada)> = storing.iter().map(|name| (*name, stack.start(name))).collect();
    for name in storing {
        waits_for_its_schema(&stack, name).await;
    }
    let (status, _) = stack.start("migrate").end(SOON).await?;
    ensure!(status.success(), "{}", stack.log("migrate"));
    // What opens buckets that are made last ends, and is started anew, as kubelet does; the others go on.
    running.push(("bff", stack.start("bff")));
    for (name, armada) in &mut running {
        armada.ready(&stack.address(name, 8081)).await;
    }
    assert_eq!(answers_all_probes(&stack, "default").await?, 18, "three of each service, and of NATS");
    takes_a_position_to_the_map(&stack).await?;
    for (name, armada) in running {
        let (status, _) = armada.stop(Signal::SIGTERM).await?;
        assert_eq!(status.code(), Some(0), "{name}: {}", stack.log(name));
    }
    Ok(())
}

/// All services in one pod, on SQLite.
#[tokio::test(flavor = "multi_thread")]
async fn one_pod_serves() -> Result<()> {
    let mut stack = Stack::of_chart("small").await?;
    stack.start_nats()?;
    let mut armada = stack.start(TOGETHER);
    armada.ready(&stack.address(TOGETHER, 8081)).await;
    assert_eq!(answers_all_probes(&stack, "small").await?, 6, "three of it, and of NATS");
    takes_a_position_to_the_map(&stack).await?;
    let (status, _) = armada.stop(Signal::SIGTERM).await?;
    assert_eq!(status.code(), Some(0), "{}", stack.log(TOGETHER));
    Ok(())
}

/// It lives, and says what it waits for.
async fn waits_for_its_schema(stack: &Stack, name: &str) {
    eventually(&format!("{name} waits"), SOON, async || {
        let api = Api::new(&format!("http://{}", stack.address(name, 8081)));
        api.get("/healthz").await?.expect(StatusCode::OK);
        let ready = api.get("/readyz").await?;
        ensure!(ready.status == StatusCode::SERVICE_UNAVAILABLE, "{}", ready.text);
        ensure!(ready.text.contains(&format!("waiting for database of {name}")), "{}", ready.text);
        Ok(())
    })
    .await;
}

/// Asks what kubelet asks, and says how much that was.
async fn answers_all_probes(stack: &Stack, rendering: &str) -> Result<usize> {
    let chart = Chart::read(rendering)?;
    let mut asked = 0;
    for container in chart.containers()? {
        for (path, port) in container.probes()? {
            let api = Api::new(&format!("http://{}", stack.address(&container.component, port)));
            api.get(&path).await?.expect(StatusCode::OK);
            asked += 1;
        }
    }
    Ok(asked)
}

#[tokio::test(flavor = "multi_thread")]
async fn nats_of_the_chart_lets_nobody_do_more_than_their_part() -> Result<()> {
    nats_rights::refuse_what_is_nobodys_part(Stack::of_chart("default").await?).await
}
