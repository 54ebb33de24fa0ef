//! The traits of services with `async fn` of the language.
//!
//! tonic writes them with `#[async_trait]`. The compiler then proves anew for each service that all that an RPC awaits is
//! `Send`, down to the pools of databases: that proof is kept only for functions whose lifetimes nothing is said about.
//! For fleet it was half of what it took to compile.

const ATTRIBUTE: &str = "#[async_trait]";
const METHOD: &str = "async fn ";
const RETURNS: &str = ") -> ";

/// What tonic has generated, with `fn list(…) -> impl Future<Output = …> + Send` in place of `async fn list(…) -> …`.
pub fn with_native_traits(generated: &str) -> String {
    let mut code = String::with_capacity(generated.len());
    let mut rest = generated;
    while let Some((before, service)) = rest.split_once(ATTRIBUTE) {
        code.push_str(before);
        // A trait ends with the first brace that stands below its own beginning: its methods have no bodies.
        let end = service.find("\n    }").expect("a trait ends");
        code.push_str(&with_native_methods(&service[..end]));
        rest = &service[end..];
    }
    code.push_str(rest);
    code
}

fn with_native_methods(service: &str) -> String {
    let mut code = String::with_capacity(service.len());
    let mut rest = service;
    while let Some((before, method)) = rest.split_once(METHOD) {
        let (arguments, returns) = method.split_once(RETURNS).expect("an RPC returns something");
        let (output, after) = returns.split_once(';').expect("a method ends");
        let future = format!("impl std::future::Future<Output = {output}> + std::marker::Send;");
        code.extend([before, "fn ", arguments, RETURNS, &future]);
        rest = after;
    }
    code.push_str(rest);
    code
}
