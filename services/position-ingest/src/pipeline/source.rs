//! From where an owner has what it takes in.

use async_nats::jetstream::{self, consumer::pull};
use futures::StreamExt;

/// From where messages come.
pub(super) enum Source {
    /// From whoever writes them in this process: nothing else is read.
    Tail,
    /// From the stream; none while it cannot be read.
    Raw(Option<Box<pull::Ordered>>),
}

impl Source {
    /// The next message of the stream; none when it cannot be read. Waits for ever when it is not.
    pub(super) async fn next(&mut self) -> Option<Result<jetstream::Message, pull::OrderedError>> {
        match self {
            Self::Raw(Some(messages)) => messages.next().await,
            Self::Raw(None) => None,
            Self::Tail => std::future::pending().await,
        }
    }
}
