//! Links by mail: invitations, forgotten passwords, registrations; through a mail server that the test starts.

use std::sync::atomic::Ordering;

use armada_identity::{Config, MailConfig};
use armada_proto::v1::{
    EmailRequest, Empty, GetRequest, LinkPurpose, LinkToken, ListUsersRequest, Locale, OpenLink, RegistrationInput,
    SubscriptionStatus, Tenant, User, UserInput, UserStatus,
};
use armada_runtime::{Code, Result, Scope, Secret, auth::Client};
use armada_testkit::{Kind, both_databases, eventually_equal};
use sea_orm::ConnectionTrait;

use crate::support::{
    self, Identity, PASSWORD, SOON, answer,
    smtp::{Mailed, Sink},
    token_of,
};

const EMAIL: &str = "budi@example.org";

/// A configuration with which mail goes to a sink.
pub fn with_mail(sink: &Sink) -> Config {
    let mail = MailConfig { smtp_url: Secret::new(sink.url.clone()), from: "Armada <armada@fleet.example>".to_owned() };
    Config { mail: Some(mail), public_url: Some("https://fleet.example".to_owned()), ..support::config() }
}

impl Identity {
    async fn open_link(&self, token: &str) -> Result<OpenLink> {
        answer(self.registration().get_link(LinkToken { token: token.to_owned() }).await)
    }

    pub async fn forgot(&self, email: &str) -> Result<Empty> {
        answer(self.registration().forgot_password(EmailRequest { email: email.to_owned() }).await)
    }

    async fn register(&self, input: RegistrationInput) -> Result<Empty> {
        let registered = answer(self.registration().register(input).await)?;
        self.registrations_are_done().await;
        Ok(registered)
    }

    async fn invited(&self, tenant: &Tenant, email: &str, locale: Locale) -> User {
        let input = UserInput {
            tenant_id: Some(tenant.id.clone()),
            password: None,
            invite: true,
            locale: Some(locale.into()),
            ..support::new_user(email)
        };
        answer(self.users().create(self.owner.sign(input)).await).unwrap()
    }

    /// Somebody who has accepted an invitation that came by mail.
    pub async fn confirm_by_mail(&self, sink: &mut Sink, tenant: &Tenant, email: &str) -> User {
        let user = self.invited(tenant, email, Locale::Id).await;
        self.send(&self.owner, &user, LinkPurpose::Invitation).await.unwrap();
        self.use_link_token(&sink.next().await.token(), Some(PASSWORD)).await.unwrap();
        user
    }

    /// Only those who have this address.
    async fn of_address(&self, email: &str) -> Vec<User> {
        let request = ListUsersRequest { q: email.to_owned(), ..ListUsersRequest::default() };
        answer(self.users().list(self.owner.sign(request)).await).unwrap().items
    }

    async fn get_user(&self, user: &User) -> User {
        answer(self.users().get(self.owner.sign(GetRequest { id: user.id.clone() })).await).unwrap()
    }
}

fn company() -> RegistrationInput {
    RegistrationInput {
        company: "PT Maju <b>Jaya</b>".to_owned(),
        name: "Budi".to_owned(),
        email: EMAIL.to_owned(),
        phone: "+62 812 3456".to_owned(),
        tax_number: "01.234.567.8-901.000".to_owned(),
        accepts_terms: true,
        locale: Locale::En.into(),
    }
}

/// Whose an address is, is looked at after the answer: no company can be made now, and nobody hears of it.
#[tokio::test(flavor = "multi_thread")]
async fn registering_is_the_same_work_for_every_address() -> anyhow::Result<()> {
    let identity = Identity::start(Kind::Sqlite).await;
    identity.register(company()).await?;
    let alter = async |sql: &str| {
        let tx = identity.world.database("identity").await.write(&Scope::Platform).await?;
        tx.execute_unprepared(sql).await?;
        anyhow::Ok(tx.commit().await?)
    };
    alter("CREATE TRIGGER none BEFORE INSERT ON tenant BEGIN SELECT RAISE(ABORT, 'none now'); END").await?;
    let new = RegistrationInput { email: "new@example.org".to_owned(), ..company() };
    for input in [company(), new] {
        answer(identity.registration().register(input).await)?;
    }
    eventually_equal("the other was looked at", SOON, 1, async || identity.registrations_waiting().await).await;
    alter("DROP TRIGGER none").await?;
    identity.registrations_are_done().await;
    assert_eq!(identity.of_address("new@example.org").await.len(), 1);
    identity.running.stop().await
}

both_databases! {
    async fn an_invitation_holds_once(kind: Kind) -> anyhow::Result<()> {
        let mut sink = Sink::start().await;
        let identity = Identity::start_with(kind, with_mail(&sink)).await;
        let tenant = identity.tenant("Acme").await;
        let user = identity.invited(&tenant, EMAIL, Locale::Zh).await;
        assert_eq!(identity.get_user(&user).await.status(), UserStatus::Invited);
        for password in [PASSWORD, ""] {
            identity.login(EMAIL, password).await.unwrap_err();
        }
        let sent = identity.send(&identity.owner, &user, LinkPurpose::Invitation).await?;
        assert_eq!((sent.mailed_to.as_deref(), sent.link), (Some(EMAIL), None));
        let email = sink.next().await;
        assert_eq!(email.recipients, [EMAIL]);
        assert!(email.parts[0].contains("https://fleet.example/auth/invitation#"), "{}", email.parts[0]);
        assert!(email.parts[1].contains("您好") && email.parts[1].contains("Acme"), "{}", email.parts[1]);
        let token = email.token();
        let open = identity.open_link(&token).await?;
        assert_eq!((open.purpose(), open.email.as_str(), open.tenant_name.as_deref()), (LinkPurpose::Invitation, EMAIL, Some("Acme")));
        for (password, code) in [(None, "required"), (Some("short"), "too_short"), (Some("qwertyuiop"), "too_common")] {
            assert_eq!(identity.use_link_token(&token, password).await.unwrap_err().fields["new_password"], code);
        }
        identity.use_link_token(&token, Some(PASSWORD)).await?;
        let used = identity.use_link_token(&token, Some("another password")).await.unwrap_err();
        assert_eq!((used.class, used.code.as_str()), (Code::NotFound, "link_invalid"));
        for wrong in ["", "x", "a\0b", &token[1..]] {
            assert_eq!(identity.open_link(wrong).await.unwrap_err(), used, "{wrong}");
        }
        identity.login(EMAIL, PASSWORD).await?;
        assert_eq!(identity.get_user(&user).await.status(), UserStatus::Active);
        let again = identity.send(&identity.owner, &user, LinkPurpose::Invitation).await.unwrap_err();
        assert_eq!(again.fields["purpose"], "user_is_in_already");
        identity.running.stop().await
    }

    async fn a_new_link_takes_the_place_of_earlier_ones(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let user = identity.user(&tenant, EMAIL).await;
        let session = identity.login(EMAIL, PASSWORD).await?;
        let first = identity.send(&identity.owner, &user, LinkPurpose::PasswordReset).await?;
        assert_eq!(first.mailed_to, None, "without a mail server, the admin hands it over");
        let second = identity.send(&identity.owner, &user, LinkPurpose::PasswordReset).await?;
        identity.use_link_token(&token_of(&first), Some("another password")).await.unwrap_err();
        identity.use_link_token(&token_of(&second), Some("another password")).await?;
        identity.login(EMAIL, PASSWORD).await.unwrap_err();
        identity.login(EMAIL, "another password").await?;
        let request = armada_proto::v1::RefreshRequest { refresh_token: session.refresh_token };
        answer(identity.sessions().refresh(request).await).unwrap_err();

        // A link of somebody who is barred does not hold.
        let third = identity.send(&identity.owner, &user, LinkPurpose::PasswordReset).await?;
        let off = UserInput { id: user.id.clone(), is_active: Some(false), ..UserInput::default() };
        answer(identity.users().update(identity.owner.sign(off)).await)?;
        assert_eq!(identity.use_link_token(&token_of(&third), Some(PASSWORD)).await.unwrap_err().code, "link_invalid");
        let barred = identity.send(&identity.owner, &user, LinkPurpose::PasswordReset).await.unwrap_err();
        assert_eq!(barred.fields["user_id"], "user_is_inactive");
        identity.running.stop().await
    }

    async fn nobody_gets_the_link_of_somebody_who_may_do_more(kind: Kind) -> anyhow::Result<()> {
        use armada_proto::{access::permission, v1::Effect};
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let other = identity.tenant("Other").await;
        let admin = UserInput {
            tenant_id: Some(tenant.id.clone()),
            is_tenant_admin: Some(true),
            ..support::new_user("admin@example.org")
        };
        let admin = identity.create_confirmed_user(admin).await;
        let foreign = identity.user(&other, "foreign@example.org").await;
        let inviter = identity.role(&tenant, "Inviter", &[(permission::USER_INVITE, Effect::Allow)]).await;
        let (_, inviter) = identity.person(&tenant, "siti@example.org", &[&inviter]).await;
        let refused = identity.send(&inviter, &admin, LinkPurpose::PasswordReset).await.unwrap_err();
        assert_eq!(refused.class, Code::Forbidden);
        let unknown = identity.send(&inviter, &foreign, LinkPurpose::PasswordReset).await.unwrap_err();
        assert_eq!(unknown.class, Code::NotFound);
        identity.running.stop().await
    }

    async fn forgotten_passwords_are_answered_alike(kind: Kind) -> anyhow::Result<()> {
        let mut sink = Sink::start().await;
        let identity = Identity::start_with(kind, with_mail(&sink)).await;
        let tenant = identity.tenant("Acme").await;
        identity.confirm_by_mail(&mut sink, &tenant, EMAIL).await;
        // The mail server is away at first.
        sink.turn_away.store(1, Ordering::SeqCst);
        assert_eq!(identity.forgot("nobody@example.org").await?, identity.forgot(" Budi@Example.ORG").await?);
        assert_eq!(identity.forgot("x").await.unwrap_err().fields["email"], "invalid_email");
        let email = sink.next().await;
        assert_eq!((email.recipients.clone(), sink.turn_away.load(Ordering::SeqCst)), (vec![EMAIL.to_owned()], 0));
        assert!(email.parts[0].contains("https://fleet.example/auth/reset#"), "{}", email.parts[0]);
        identity.use_link_token(&email.token(), Some("another password")).await?;
        identity.login(EMAIL, "another password").await?;
        let message = sink.next().await;
        assert!(message.parts[0].contains("baru saja diubah"), "{}", message.parts[0]);
        // No more than a few emails, and nobody sees that there are no more.
        for _ in 0..10 {
            identity.forgot(EMAIL).await?;
        }
        // Emails go out in order: behind that of another, none is left.
        let siti = identity.invited(&tenant, "siti@example.org", Locale::Id).await;
        identity.send(&identity.owner, &siti, LinkPurpose::Invitation).await?;
        let mut to_budi = 0;
        while sink.next().await.recipients == [EMAIL] {
            to_budi += 1;
        }
        assert!((1..=3).contains(&to_budi), "{to_budi}");
        identity.running.stop().await
    }

    async fn a_company_registers(kind: Kind) -> anyhow::Result<()> {
        let mut sink = Sink::start().await;
        let identity = Identity::start_with(kind, with_mail(&sink)).await;
        let options = answer(identity.sessions().options(Empty {}).await)?;
        assert!(options.registration && options.mail && options.oidc_name.is_none());
        let registered = identity.register(company()).await?;
        assert_eq!(identity.login(EMAIL, PASSWORD).await.unwrap_err().code, "login_failed", "not confirmed yet");
        let email = sink.next().await;
        // Whoever reads it may know nothing of who registered: nothing of what they said is repeated.
        let text = email.parts.concat();
        assert!(!text.contains("Maju") && !text.contains("Budi") && text.contains("Hello,"), "{text}");
        let open = identity.open_link(&email.token()).await?;
        assert_eq!((open.purpose(), open.name.as_str()), (LinkPurpose::EmailVerification, "Budi"));
        for (password, code) in [(None, "required"), (Some("PT Maju Jaya"), "too_personal")] {
            assert_eq!(identity.use_link_token(&email.token(), password).await.unwrap_err().fields["new_password"], code);
        }
        identity.use_link_token(&email.token(), Some(PASSWORD)).await?;
        let user = identity.login(EMAIL, PASSWORD).await?.user.unwrap();
        assert!(user.is_tenant_admin && !user.is_platform_owner && !user.is_subscription_user);
        assert_eq!(user.locale(), Locale::En);
        let tenant = answer(identity.tenants().get(identity.owner.sign(GetRequest { id: user.tenant_id.unwrap() })).await)?;
        assert_eq!((tenant.subscription_status(), tenant.tax_number.as_str()), (SubscriptionStatus::Inactive, "012345678901000"));
        assert_eq!((tenant.device_limit, tenant.user_limit, tenant.active), (5, 5, true));

        // Whoever registers the address again learns nothing; its owner is told.
        let again = RegistrationInput { company: "Somebody else".to_owned(), email: "BUDI@example.org".to_owned(), ..company() };
        assert_eq!(identity.register(again).await?, registered);
        let Mailed { recipients, parts, .. } = sink.next().await;
        assert_eq!(recipients, [EMAIL]);
        assert!(parts[0].contains("already has an account") && !parts[0].contains('#'), "{}", parts[0]);
        identity.login(EMAIL, PASSWORD).await?;
        identity.running.stop().await
    }

    async fn confirmation_email_can_be_sent_again(kind: Kind) -> anyhow::Result<()> {
        let mut sink = Sink::start().await;
        let identity = Identity::start_with(kind, with_mail(&sink)).await;
        // A stranger was first, with an address that is not theirs.
        identity.register(RegistrationInput { company: "Of a stranger".to_owned(), ..company() }).await?;
        let first = sink.next().await.token();
        identity.register(company()).await?;
        let second = sink.next().await.token();
        let open = identity.open_link(&second).await?;
        assert_eq!((open.purpose(), open.tenant_name.as_deref()), (LinkPurpose::EmailVerification, Some("PT Maju <b>Jaya</b>")));
        assert_eq!(identity.open_link(&first).await.unwrap_err().code, "link_invalid");
        identity.use_link_token(&second, Some("of the mailbox")).await?;
        identity.login(EMAIL, "of the mailbox").await?;
        identity.running.stop().await
    }

    /// Nothing is kept of somebody who may not even know of it.
    async fn unconfirmed_registrations_expire(kind: Kind) -> anyhow::Result<()> {
        let sink = Sink::start().await;
        let identity = Identity::start_with(kind, with_mail(&sink)).await;
        let tenant = identity.tenant("Acme").await;
        identity.invited(&tenant, "siti@example.org", Locale::Id).await;
        identity.register(company()).await?;
        identity.register(RegistrationInput { email: "late@example.org".to_owned(), ..company() }).await?;
        let gone = identity.of_address(EMAIL).await.remove(0).tenant_id.unwrap();
        let is_published = async || anyhow::Ok(identity.entry_of(&gone).await?.is_some());
        eventually_equal("others learn of the tenant", SOON, true, async || is_published().await).await;
        let db = identity.running.context.database("identity")?;
        let tx = db.write(&Scope::Platform).await?;
        let past = "UPDATE \"user\" SET registration_expires_at = registration_expires_at - 604800000 WHERE email LIKE 'budi%'";
        tx.execute_unprepared(past).await?;
        tx.commit().await?;
        armada_identity::expire_registrations(&db).await?;
        assert!(identity.of_address(EMAIL).await.is_empty());
        eventually_equal("others hear of it no more", SOON, false, async || is_published().await).await;
        let get = GetRequest { id: gone.clone() };
        assert_eq!(answer(identity.tenants().get(identity.owner.sign(get)).await).unwrap_err().class, Code::NotFound);
        // Neither one that has time left, nor an invitation.
        assert_eq!(identity.of_address("late@example.org").await.len(), 1);
        assert_eq!(identity.of_address("siti@example.org").await.len(), 1);
        identity.register(company()).await?;
        identity.running.stop().await
    }

    /// One that is confirmed stays, however long ago it was.
    async fn a_confirmed_registration_stays(kind: Kind) -> anyhow::Result<()> {
        let mut sink = Sink::start().await;
        let identity = Identity::start_with(kind, with_mail(&sink)).await;
        identity.register(company()).await?;
        identity.use_link_token(&sink.next().await.token(), Some(PASSWORD)).await?;
        let db = identity.running.context.database("identity")?;
        armada_identity::expire_registrations(&db).await?;
        identity.login(EMAIL, PASSWORD).await?;
        identity.running.stop().await
    }

    /// Where there are no terms to read, nobody has to agree to any.
    async fn terms_must_be_accepted_when_configured(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        identity.register(RegistrationInput { accepts_terms: false, ..company() }).await?;
        identity.running.stop().await
    }

    /// Without a mail server its platform owner hands over the link.
    async fn a_company_registers_where_no_mail_goes_out(kind: Kind) -> anyhow::Result<()> {
        let config = Config { terms_url: Some("https://fleet.example/terms".to_owned()), ..support::config() };
        let identity = Identity::start_with(kind, config).await;
        let options = answer(identity.sessions().options(Empty {}).await)?;
        assert!(options.registration && !options.mail);
        assert_eq!(options.terms_url.as_deref(), Some("https://fleet.example/terms"));
        let unseen = RegistrationInput { accepts_terms: false, ..company() };
        assert_eq!(identity.register(unseen).await.unwrap_err().fields["accepts_terms"], "required");
        identity.register(company()).await?;
        assert_eq!(identity.login(EMAIL, PASSWORD).await.unwrap_err().code, "login_failed");
        let request = ListUsersRequest { q: EMAIL.to_owned(), ..ListUsersRequest::default() };
        let found = answer(identity.users().list(identity.owner.sign(request)).await)?.items;
        let [user] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(user.status(), UserStatus::Invited);
        let sent = identity.send(&identity.owner, user, LinkPurpose::EmailVerification).await?;
        identity.use_link_token(&token_of(&sent), Some(PASSWORD)).await?;
        identity.login(EMAIL, PASSWORD).await?;
        identity.running.stop().await
    }

    async fn registration_can_be_closed(kind: Kind) -> anyhow::Result<()> {
        let sink = Sink::start().await;
        let config = Config { registration: false, ..with_mail(&sink) };
        let identity = Identity::start_with(kind, config).await;
        assert!(!answer(identity.sessions().options(Empty {}).await)?.registration);
        let closed = identity.register(company()).await.unwrap_err();
        assert_eq!((closed.class, closed.code.as_str()), (Code::Forbidden, "registration_closed"));
        identity.running.stop().await
    }

    async fn outgoing_emails_are_limited(kind: Kind) -> anyhow::Result<()> {
        let sink = Sink::start().await;
        let identity = Identity::start_with(kind, with_mail(&sink)).await;
        let client = Client::new(Some("203.0.113.7".parse()?), "");
        let mut refused = None;
        for number in 0..30 {
            let request = EmailRequest { email: format!("user{number}@example.org") };
            let asked = answer(identity.registration().forgot_password(client.request(request)).await);
            refused = refused.or(asked.err().map(|error| (number, error)));
        }
        let (number, error) = refused.unwrap();
        assert!(number >= 20 && error.code == "too_many_attempts" && error.retry_after.is_some(), "{number} {error}");
        identity.running.stop().await
    }
}
