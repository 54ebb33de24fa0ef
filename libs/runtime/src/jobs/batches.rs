//! What does items of a method together.

use std::sync::Arc;

use futures::future::BoxFuture;

use super::current::Place;
use crate::{auth::Caller, error::Result};

/// Does items, which are requests of the same method, in one transaction, or none of them.
pub(super) type Batch = Arc<dyn Fn(Caller, Vec<(Place, Vec<u8>)>) -> BoxFuture<'static, Result<()>> + Send + Sync>;
