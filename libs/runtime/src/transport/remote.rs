//! A service outside this process, at one or several addresses. Calls go to them in turn; one that cannot be reached, hangs, or
//! is another service, is passed over for a while, and the call that noticed it goes to the next if nothing can happen twice by
//! that.

use std::{
    error::Error as StdError,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use armada_proto::access;
use axum::body::{Bytes, to_bytes};
use http::{HeaderValue, Request, Response};
use tonic::{
    Code, ConnectError, Status,
    body::Body,
    transport::{Channel, Endpoint},
};
use tower::{Service, ServiceExt};

use super::PeerAddresses;
use crate::{
    auth::{Scope, ServiceKey, VOUCHED_BY},
    error::{Error, Result},
};

/// How long a connection may take to be there.
const CONNECT: Duration = Duration::from_secs(3);
/// How often a peer is asked whether it is still there: what hangs is noticed by that within a call that streams, too.
const PING: Duration = Duration::from_secs(2);
/// How long it may take to say so. Both together are less than the ten seconds within which the live map moves again.
const PONG: Duration = Duration::from_secs(3);
/// For how long an address that did not answer is passed over.
const PASSED_OVER: Duration = Duration::from_secs(5);
/// Bytes that a question may have: the rows of a file that is taken in, or a scan.
pub const QUESTION_MAX: usize = 32 << 20;
/// For how long a token that vouches is used; it lives for twice as long.
const TOKEN_USED_FOR: Duration = Duration::from_secs(30);

pub(super) struct Remote {
    name: String,
    addresses: Vec<Address>,
    turn: AtomicUsize,
    deadline: Duration,
    vouching: Option<ServiceToken>,
}

struct Address {
    url: String,
    channel: Channel,
    passed_over_until: Mutex<Option<Instant>>,
}

/// Proves that a call comes from a service, and so what it tells of its client and has filled in.
struct ServiceToken {
    service_key: ServiceKey,
    token: Mutex<Option<(HeaderValue, Instant)>>,
}

impl Remote {
    /// A name in an address is looked up whenever a connection is made.
    pub(super) fn new(
        name: &str,
        addresses: &PeerAddresses,
        deadline: Duration,
        service_key: Option<ServiceKey>,
    ) -> Result<Self> {
        let addresses = addresses.iter().map(|url| Address::new(name, url)).collect::<Result<Vec<_>>>()?;
        let vouching = service_key.map(|service_key| ServiceToken { service_key, token: Mutex::default() });
        Ok(Self { name: name.to_owned(), addresses, turn: AtomicUsize::new(0), deadline, vouching })
    }

    /// Asks one of the addresses. A call that reached nobody is made again, and one that reads when its connection broke.
    pub(super) async fn call(&self, request: Request<Body>) -> Result<Response<Body>, Status> {
        let asked = async {
            let (mut parts, body) = request.into_parts();
            if let Some(vouching) = &self.vouching {
                parts.headers.insert(VOUCHED_BY, vouching.token()?);
            }
            let body = to_bytes(axum::body::Body::new(body), QUESTION_MAX).await;
            let body = body.map_err(|error| Status::internal(error.to_string()))?;
            let is_read = access::is_read(parts.uri.path());
            let mut refused = None;
            let mut failed = Status::unavailable(format!("{}: nobody was asked", self.name));
            for address in self.addresses_in_order() {
                match address.ask(Request::from_parts(parts.clone(), body.clone())).await {
                    // One that has just begun says so: another one may answer.
                    Ok(response) if is_read && says(&response, Code::Unavailable) => refused = Some(response),
                    // Nothing was done there, whatever it is.
                    Ok(response) if says(&response, Code::Unimplemented) => {
                        address.knows_nothing_of(&self.name, parts.uri.path());
                        refused = Some(response);
                    }
                    Ok(response) => return Ok(response),
                    Err(error) => {
                        failed = Status::unavailable(format!("{} at {}: {}", self.name, address.url, reason(&error)));
                        address.skip_for_now();
                        if !is_read && !never_connected(&error) {
                            break;
                        }
                    }
                }
            }
            refused.ok_or(failed)
        };
        let answered = tokio::time::timeout(self.deadline, asked).await;
        answered.unwrap_or_else(|_| Err(Status::unavailable(format!("{}: no answer in time", self.name))))
    }

    /// All addresses, beginning with the one whose turn it is; those that are passed over come last.
    fn addresses_in_order(&self) -> impl Iterator<Item = &Address> {
        let first = self.turn.fetch_add(1, Ordering::Relaxed) % self.addresses.len();
        let now = Instant::now();
        let (after, before) = (&self.addresses[first..], &self.addresses[..first]);
        let (doubted, good): (Vec<_>, Vec<_>) = after.iter().chain(before).partition(|a| a.is_skipped(now));
        good.into_iter().chain(doubted)
    }
}

impl Address {
    fn new(name: &str, url: &str) -> Result<Self> {
        let endpoint = Endpoint::from_shared(url.to_owned())
            .map_err(|error| Error::unavailable(format!("peers.{name} = {url}: {error}")))?
            .connect_timeout(CONNECT)
            .http2_keep_alive_interval(PING)
            .keep_alive_timeout(PONG)
            .keep_alive_while_idle(true);
        Ok(Self { url: url.to_owned(), channel: endpoint.connect_lazy(), passed_over_until: Mutex::default() })
    }

    async fn ask(&self, request: Request<Bytes>) -> Result<Response<Body>, tonic::transport::Error> {
        let mut unanswered = Unanswered(Some(self));
        let mut channel = self.channel.clone();
        let request = request.map(|body| Body::new(axum::body::Body::from(body)));
        let answer = channel.ready().await?.call(request).await;
        unanswered.0 = None;
        answer
    }

    /// The address of another service, or of a version that lacks a method.
    fn knows_nothing_of(&self, service: &str, method: &str) {
        if !self.is_skipped(Instant::now()) {
            tracing::error!(service, address = self.url, method, "who answers there does not know this method");
        }
        self.skip_for_now();
    }

    fn skip_for_now(&self) {
        *self.passed_over_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + PASSED_OVER);
    }

    fn is_skipped(&self, now: Instant) -> bool {
        self.passed_over_until.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|until| now < until)
    }
}

/// An address that is given up before it has answered hangs: others are asked first then.
struct Unanswered<'a>(Option<&'a Address>);

impl Drop for Unanswered<'_> {
    fn drop(&mut self) {
        if let Some(address) = self.0 {
            address.skip_for_now();
        }
    }
}

impl ServiceToken {
    fn token(&self) -> Result<HeaderValue, Status> {
        let mut token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((value, made)) = &*token
            && made.elapsed() < TOKEN_USED_FOR
        {
            return Ok(value.clone());
        }
        let value = self.service_key.caller(Scope::Platform, None)?.bearer()?;
        *token = Some((value.clone(), Instant::now()));
        Ok(value)
    }
}

/// Whether a peer answers with this code alone.
fn says(response: &Response<Body>, code: Code) -> bool {
    let status = response.headers().get("grpc-status").map(|status| Code::from_bytes(status.as_bytes()));
    status == Some(code)
}

/// Whether a call failed before anybody could have heard it.
fn never_connected(error: &tonic::transport::Error) -> bool {
    causes(error).any(|cause| cause.is::<ConnectError>())
}

fn reason(error: &tonic::transport::Error) -> String {
    causes(error).map(ToString::to_string).last().unwrap_or_default()
}

fn causes(error: &tonic::transport::Error) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    let first: &(dyn StdError + 'static) = error;
    let mut next = Some(first);
    std::iter::from_fn(move || {
        let cause = next?;
        next = cause.source();
        Some(cause)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use axum::Router;
    use hyper::{body::Incoming, server::conn::http2, service::service_fn};
    use hyper_util::rt::{TokioExecutor, TokioIo};
    use tokio::{
        net::TcpListener,
        runtime::{Builder, Runtime},
    };

    async fn listen() -> (TcpListener, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        (listener, url)
    }

    /// A peer that ends each connection when it has heard something; and how often it has.
    async fn hangs_up() -> (Arc<AtomicUsize>, String) {
        let (listener, url) = listen().await;
        let heard = Arc::<AtomicUsize>::default();
        let counted = heard.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let counted = counted.clone();
                let answer = service_fn(move |_: Request<Incoming>| {
                    counted.fetch_add(1, Ordering::Relaxed);
                    std::future::ready(Err::<Response<Body>, _>(std::io::Error::other("it dies")))
                });
                let connection =
                    http2::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), answer);
                tokio::spawn(connection);
            }
        });
        (heard, url)
    }

    /// A peer that answers everything with this code: that it is not there yet, or does not know the method.
    async fn refusing(code: &'static str) -> String {
        let (listener, url) = listen().await;
        let router = Router::new().fallback(async move || [("grpc-status", code), ("x-name", "refusing")]);
        tokio::spawn(async move { axum::serve(listener, router).await.expect("it serves") });
        url
    }

    /// A peer that answers everything with its name in a header. It has a runtime of its own, with which its connections
    /// end.
    struct Peer(Option<Runtime>);

    impl Peer {
        async fn stop(mut self) {
            let runtime = self.0.take();
            tokio::task::spawn_blocking(|| drop(runtime)).await.expect("it ends");
        }
    }

    impl Drop for Peer {
        fn drop(&mut self) {
            if let Some(runtime) = self.0.take() {
                runtime.shutdown_background();
            }
        }
    }

    async fn serving(name: &'static str) -> (Peer, String) {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let (listener, url) = runtime.spawn(listen()).await.expect("it listens");
        let router = Router::new().fallback(async move || [("x-name", name)]);
        runtime.spawn(async move { axum::serve(listener, router).await.expect("it serves") });
        (Peer(Some(runtime)), url)
    }

    fn remote(urls: &str, deadline: Duration) -> Remote {
        let addresses = urls.parse().expect("good addresses");
        Remote::new("fleet", &addresses, deadline, None).expect("good addresses")
    }

    async fn ask(remote: &Remote) -> Result<String, Status> {
        let request = Request::post("/armada.v1.Devices/Get").body(Body::empty()).expect("a request");
        let answer = remote.call(request).await?;
        Ok(answer.headers()["x-name"].to_str().expect("text").to_owned())
    }

    #[tokio::test]
    async fn hanging_peer_is_unavailable_after_the_deadline() {
        // It accepts, and says nothing.
        let (listener, url) = listen().await;
        let accepted = tokio::spawn(async move {
            let mut open = Vec::new();
            while let Ok((stream, _)) = listener.accept().await {
                open.push(stream);
            }
        });
        let hanging = remote(&url, Duration::from_millis(200));
        let status = ask(&hanging).await.expect_err("nobody answers");
        assert_eq!((status.code(), status.message()), (Code::Unavailable, "fleet: no answer in time"));
        // With another address beside it, it is passed over from then on.
        let (_serving, good) = serving("good").await;
        let both = remote(&format!("{url},{good}"), Duration::from_millis(200));
        assert_eq!(ask(&both).await.expect_err("it was its turn").code(), Code::Unavailable);
        for _ in 0..6 {
            assert_eq!(ask(&both).await.expect("the other answers"), "good");
        }
        accepted.abort();
    }

    #[tokio::test]
    async fn calls_use_all_addresses_and_skip_dead_ones() {
        let ((first, first_url), (_second, second_url)) = (serving("first").await, serving("second").await);
        let remote = remote(&format!("{first_url}, {second_url}"), Duration::from_secs(20));
        let mut heard = Vec::new();
        for _ in 0..4 {
            heard.push(ask(&remote).await.expect("both answer"));
        }
        assert_eq!(heard, ["first", "second", "first", "second"]);
        first.stop().await;
        // What reads is asked elsewhere, whatever was under way when it died.
        for _ in 0..8 {
            assert_eq!(ask(&remote).await.expect("the other answers"), "second");
        }
    }

    #[tokio::test]
    async fn only_what_reads_is_asked_twice() {
        let (heard, dying) = hangs_up().await;
        let (_serving, good) = serving("good").await;
        let call = async |path: &str| {
            let request = Request::post(path).body(Body::empty()).expect("a request");
            remote(&format!("{dying},{good}"), Duration::from_secs(20)).call(request).await
        };
        assert_eq!(call("/armada.v1.Devices/Get").await.expect("the other answers").headers()["x-name"], "good");
        let refused = call("/armada.v1.Devices/Create").await.expect_err("it may have been done");
        assert_eq!((refused.code(), heard.load(Ordering::Relaxed)), (Code::Unavailable, 2));
    }

    #[tokio::test]
    async fn what_one_cannot_answer_another_is_asked() {
        let (beginning, (_serving, good)) = (refusing("14").await, serving("good").await);
        let both = remote(&format!("{beginning},{good}"), Duration::from_secs(20));
        for _ in 0..3 {
            assert_eq!(ask(&both).await.expect("the other answers"), "good");
        }
        assert_eq!(ask(&remote(&beginning, Duration::from_secs(20))).await.expect("its own answer"), "refusing");
    }

    #[tokio::test]
    async fn another_service_is_passed_over_even_by_what_writes() {
        let (another, (_serving, good)) = (refusing("12").await, serving("good").await);
        let both = remote(&format!("{another},{good}"), Duration::from_secs(20));
        for _ in 0..4 {
            let request = Request::post("/armada.v1.Devices/Create").body(Body::empty()).expect("a request");
            assert_eq!(both.call(request).await.expect("the other answers").headers()["x-name"], "good");
        }
        assert!(both.addresses[0].is_skipped(Instant::now()) && !both.addresses[1].is_skipped(Instant::now()));
        let alone = remote(&another, Duration::from_secs(20));
        assert_eq!(ask(&alone).await.expect("its own answer"), "refusing");
    }

    #[tokio::test]
    async fn nobody_there_is_unavailable() {
        let (listener, url) = listen().await;
        drop(listener);
        let status = ask(&remote(&url, CONNECT)).await.expect_err("nobody is there");
        assert_eq!(status.code(), Code::Unavailable);
    }
}
