//! Whom connections trust: certificates of an authority that the test makes, and files that change while the process runs.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Result, ensure};
use armada_runtime::{
    db::{Location, Logins, Owner},
    https::{self, HttpsClient},
    trust::{self, CertificateRefused, Places, Trust},
};
use armada_testkit::{Authority, Durability, Postgres, ServerCertificate, TlsFront, eventually, temp_dir};
use http::{Request, StatusCode, header::CONNECTION};
use http_body_util::Empty;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

const SOON: Duration = Duration::from_secs(20);

type Client = HttpsClient<Empty<bytes::Bytes>>;

/// A server that says yes to everything.
async fn plain_server() -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = axum::Router::new().fallback(|| async { StatusCode::NO_CONTENT });
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

async fn front(certificate: &ServerCertificate) -> TlsFront {
    TlsFront::start(certificate, plain_server().await).await
}

/// Of a bundle in a file of its own, in the place of the system's store.
fn trust_in(file: &Path) -> Trust {
    Trust::read(Places { file: Some(file.to_owned()), folders: Vec::new() })
}

/// Asks over a connection of its own; an error is what people read.
/// A file with the certificate of one authority, and who trusts those in it.
struct Bundle {
    file: PathBuf,
    trust: Trust,
    client: Client,
    folder: TempDir,
}

impl Bundle {
    fn of(authority: &Authority) -> Self {
        let folder = temp_dir("bundle-");
        let file = folder.path().join("ca.pem");
        fs::write(&file, authority.pem()).unwrap();
        let trust = trust_in(&file);
        let client = https::client_trusting(&trust).unwrap();
        Self { file, trust, client, folder }
    }
}

async fn ask(client: &Client, front: &TlsFront) -> Result<(), String> {
    let url = format!("https://localhost:{}/", front.port());
    let request = Request::get(url).header(CONNECTION, "close").body(Empty::new()).unwrap();
    let answer = client.request(request).await.map_err(|error| trust::reason(&error))?;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    Ok(())
}

#[tokio::test]
async fn the_right_name_is_accepted_and_what_is_wrong_is_said() {
    let folder = temp_dir("bundle-");
    let bundle = folder.path().join("ca.pem");
    let authority = Authority::new("Acme");
    fs::write(&bundle, authority.pem()).unwrap();
    let client: Client = https::client_trusting(&trust_in(&bundle)).unwrap();

    let front = front(&authority.issue(&["localhost", "127.0.0.1"])).await;
    ask(&client, &front).await.unwrap();
    front.show(&authority.issue(&["old.acme.example", "10.0.0.7"]));
    let refused = ask(&client, &front).await.unwrap_err();
    assert_eq!(refused, "its certificate is not for localhost, but for old.acme.example, 10.0.0.7");
    front.show(&authority.issue_expired(&["localhost"]));
    assert_eq!(ask(&client, &front).await.unwrap_err(), "its certificate expired at 2021-01-01T00:00:00Z");
    // Of another name, and of the same one with another key.
    for name in ["Globex", "Acme"] {
        front.show(&Authority::new(name).issue(&["localhost"]));
        let refused = ask(&client, &front).await.unwrap_err();
        assert_eq!(refused, "its certificate comes from an unknown authority", "{name}");
    }
}

#[tokio::test]
async fn a_changed_bundle_holds_for_clients_that_there_are() {
    let (former, next) = (Authority::new("Former"), Authority::new("Next"));
    let Bundle { file: bundle, trust, client, folder } = Bundle::of(&former);
    let (of_former, of_next) = (front(&former.issue(&["localhost"])).await, front(&next.issue(&["localhost"])).await);
    ask(&client, &of_former).await.unwrap();
    ask(&client, &of_next).await.unwrap_err();

    let shutdown = CancellationToken::new();
    let watching = tokio::spawn(trust.watch(Duration::from_millis(10), shutdown.clone()));
    fs::write(folder.path().join("new"), next.pem()).unwrap();
    fs::rename(folder.path().join("new"), &bundle).unwrap();
    eventually("the next authority is trusted, and the former one no more", SOON, async || {
        ensure!(ask(&client, &of_next).await == Ok(()));
        ensure!(ask(&client, &of_former).await.is_err());
        Ok(())
    })
    .await;
    shutdown.cancel();
    watching.await.unwrap().unwrap();
}

#[tokio::test]
async fn what_breaks_keeps_what_was_read_and_what_goes_is_gone() {
    let folder = temp_dir("bundle-");
    let (bundle, more) = (folder.path().join("ca.pem"), folder.path().join("more"));
    fs::create_dir(&more).unwrap();
    let (acme, globex) = (Authority::new("Acme"), Authority::new("Globex"));
    fs::write(&bundle, acme.pem()).unwrap();
    fs::write(more.join("globex.pem"), globex.pem()).unwrap();
    fs::write(more.join("README"), "no certificate").unwrap();
    std::os::unix::fs::symlink("nowhere", more.join("dangling")).unwrap();
    let trust = Trust::read(Places { file: Some(bundle.clone()), folders: vec![more.clone()] });
    let client: Client = https::client_trusting(&trust).unwrap();
    let (of_acme, of_globex) = (front(&acme.issue(&["localhost"])).await, front(&globex.issue(&["localhost"])).await);
    let both_are_trusted = async |when: &str| {
        assert_eq!(ask(&client, &of_acme).await, Ok(()), "{when}");
        assert_eq!(ask(&client, &of_globex).await, Ok(()), "{when}");
    };
    both_are_trusted("at first").await;
    assert_eq!(trust.authorities().of_machine().len(), 2);

    let pem = acme.pem();
    for (when, broken) in [("empty", ""), ("half written", &pem[..pem.len() / 2]), ("something else", "-----BEGIN x")] {
        fs::write(&bundle, broken).unwrap();
        trust.look_again();
        both_are_trusted(when).await;
    }
    fs::remove_file(&bundle).unwrap();
    trust.look_again();
    both_are_trusted("without the file").await;
    fs::rename(&more, folder.path().join("elsewhere")).unwrap();
    trust.look_again();
    both_are_trusted("without the folder").await;

    fs::rename(folder.path().join("elsewhere"), &more).unwrap();
    fs::write(&bundle, globex.pem()).unwrap();
    fs::remove_file(more.join("globex.pem")).unwrap();
    trust.look_again();
    assert_eq!(trust.authorities().of_machine().len(), 1);
    assert_eq!(ask(&client, &of_globex).await, Ok(()), "another file has it now");
    ask(&client, &of_acme).await.unwrap_err();
}

/// Nothing is read again that has not changed: whoever asks gets the same authorities.
#[tokio::test]
async fn unchanged_files_are_left_alone() {
    let folder = temp_dir("bundle-");
    let bundle = folder.path().join("ca.pem");
    let authority = Authority::new("Acme");
    fs::write(&bundle, authority.pem()).unwrap();
    let trust = trust_in(&bundle);
    let before = trust.authorities();
    trust.look_again();
    assert!(std::sync::Arc::ptr_eq(&before, &trust.authorities()));
    // Twice in one bundle it is one.
    fs::write(&bundle, authority.pem() + &authority.pem()).unwrap();
    trust.look_again();
    assert_eq!(trust.authorities().of_machine().len(), 1);
}

/// `sslrootcert` of the URL, as it is documented.
#[tokio::test]
async fn postgres_with_a_certificate_of_an_own_authority() {
    let folder = temp_dir("bundle-");
    let (bundle, other) = (folder.path().join("ca.pem"), folder.path().join("other.pem"));
    let authority = Authority::new("Acme");
    fs::write(&bundle, authority.pem()).unwrap();
    fs::write(&other, Authority::new("Globex").pem()).unwrap();
    let certificate = authority.issue(&["localhost"]);
    let started = tokio::task::spawn_blocking(move || {
        let postgres = Postgres::start(Durability::Fast);
        postgres.speak_tls(&certificate);
        postgres
    });
    let postgres = started.await.unwrap();
    let logins = postgres.create_database().await;
    let reach = async |host: &str, bundle: &Path| {
        let url = logins.services.replace("127.0.0.1", host);
        let services = format!("{url}?sslmode=verify-full&sslrootcert={}", bundle.display());
        let location = Location::Postgres(Logins { services, owner: Owner::SameLogin, ..logins.clone() });
        location.reach().await.map_err(|error| error.message)
    };
    reach("localhost", &bundle).await.unwrap();
    let refused = reach("127.0.0.1", &bundle).await.unwrap_err();
    assert_eq!(refused, "its certificate is not for 127.0.0.1, but for localhost");
    let refused = reach("localhost", &other).await.unwrap_err();
    assert_eq!(refused, CertificateRefused::UnknownAuthority.to_string());
}

#[tokio::test]
async fn an_unknown_authority_has_the_files_looked_at() {
    let (former, next) = (Authority::new("Former"), Authority::new("Next"));
    let Bundle { file: bundle, trust, client, folder: _folder } = Bundle::of(&former);
    let shutdown = CancellationToken::new();
    // It would look by itself when the test is long over.
    let watching = tokio::spawn(trust.watch(Duration::from_secs(3600), shutdown.clone()));
    // As editors on other systems begin a text.
    fs::write(&bundle, format!("\u{feff}{}", next.pem())).unwrap();
    let of_next = front(&next.issue(&["localhost"])).await;
    eventually("it is trusted", SOON, async || ask(&client, &of_next).await.map_err(|error| anyhow::anyhow!(error)))
        .await;
    shutdown.cancel();
    watching.await.unwrap().unwrap();
}
