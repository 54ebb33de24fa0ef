//! The REST API as a client sees it: JSON in, a status and JSON out.

use anyhow::Context as _;
use http::{HeaderMap, Method, StatusCode};
use reqwest::redirect::Policy;
use serde_json::Value;

use crate::callers::Signed;

/// An HTTP client with a base URL, cookies, and the token of who is signed in.
#[derive(Clone)]
pub struct Api {
    client: reqwest::Client,
    base: String,
    token: Option<String>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as it came.
    pub text: String,
}

impl Reply {
    /// The body as JSON; null when it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// The body, if the status is `wanted`; panics with the whole answer otherwise.
    pub fn expect(&self, wanted: StatusCode) -> Value {
        assert_eq!(self.status, wanted, "{}", self.text);
        self.json()
    }
}

impl Api {
    /// A client of `base`, e.g. `http://127.0.0.1:8080`. It follows nowhere: where it is sent is an answer as well.
    pub fn new(base: &str) -> Self {
        let client = reqwest::Client::builder().cookie_store(true).redirect(Policy::none()).no_proxy();
        let client = client.build().expect("an HTTP client");
        Self { client, base: base.trim_end_matches('/').to_owned(), token: None }
    }

    /// The same client with a caller's token.
    pub fn signed(&self, caller: &Signed) -> Self {
        self.with_token(&caller.token)
    }

    /// The same client with a token.
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    /// Signs in with email and password, in a session of its own.
    pub async fn sign_in(&self, email: &str, password: &str) -> anyhow::Result<Self> {
        let fresh = Self::new(&self.base);
        let body = serde_json::json!({ "email": email, "password": password });
        let reply = fresh.request(Method::POST, "/auth/login", &[], Some(&body)).await?;
        let answer = reply.json();
        let token = answer["token"].as_str().with_context(|| format!("login: {} {}", reply.status, reply.text))?;
        Ok(fresh.with_token(token))
    }

    /// The URL of a path, for WebSockets too.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// GET.
    pub async fn get(&self, path: &str) -> anyhow::Result<Reply> {
        self.request(Method::GET, path, &[], None).await
    }

    /// POST with a JSON body.
    pub async fn post(&self, path: &str, body: Value) -> anyhow::Result<Reply> {
        self.request(Method::POST, path, &[], Some(&body)).await
    }

    /// PUT with a JSON body.
    pub async fn put(&self, path: &str, body: Value) -> anyhow::Result<Reply> {
        self.request(Method::PUT, path, &[], Some(&body)).await
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> anyhow::Result<Reply> {
        self.request(Method::DELETE, path, &[], None).await
    }

    /// GET of a file, as it is.
    pub async fn file(&self, path: &str, headers: &[(&str, &str)]) -> anyhow::Result<(HeaderMap, Vec<u8>)> {
        let response = self.send(Method::GET, path, headers, None).await?.error_for_status()?;
        Ok((response.headers().clone(), response.bytes().await?.to_vec()))
    }

    /// Any request, with headers.
    pub async fn request(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> anyhow::Result<Reply> {
        let response = self.send(method, path, headers, body).await?;
        let (status, headers) = (response.status(), response.headers().clone());
        Ok(Reply { status, headers, text: response.text().await? })
    }

    /// Sends a file.
    pub async fn upload(&self, path: &str, kind: &str, file: Vec<u8>) -> anyhow::Result<Reply> {
        self.upload_with(path, kind, file, &[]).await
    }

    /// Sends a file, with headers.
    pub async fn upload_with(
        &self,
        path: &str,
        kind: &str,
        file: Vec<u8>,
        headers: &[(&str, &str)],
    ) -> anyhow::Result<Reply> {
        let mut request = self.client.post(self.url(path)).header("content-type", kind).body(file);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        let response = request.send().await?;
        let (status, headers) = (response.status(), response.headers().clone());
        Ok(Reply { status, headers, text: response.text().await? })
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> anyhow::Result<reqwest::Response> {
        let mut request = self.client.request(method, self.url(path));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        Ok(request.send().await?)
    }
}
