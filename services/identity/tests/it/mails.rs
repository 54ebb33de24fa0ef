//! Mail on behalf of other services: once each, in the language of whose address it is.

use armada_proto::v1::{
    Empty, Locale, MaintenanceMail, MaintenanceState, Tenant, UserInput, mails_client::MailsClient,
};
use armada_runtime::{Code, Error, Result, Scope};
use armada_testkit::{both_databases, eventually};

use crate::{
    links::with_mail,
    support::{self, Identity, SOON, answer, smtp::Sink},
};

impl Identity {
    /// As another service asks.
    async fn mail(&self, mail: MaintenanceMail) -> Result<()> {
        let asking = self.running.context.service_key.caller(Scope::Platform, None)?;
        let transport = self.running.context.peers.transport("identity")?;
        answer(MailsClient::new(transport).queue_maintenance(asking.sign(mail)).await).map(drop)
    }
}

fn mail(tenant: &Tenant, to: &str) -> MaintenanceMail {
    MaintenanceMail {
        id: format!("mail to {to}"),
        tenant_id: tenant.id.clone(),
        to: to.to_owned(),
        maintenance_id: "01900000-0000-7000-8000-000000000000".to_owned(),
        title: "Ganti oli 10.000 km".to_owned(),
        vehicle: "Truk Cakung · B 9120 KXT".to_owned(),
        state: MaintenanceState::Due.into(),
        due_date: "2026-12-01".to_owned(),
        due_odometer: 45_000,
        due_engine_hours: 0,
    }
}

both_databases! {
    async fn each_email_is_sent_once_in_the_readers_language(kind: Kind) -> anyhow::Result<()> {
        let mut sink = Sink::start().await;
        let identity = Identity::start_with(kind, with_mail(&sink)).await;
        let (tenant, other) = (identity.tenant("Acme").await, identity.tenant("Other").await);
        for (tenant, name, locale, is_tenant_admin) in [(&tenant, "sari", Locale::Jv, true), (&tenant, "budi", Locale::En, false), (&other, "lin", Locale::Zh, false)] {
            let user = UserInput {
                tenant_id: Some(tenant.id.clone()),
                name: Some(name.to_owned()),
                locale: Some(locale.into()),
                is_tenant_admin: Some(is_tenant_admin),
                ..support::new_user(&format!("{name}@example.org"))
            };
            answer(identity.users().create(identity.owner.sign(user)).await)?;
        }
        // Of nobody, and of somebody of another tenant, nothing is known: they read what the admins read.
        for (to, opening) in [
            ("budi@example.org", "Hello budi,"),
            ("workshop@example.org", "Nuwun,"),
            ("lin@example.org", "Nuwun,"),
        ] {
            for _ in 0..2 {
                identity.mail(mail(&tenant, to)).await?;
            }
            let email = sink.next().await;
            assert_eq!(email.recipients, [to]);
            assert!(email.parts[0].starts_with(opening), "{}", email.parts[0]);
            assert!(email.parts[0].contains("Ganti oli 10.000 km") && email.parts[0].contains("Truk Cakung · B 9120 KXT"), "{}", email.parts[0]);
            assert!(email.parts[0].contains("https://fleet.example/maintenance?open=01900000"), "{}", email.parts[0]);
        }
        for (wrong, error) in [
            (MaintenanceMail { to: "nobody".to_owned(), ..mail(&tenant, "x") }, Error::field("to", "invalid_email")),
            (MaintenanceMail { state: MaintenanceState::Done.into(), ..mail(&tenant, "a@b.example") }, Error::field("state", "invalid")),
            (MaintenanceMail { id: String::new(), ..mail(&tenant, "a@b.example") }, Error::field("id", "required")),
            (MaintenanceMail { tenant_id: "01900000-0000-7000-8000-000000000000".to_owned(), ..mail(&tenant, "a@b.example") }, Error::not_found()),
        ] {
            assert_eq!(identity.mail(wrong).await.unwrap_err(), error);
        }
        let transport = identity.running.context.peers.transport("identity")?;
        let by_owner = MailsClient::new(transport).queue_maintenance(identity.owner.sign(mail(&tenant, "a@b.example"))).await;
        assert_eq!(Error::from(by_owner.unwrap_err()).class, Code::Forbidden, "services alone");
        identity.running.stop().await
    }

    /// What lets somebody in goes first, each tenant has its turn, and who may type an address in cannot have everybody
    /// written to.
    async fn mail_of_one_tenant_keeps_nobody_waiting(kind: Kind) -> anyhow::Result<()> {
        let mut sink = Sink::start().await;
        let identity = Identity::start_with(kind, with_mail(&sink)).await;
        let (loud, quiet) = (identity.tenant("Loud").await, identity.tenant("Quiet").await);
        identity.confirm_by_mail(&mut sink, &quiet, "sari@example.org").await;
        let closed = sink.gate.clone().write_owned().await;
        for n in 0..110 {
            identity.mail(mail(&loud, &format!("stranger-{n}@example.org"))).await?;
        }
        identity.mail(mail(&quiet, "reader@example.org")).await?;
        identity.forgot("sari@example.org").await?;
        drop(closed);
        let mut order = Vec::new();
        for _ in 0..102 {
            order.extend(sink.next().await.recipients);
        }
        let place = |to: &str| order.iter().position(|recipient| recipient == to).expect("it was sent");
        assert!(place("sari@example.org") < 12 && place("reader@example.org") < 12, "{order:?}");
        let transport = identity.running.context.peers.transport("identity")?;
        eventually("nothing is left", SOON, async || {
            let status = answer(MailsClient::new(transport.clone()).status(identity.owner.sign(Empty {})).await)?;
            anyhow::ensure!(status.waiting == 0, "{status:?}");
            Ok(())
        })
        .await;
        Ok(())
    }

    /// Only what is wrong with an email itself is given up; what a relay turns everybody away for is tried again, and owners
    /// are told.
    async fn refusals_of_the_relay_lose_nothing(kind: Kind) -> anyhow::Result<()> {
        let mut sink = Sink::start().await;
        let identity = Identity::start_with(kind, with_mail(&sink)).await;
        let tenant = identity.tenant("Acme").await;
        let transport = identity.running.context.peers.transport("identity")?;
        let status = async || answer(MailsClient::new(transport.clone()).status(identity.owner.sign(Empty {})).await);

        for (command, refusal, code) in [("220", "554 5.3.2 closed", "554"), ("MAIL", "530 5.7.0 sign in first", "530")] {
            sink.refuse(command, refusal);
            let to = format!("at-{code}@example.org");
            identity.mail(mail(&tenant, &to)).await?;
            eventually("the owner is told", SOON, async || {
                let status = status().await?;
                anyhow::ensure!((status.failing, &*status.failure) == (1, code), "{status:?}");
                anyhow::ensure!(status.failing_since.is_some() && status.configured, "{status:?}");
                Ok(())
            })
            .await;
            sink.take_all();
            assert_eq!(sink.next().await.recipients, [to], "it was kept");
        }
        sink.refuse("RCPT", "550 5.1.1 no such user");
        identity.mail(mail(&tenant, "nobody@example.org")).await?;
        eventually("it is given up", SOON, async || {
            let status = status().await?;
            anyhow::ensure!((status.waiting, status.failing) == (0, 0), "{status:?}");
            Ok(())
        })
        .await;
        let by_admin = MailsClient::new(transport.clone()).status(identity.admin_of(&tenant).await.sign(Empty {})).await;
        assert_eq!(Error::from(by_admin.unwrap_err()).class, Code::Forbidden);
        identity.running.stop().await
    }
}
