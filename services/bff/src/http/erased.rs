//! Handlers of any shape as one type.

use std::sync::Arc;

use axum::{extract::Request, handler::Handler, response::Response};
use futures::future::BoxFuture;

use crate::state::AppState;

/// A handler whose arguments and answer its type does not say. What axum makes of a handler to route to it is a fifth of
/// what the edge takes to compile when it is made anew for each of hundreds.
#[derive(Clone)]
pub(crate) struct Erased(Arc<dyn Fn(Request, AppState) -> BoxFuture<'static, Response> + Send + Sync>);

/// A function of extractors as such a handler.
pub(crate) fn erased<H, T>(handler: H) -> Erased
where
    H: Handler<T, AppState, Future = BoxFuture<'static, Response>>,
{
    Erased(Arc::new(move |request, state| handler.clone().call(request, state)))
}

impl Handler<(), AppState> for Erased {
    type Future = BoxFuture<'static, Response>;

    fn call(self, request: Request, state: AppState) -> Self::Future {
        (self.0)(request, state)
    }
}
