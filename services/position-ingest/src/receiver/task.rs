//! Receiving a partition: for as long as this process owns it, and until somebody else has taken it over.

use std::time::Duration;

use armada_runtime::{Error, Result};
use tokio::{sync::mpsc, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use super::{
    context::ReceiverContext,
    frames,
    partition_receiver::{End, Inputs, PartitionReceiver},
    sender::{FromGateways, UNMAPPED},
};
use crate::{
    metrics::standstill::{Step, Steps},
    streams::tail::Tail,
};

/// Parts of frames that may wait for the owner of their partition; each has its room in memory.
const PARTS_WAITING: usize = 1024;
/// How long a former owner may take to write what it has, before it counts as dead.
const HANDOVER: Duration = Duration::from_millis(500);
/// Pause before what failed is begun anew.
const RETRY_DELAY: Duration = Duration::from_millis(200);

/// A partition that is received in this process.
pub struct Receiving {
    stop: CancellationToken,
    task: JoinHandle<()>,
    over: CancellationToken,
}

/// Ends where it is: what was not written is not answered.
impl Drop for Receiving {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Receiving {
    /// Takes nothing new in, writes and answers what there is, and ends.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Whether somebody else receives the partition now, or nobody.
    pub fn is_over(&self) -> bool {
        self.over.is_cancelled()
    }

    /// Waits until it is.
    pub async fn over(&self) {
        self.over.cancelled().await;
    }
}

/// Receives a partition that is owned under `epoch`, until it is stopped or somebody else receives it. What it has written
/// goes to `tail`.
pub fn receive(context: ReceiverContext, (partition, epoch): (u32, i64), tail: Tail, steps: Steps) -> Receiving {
    let (stop, over) = (CancellationToken::new(), CancellationToken::new());
    let (stopped, ended) = (stop.clone(), over.clone().drop_guard());
    let metrics = context.metrics.clone();
    let task = tokio::spawn(metrics.timed(async move {
        let _ended = ended;
        while let Err(error) = receive_until(&context, (partition, epoch), (&tail, &steps), &stopped).await {
            tracing::warn!(partition, %error, "cannot receive; will try again");
            if stopped.run_until_cancelled(tokio::time::sleep(RETRY_DELAY)).await.is_none() {
                return;
            }
        }
    }));
    Receiving { stop, task, over }
}

/// The subject on which whoever receives a partition hears that somebody else does.
fn handover_subject(partition: u32) -> String {
    format!("receiver.handover.{partition}")
}

async fn receive_until(
    context: &ReceiverContext,
    (partition, epoch): (u32, i64),
    (tail, steps): (&Tail, &Steps),
    stopped: &CancellationToken,
) -> Result<()> {
    // What is not known of a gateway must not pass for one that speaks for everybody.
    context.checker.gateways.loaded().await;
    // Nor what is too old for what is not.
    context.checker.settings.loaded().await;
    let client = &context.to_gateways.client;
    let subscribe = async |subject: String| client.subscribe(subject).await.map_err(Error::unavailable);
    let parts = subscribe(frames::part_subject(partition)).await?;
    // Listens before the former owner stops: what comes in between both have, and the fence decides who writes it.
    let messages = FromGateways {
        mapped: subscribe(format!("in.{partition}.*.*")).await?,
        unmapped: subscribe(UNMAPPED.to_owned()).await?,
        partition: (partition, context.checker.partitions),
    };
    take_over(context, partition).await;
    let mut handovers = subscribe(handover_subject(partition)).await?;
    let (sender, local) = mpsc::channel(PARTS_WAITING);
    context.receives(partition, sender.clone());
    let mut owner = PartitionReceiver::new(context.clone(), (partition, epoch), tail.clone(), steps.clone()).await?;
    let mut inputs = Inputs { messages, parts, local };
    let end = owner.run(&mut inputs, &mut handovers, stopped).await;
    steps.idle(Step::Receiver);
    context.receives_no_more(partition, &sender);
    drop(sender);
    if let End::Lost = end {
        return Ok(());
    }
    owner.drain(inputs).await?;
    if let End::HandedOver(request) = end
        && let Some(reply) = request.reply
    {
        client.publish(reply, "".into()).await.map_err(Error::unavailable)?;
    }
    Ok(())
}

/// Has the former owner write and answer what it has. One that is dead is not waited for.
async fn take_over(context: &ReceiverContext, partition: u32) {
    let request = async_nats::Request::new().timeout(Some(HANDOVER));
    let answered = context.to_gateways.client.send_request(handover_subject(partition), request).await;
    tracing::debug!(partition, handed_over = answered.is_ok(), "receives");
}
