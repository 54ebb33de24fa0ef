//! Servers with certificates of an authority of one's own, which the program is told of by `SSL_CERT_FILE`.

use std::{fs, net::SocketAddr, process::Command, time::Duration};

use anyhow::{Context as _, Result, ensure};
use armada_testkit::{Authority, Kind, TlsFront, eventually, free_port, nats_program, spawn_until_death, temp_dir};
use axum::{Json, Router, http::HeaderMap, routing::get};
use http::{StatusCode, header::LOCATION};
use nix::sys::signal::Signal;
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};

use crate::support::{SOON, site::Site};

/// How long a changed file may take to hold.
const FOLLOWED: Duration = Duration::from_secs(60);

/// An OpenID Connect provider, as far as a sign-in begins with it: it is whoever it was asked as.
async fn provider() -> Result<SocketAddr> {
    async fn discovery(headers: HeaderMap) -> Json<serde_json::Value> {
        let issuer = format!("https://{}", headers["host"].to_str().expect("a host"));
        Json(json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"),
            "jwks_uri": format!("{issuer}/jwks"),
        }))
    }
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let router = Router::new().route("/.well-known/openid-configuration", get(discovery));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

#[tokio::test]
async fn sign_ins_follow_the_bundle() -> Result<()> {
    let (acme, globex) = (Authority::new("Acme"), Authority::new("Globex"));
    let provider = TlsFront::start(&globex.issue(&["localhost"]), provider().await?).await;
    let issuer = format!("https://localhost:{}", provider.port());
    let mut site = Site::new(Kind::Sqlite).await;
    let bundle = site.folder().join("ca.pem");
    fs::write(&bundle, acme.pem())?;
    site.set("SSL_CERT_FILE", bundle.to_str().context("a path that is text")?);
    site.set("ARMADA_PUBLIC_URL", format!("http://{}", site.http));
    site.set("ARMADA_IDENTITY__OIDC__ISSUER", &*issuer);
    site.set("ARMADA_IDENTITY__OIDC__CLIENT_ID", "armada");
    site.set("ARMADA_IDENTITY__OIDC__CLIENT_SECRET", "hunter2");
    site.set("ARMADA_IDENTITY__OIDC__NAME", "Globex");
    let armada = site.run().await;
    let sign_in = async || {
        let reply = site.anybody().get("/auth/oidc/start").await?;
        anyhow::Ok(reply.headers.get(LOCATION).context("a redirect")?.to_str()?.to_owned())
    };

    // The other authority is trusted when the file has it, and not before; nothing is started anew.
    let refused = sign_in().await?;
    assert!(refused.contains("error=unavailable"), "{refused}");
    let log = armada.log();
    assert!(log.contains("its certificate comes from an unknown authority"), "{log}");
    fs::write(site.folder().join("new.pem"), acme.pem() + &globex.pem())?;
    fs::rename(site.folder().join("new.pem"), &bundle)?;
    eventually("the file is read again", FOLLOWED, async || {
        let log = armada.log();
        ensure!(log.contains("the certificates of authorities have changed"), "{log}");
        Ok(())
    })
    .await;
    let location = sign_in().await?;
    assert!(location.starts_with(&format!("{issuer}/authorize")), "{location}");
    Ok(())
}

/// A mail server that takes everything, and says for whom.
async fn mail_server() -> Result<(SocketAddr, mpsc::UnboundedReceiver<String>)> {
    async fn serve(stream: TcpStream, recipients: &mpsc::UnboundedSender<String>) -> Result<()> {
        let (read, mut write) = stream.into_split();
        let mut lines = BufReader::new(read).lines();
        write.write_all(b"220 mail\r\n").await?;
        let mut is_text = false;
        while let Some(line) = lines.next_line().await? {
            if let Some(recipient) = line.strip_prefix("RCPT TO:") {
                recipients.send(recipient.trim_matches(['<', '>']).to_owned())?;
            }
            let answer: &[u8] = match (is_text, line.as_str()) {
                (true, ".") => b"250 ok\r\n",
                (true, _) => continue,
                (false, "DATA") => b"354 go on\r\n",
                (false, line) if line.starts_with("EHLO") => b"250-mail\r\n250 8BITMIME\r\n",
                (false, _) => b"250 ok\r\n",
            };
            is_text = answer.starts_with(b"354");
            write.write_all(answer).await?;
        }
        Ok(())
    }
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let (sender, recipients) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let sender = sender.clone();
            tokio::spawn(async move { serve(stream, &sender).await });
        }
    });
    Ok((address, recipients))
}

/// Mails are taken by a server whose authority is known, and kept while it shows a certificate that is not good.
async fn mails_go_to_who_is_trusted(starts_tls: bool) -> Result<()> {
    let (acme, globex) = (Authority::new("Acme"), Authority::new("Globex"));
    let (behind, mut mails) = mail_server().await?;
    let good = acme.issue(&["localhost"]);
    let (front, url) = match starts_tls {
        true => (TlsFront::start_when_asked(&good, behind).await, "smtp://localhost:PORT?tls=required"),
        false => (TlsFront::start(&good, behind).await, "smtps://localhost:PORT"),
    };
    let mut site = Site::new(Kind::Sqlite).await;
    let bundle = site.folder().join("ca.pem");
    fs::write(&bundle, acme.pem())?;
    site.set("SSL_CERT_FILE", bundle.to_str().context("a path that is text")?);
    site.set("ARMADA_PUBLIC_URL", format!("http://{}", site.http));
    site.set("ARMADA_IDENTITY__MAIL__SMTP_URL", url.replace("PORT", &front.port().to_string()));
    site.set("ARMADA_IDENTITY__MAIL__FROM", "Armada <armada@fleet.example>");
    let armada = site.run().await;
    let owner = site.owner().await?;
    let tenant = owner.post("/api/v1/tenants", json!({ "name": "Harbour" })).await?.expect(StatusCode::CREATED);
    let invite = async |email: &str| {
        let user = json!({ "tenant_id": tenant["id"], "name": "Sari", "email": email, "invite": true });
        let user = owner.post("/api/v1/users", user).await?.expect(StatusCode::CREATED);
        let id = user["id"].as_str().context("an id")?;
        let sent = owner.post(&format!("/api/v1/users/{id}/links"), json!({ "purpose": "invitation" })).await?;
        ensure!(sent.status.is_success(), "{}", sent.text);
        Ok(())
    };

    invite("first@example.com").await?;
    let Ok(recipient) = tokio::time::timeout(SOON, mails.recv()).await else {
        anyhow::bail!("{} {}", owner.get("/api/v1/mail-status").await?.text, armada.log());
    };
    assert_eq!(recipient.as_deref(), Some("first@example.com"));
    let untrusted = [
        ("certificate_expired", acme.issue_expired(&["localhost"])),
        ("certificate_wrong_name", acme.issue(&["mail.example"])),
        ("certificate_unknown_authority", globex.issue(&["localhost"])),
    ];
    for (reason, shown) in untrusted {
        front.show(&shown);
        invite(&format!("{reason}@example.com")).await?;
        eventually("owners are told what is wrong", SOON, async || {
            let status = owner.get("/api/v1/mail-status").await?.json();
            ensure!(status["failure"] == reason, "{status}");
            Ok(())
        })
        .await;
        front.show(&good);
        let recipient = tokio::time::timeout(SOON, mails.recv()).await?;
        assert_eq!(recipient, Some(format!("{reason}@example.com")), "it was kept");
    }
    Ok(())
}

#[tokio::test]
async fn mails_over_smtps_go_to_who_is_trusted() -> Result<()> {
    mails_go_to_who_is_trusted(false).await
}

#[tokio::test]
async fn mails_over_starttls_go_to_who_is_trusted() -> Result<()> {
    mails_go_to_who_is_trusted(true).await
}

#[tokio::test]
async fn nats_with_a_certificate_of_an_own_authority() -> Result<()> {
    let authority = Authority::new("Acme");
    let shown = authority.issue(&["localhost"]);
    let folder = temp_dir("nats-tls-");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("server.pem"), &shown.certificate)?;
    fs::write(path("server.key"), &shown.key)?;
    fs::write(path("acme.pem"), authority.pem())?;
    fs::write(path("globex.pem"), Authority::new("Globex").pem())?;
    let port = free_port();
    let config = format!(
        "listen: 127.0.0.1:{port}\njetstream {{ store_dir: {:?} }}\ntls {{ cert_file: {:?}, key_file: {:?} }}\n",
        path("streams"),
        path("server.pem"),
        path("server.key"),
    );
    fs::write(path("nats.conf"), config)?;
    let mut server = Command::new(nats_program());
    server.arg("--config").arg(path("nats.conf")).arg("--log").arg(path("log"));
    let mut server = spawn_until_death(server, Signal::SIGKILL)?;

    let site = Site::new(Kind::Sqlite).await;
    let run = |arguments: &[&str], host: &str, bundle: &str| {
        let mut command = site.command(arguments);
        command.env("ARMADA_NATS_URL", format!("tls://{host}:{port}")).env("SSL_CERT_FILE", path(bundle));
        tokio::task::spawn_blocking(move || command.output())
    };
    let migrated = run(&["migrate"], "localhost", "acme.pem").await??;
    let said = String::from_utf8_lossy(&migrated.stderr).into_owned();
    assert!(migrated.status.success(), "{said}");
    // Each waits for the server for ten seconds. Whose certificate it is comes before its name.
    let refused = async |bundle: &str, reason: &str| {
        let output = run(&["dlq", "list"], "127.0.0.1", bundle).await??;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let reason = format!("127.0.0.1:{port}: {reason}");
        ensure!(!output.status.success() && said.contains(&reason), "{said}");
        anyhow::Ok(())
    };
    tokio::try_join!(
        refused("globex.pem", "its certificate comes from an unknown authority"),
        refused("acme.pem", "its certificate is not for 127.0.0.1, but for localhost"),
    )?;
    // An empty variable is an absent one, and a folder that is missing does not matter beside one that is there.
    fs::create_dir(path("authorities"))?;
    fs::rename(path("acme.pem"), path("authorities").join("acme.pem"))?;
    let mut command = site.command(&["dlq", "list"]);
    command.env("ARMADA_NATS_URL", format!("tls://localhost:{port}")).env("SSL_CERT_FILE", "");
    command.env("SSL_CERT_DIR", format!("{}:{}", path("nowhere").display(), path("authorities").display()));
    let listed = tokio::task::spawn_blocking(move || command.output()).await??;
    ensure!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    server.kill()?;
    server.wait()?;
    Ok(())
}
