//! What people do about their own account: sessions, password, profile, second factor.

use armada_identity::Config;
use armada_proto::{
    Timestamp,
    v1::{
        AccountSession, ChangePasswordRequest, ConfirmTotpRequest, Empty, EndSessionRequest, ListUsersRequest, Locale,
        LoginRequest, ProfileInput, ReauthenticationRequest, RefreshRequest, Session, TotpSetup,
        account_client::AccountClient,
    },
};
use armada_runtime::{Caller, Code, Error, Result, Scope, Transport, auth::Client};
use armada_testkit::{both_databases, eventually};
use sea_orm::ConnectionTrait;
use totp_rs::{Builder, Secret, Totp};

use crate::support::{self, Identity, PASSWORD, SOON, answer};

const EMAIL: &str = "budi@example.org";

struct Account<'a> {
    identity: &'a Identity,
    caller: Caller,
}

impl Identity {
    async fn log_in(&self, code: Option<&str>) -> Result<Session> {
        self.log_in_with(PASSWORD, code, "a test").await
    }

    async fn log_in_with(&self, password: &str, code: Option<&str>, agent: &str) -> Result<Session> {
        let code = code.map(str::to_owned);
        let request = LoginRequest { email: EMAIL.to_owned(), password: password.to_owned(), code };
        let client = Client::new(Some("203.0.113.7".parse().unwrap()), agent);
        answer(self.sessions().login(client.request(request)).await)
    }

    async fn account(&self, session: &Session) -> Account<'_> {
        Account { identity: self, caller: self.caller(session).await }
    }
}

impl Account<'_> {
    fn client(&self) -> AccountClient<Transport> {
        AccountClient::new(self.identity.running.context.peers.transport("identity").unwrap())
    }

    async fn sessions(&self) -> Result<Vec<AccountSession>> {
        Ok(answer(self.client().list_sessions(self.caller.sign(Empty {})).await)?.items)
    }

    async fn end(&self, id: &str) -> Result<Empty> {
        let request = EndSessionRequest { id: id.to_owned() };
        answer(self.client().end_session(self.caller.sign(request)).await)
    }

    async fn change_password(&self, current: &str, new: &str) -> Result<Empty> {
        let request = ChangePasswordRequest { current_password: current.to_owned(), new_password: new.to_owned() };
        answer(self.client().change_password(self.caller.sign(request)).await)
    }

    async fn set_up(&self, password: &str) -> Result<TotpSetup> {
        self.replace(password, None).await
    }

    async fn replace(&self, password: &str, code: Option<&str>) -> Result<TotpSetup> {
        answer(self.client().set_up_totp(self.caller.sign(proof(password, code))).await)
    }

    async fn reauthenticate(&self, password: &str, code: Option<&str>) -> Result<Empty> {
        answer(self.client().reauthenticate(self.caller.sign(proof(password, code))).await)
    }

    /// Makes the proof of the session older than it may be.
    async fn age(&self) -> anyhow::Result<()> {
        let db = self.identity.running.context.database("identity")?;
        let tx = db.write(&Scope::Platform).await?;
        tx.execute_unprepared("UPDATE session SET authenticated_at = authenticated_at - 300001").await?;
        Ok(tx.commit().await?)
    }

    async fn confirm(&self, code: &str) -> Result<Vec<String>> {
        let request = ConfirmTotpRequest { code: code.to_owned() };
        Ok(answer(self.client().confirm_totp(self.caller.sign(request)).await)?.codes)
    }

    async fn profile(&self) -> Result<armada_proto::v1::Profile> {
        answer(self.client().get_profile(self.caller.sign(Empty {})).await)
    }
}

fn proof(password: &str, code: Option<&str>) -> ReauthenticationRequest {
    ReauthenticationRequest { password: password.to_owned(), code: code.map(str::to_owned) }
}

/// The authenticator of somebody who typed the secret.
fn authenticator(setup: &TotpSetup) -> Totp {
    let secret = Secret::try_from_base32(&setup.secret).unwrap();
    Builder::new().with_secret(secret).with_account_name("x").build().unwrap()
}

fn code(totp: &Totp, steps_from_now: i64) -> String {
    let now = Timestamp::now().millis() / 1000 + 30 * steps_from_now;
    totp.generate(u64::try_from(now).unwrap()).to_string()
}

both_databases! {
    async fn sessions_are_seen_and_ended(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, EMAIL).await;
        let stranger = identity.user(&tenant, "siti@example.org").await;
        let one = identity.log_in_with(PASSWORD, None, "Firefox").await?;
        let two = identity.log_in_with(PASSWORD, None, "a phone").await?;
        let three = identity.log_in_with(PASSWORD, None, "a tablet").await?;
        let account = identity.account(&one).await;

        let sessions = account.sessions().await?;
        assert_eq!(sessions.len(), 3);
        let current: Vec<_> = sessions.iter().filter(|session| session.is_current).collect();
        assert_eq!((current.len(), current[0].user_agent.as_str()), (1, "Firefox"));
        assert!(sessions.iter().all(|session| session.address == "203.0.113.7" && session.last_used_at.is_some()));

        // Used from elsewhere.
        let client = Client::new(Some("198.51.100.1".parse()?), "a phone 2");
        let request = RefreshRequest { refresh_token: two.refresh_token.clone() };
        let two = answer(identity.sessions().refresh(client.request(request)).await)?;
        let sessions = account.sessions().await?;
        let phone = sessions.iter().find(|session| session.user_agent == "a phone 2").unwrap();
        assert_eq!(phone.address, "198.51.100.1");

        // Another's session, one that is none, and one that has ended are all the same.
        let other = answer(identity.users().get(identity.owner.sign(armada_proto::v1::GetRequest { id: stranger.id })).await)?;
        let foreign = identity.login(&other.email, PASSWORD).await?;
        let foreign = identity.account(&foreign).await.caller.user()?.sid.unwrap().to_string();
        for id in [foreign.as_str(), "x", "0190a0a0-0000-7000-8000-000000000000"] {
            assert_eq!(account.end(id).await.unwrap_err(), Error::not_found(), "{id}");
        }
        account.end(&phone.id).await?;
        assert_eq!(account.end(&phone.id).await.unwrap_err(), Error::not_found());
        let refresh = |session: &Session| RefreshRequest { refresh_token: session.refresh_token.clone() };
        answer(identity.sessions().refresh(refresh(&two)).await).unwrap_err();
        answer(account.client().end_other_sessions(account.caller.sign(Empty {})).await)?;
        answer(identity.sessions().refresh(refresh(&three)).await).unwrap_err();
        answer(identity.sessions().refresh(refresh(&one)).await)?;
        assert_eq!(account.sessions().await?.len(), 1);
        identity.running.stop().await
    }

    async fn a_new_password_ends_the_other_sessions(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, EMAIL).await;
        let (one, two) = (identity.log_in(None).await?, identity.log_in(None).await?);
        let account = identity.account(&one).await;
        for (current, new, field, code) in [
            ("wrong password", "another password", "current_password", "wrong_password"),
            ("", "another password", "current_password", "required"),
            (PASSWORD, "short", "new_password", "too_short"),
            (PASSWORD, "Password123", "new_password", "too_common"),
            (PASSWORD, "Budi-example1", "new_password", "too_personal"),
            (PASSWORD, PASSWORD, "new_password", "same_password"),
        ] {
            let error = account.change_password(current, new).await.unwrap_err();
            assert_eq!((error.class, error.fields[field].as_str()), (Code::Invalid, code), "{new}");
        }
        account.change_password(PASSWORD, "another password").await?;
        assert_eq!(account.sessions().await?.len(), 1);
        let request = RefreshRequest { refresh_token: two.refresh_token };
        answer(identity.sessions().refresh(request).await).unwrap_err();
        assert_eq!(identity.log_in(None).await.unwrap_err().code, "login_failed");
        identity.log_in_with("another password", None, "a test").await?;
        identity.running.stop().await
    }

    async fn guessing_on_a_foreign_screen_is_slow_too(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, EMAIL).await;
        let account = identity.account(&identity.log_in(None).await?).await;
        let mut rejected = 0;
        while account.change_password(&format!("wrong {rejected}"), "another password").await.unwrap_err().code == "invalid" {
            rejected += 1;
        }
        assert!((5..20).contains(&rejected), "{rejected}");
        identity.running.stop().await
    }

    async fn people_change_their_profile(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, EMAIL).await;
        let session = identity.log_in(None).await?;
        let account = identity.account(&session).await;
        let input = ProfileInput {
            name: Some(" Budi S ".to_owned()),
            phone: Some("+62 812".to_owned()),
            locale: Some(Locale::Jv.into()),
        };
        let profile = answer(account.client().update_profile(account.caller.sign(input)).await)?;
        assert_eq!((profile.name.as_str(), profile.locale(), profile.email.as_str()), ("Budi S", Locale::Jv, EMAIL));
        assert_eq!(account.profile().await?, profile);
        let me = answer(identity.sessions().me(account.caller.sign(Empty {})).await)?;
        assert_eq!((me.name.as_str(), me.locale()), ("Budi S", Locale::Jv));
        for (input, field, code) in [
            (ProfileInput { name: Some(" ".to_owned()), ..ProfileInput::default() }, "name", "required"),
            (ProfileInput { name: Some("a\u{202e}b".to_owned()), ..ProfileInput::default() }, "name", "invalid_characters"),
            (ProfileInput { phone: Some("1".repeat(10_000)), ..ProfileInput::default() }, "phone", "too_long"),
            (ProfileInput { locale: Some(99), ..ProfileInput::default() }, "locale", "invalid"),
        ] {
            let error = answer(account.client().update_profile(account.caller.sign(input)).await).unwrap_err();
            assert_eq!(error.fields[field], code);
        }
        identity.running.stop().await
    }

    async fn a_second_factor_is_asked_for_and_each_code_holds_once(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, EMAIL).await;
        let account = identity.account(&identity.log_in(None).await?).await;

        assert_eq!(account.set_up("wrong password").await.unwrap_err().fields["password"], "wrong_password");
        assert_eq!(account.confirm("123456").await.unwrap_err().fields["code"], "totp_wrong");
        let setup = account.set_up(PASSWORD).await?;
        assert!(setup.uri.starts_with("otpauth://totp/") && setup.uri.contains(&setup.secret), "{}", setup.uri);
        assert!(setup.qr_svg.contains("<svg") && !setup.qr_svg.contains("<style"));
        let totp = authenticator(&setup);
        // Until the first code came, nothing is asked for.
        identity.log_in(None).await?;
        let codes = account.confirm(&code(&totp, 0)).await?;
        assert_eq!(codes.len(), 10);
        let profile = account.profile().await?;
        assert_eq!((profile.has_totp, profile.recovery_codes_left), (true, 10));

        let required = identity.log_in(None).await.unwrap_err();
        assert_eq!((required.class, required.code.as_str()), (Code::Unauthenticated, "totp_required"));
        assert_eq!(identity.log_in(Some(&code(&totp, 20))).await.unwrap_err().code, "totp_wrong");
        let wrong_password = identity.log_in_with("wrong password", Some(&code(&totp, 1)), "a test").await.unwrap_err();
        assert_eq!(wrong_password.code, "login_failed", "whoever lacks the password does not learn of the factor");
        let next = code(&totp, 1);
        identity.log_in(Some(&format!("{} {}", &next[..3], &next[3..]))).await?;
        assert_eq!(identity.log_in(Some(&next)).await.unwrap_err().code, "totp_wrong", "it was used");
        identity.log_in(Some(&codes[3].to_uppercase().replace('-', ""))).await?;
        assert_eq!(identity.log_in(Some(&codes[3])).await.unwrap_err().code, "totp_wrong", "it was used");
        assert_eq!(account.profile().await?.recovery_codes_left, 9);

        let renew = async |code: Option<&str>| {
            answer(account.client().renew_recovery_codes(account.caller.sign(proof(PASSWORD, code))).await)
        };
        let renewed = renew(Some(&codes[4])).await?.codes;
        assert_eq!(identity.log_in(Some(&codes[5])).await.unwrap_err().code, "totp_wrong");
        identity.log_in(Some(&renewed[0])).await?;
        let remove = account.caller.sign(proof(PASSWORD, Some(&renewed[1])));
        answer(account.client().remove_totp(remove).await)?;
        identity.log_in(None).await?;
        assert_eq!(account.profile().await?.recovery_codes_left, 0);
        identity.running.stop().await
    }

    /// Whoever knows the password, and has an open session, still needs the authenticator to be rid of it.
    async fn a_second_factor_is_changed_with_a_code_of_it(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, EMAIL).await;
        let other = identity.log_in(None).await?;
        let account = identity.account(&identity.log_in(None).await?).await;
        assert_eq!(account.set_up("").await.unwrap_err().fields["password"], "required");
        let setup = account.set_up(PASSWORD).await?;
        let totp = authenticator(&setup);
        let codes = account.confirm(&code(&totp, 0)).await?;
        let refresh = RefreshRequest { refresh_token: other.refresh_token };
        answer(identity.sessions().refresh(refresh).await).unwrap_err();
        let (mut client, sign) = (account.client(), |code: Option<&str>| account.caller.sign(proof(PASSWORD, code)));
        for (code, wrong) in [(None, "required"), (Some(" "), "required"), (Some("000000x"), "totp_wrong")] {
            let set_up = answer(client.set_up_totp(sign(code)).await).unwrap_err();
            let renewed = answer(client.renew_recovery_codes(sign(code)).await).unwrap_err();
            let removed = answer(client.remove_totp(sign(code)).await).unwrap_err();
            for error in [set_up, renewed, removed] {
                assert_eq!(error.fields["code"], wrong, "{code:?}");
            }
        }
        assert!(account.profile().await?.has_totp);
        // A code without the password is not enough either.
        let guess = account.replace("wrong password", Some(&codes[0])).await.unwrap_err();
        assert_eq!(guess.fields["password"], "wrong_password");
        let next = authenticator(&account.replace(PASSWORD, Some(&codes[0])).await?);
        account.confirm(&code(&next, 0)).await?;
        assert_eq!(identity.log_in(Some(&code(&totp, 1))).await.unwrap_err().code, "totp_wrong", "it was replaced");
        identity.log_in(Some(&code(&next, 1))).await?;
        identity.running.stop().await
    }

    /// Whoever finds an open screen cannot shut its user out elsewhere.
    async fn sessions_are_ended_with_a_fresh_proof(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, EMAIL).await;
        let other = identity.log_in(None).await?;
        let account = identity.account(&identity.log_in(None).await?).await;
        account.age().await?;
        let id = account.sessions().await?.into_iter().find(|session| !session.is_current).unwrap().id;
        let stale = account.end(&id).await.unwrap_err();
        assert_eq!((stale.class, stale.code.as_str()), (Code::Forbidden, "reauthentication_required"));
        let all = answer(account.client().end_other_sessions(account.caller.sign(Empty {})).await).unwrap_err();
        assert_eq!(all, stale);
        let wrong = account.reauthenticate("wrong password", None).await.unwrap_err();
        assert_eq!(wrong.fields["password"], "wrong_password");
        assert_eq!(account.end(&id).await.unwrap_err(), stale);
        let other = identity.account(&other).await;
        account.reauthenticate(PASSWORD, None).await?;
        assert_eq!(other.end(&id).await.unwrap_err(), stale, "it counts for that session alone");
        account.end(&id).await?;

        let codes = {
            let setup = account.set_up(PASSWORD).await?;
            account.confirm(&code(&authenticator(&setup), 0)).await?
        };
        account.age().await?;
        assert_eq!(account.reauthenticate(PASSWORD, None).await.unwrap_err().fields["code"], "required");
        account.reauthenticate(PASSWORD, Some(&codes[0])).await?;
        answer(account.client().end_other_sessions(account.caller.sign(Empty {})).await)?;
        identity.running.stop().await
    }

    async fn unused_sessions_end(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, EMAIL).await;
        let session = identity.log_in(None).await?;
        let unused = identity.account(&session).await;
        let db = identity.running.context.database("identity")?;
        let tx = db.write(&Scope::Platform).await?;
        // Seven days, which is the default.
        tx.execute_unprepared("UPDATE session SET last_used_at = last_used_at - 604800000").await?;
        tx.commit().await?;
        let me = answer(identity.sessions().me(unused.caller.sign(Empty {})).await);
        assert_eq!(me.unwrap_err(), Error::unauthenticated());
        let present = identity.account(&identity.log_in(None).await?).await;
        assert_eq!(present.sessions().await?.len(), 1);
        let refresh = RefreshRequest { refresh_token: session.refresh_token };
        assert_eq!(answer(identity.sessions().refresh(refresh).await).unwrap_err(), Error::unauthenticated());
        identity.running.stop().await
    }

    async fn codes_are_guessed_slowly_from_everywhere(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, EMAIL).await;
        let account = identity.account(&identity.log_in(None).await?).await;
        let setup = account.set_up(PASSWORD).await?;
        let totp = authenticator(&setup);
        let codes = account.confirm(&code(&totp, 0)).await?;
        let mut answers = Vec::new();
        while answers.last().is_none_or(|code| code == "totp_wrong") {
            let request = LoginRequest {
                email: EMAIL.to_owned(),
                password: PASSWORD.to_owned(),
                code: Some("AAAA-AAAA-AAAA-AAAA".to_owned()),
            };
            let client = Client::new(Some(format!("198.51.100.{}", answers.len()).parse()?), "");
            answers.push(answer(identity.sessions().login(client.request(request)).await).unwrap_err().code);
        }
        assert!((6..20).contains(&answers.len()), "{answers:?}");
        assert_eq!(answers.last().unwrap(), "too_many_attempts");
        // After the wait, the right one is taken.
        eventually("the wait is over", SOON, async || Ok(identity.log_in(Some(&codes[0])).await?)).await;
        identity.running.stop().await
    }

    async fn admins_are_told_to_set_up_a_second_factor(kind: Kind) -> anyhow::Result<()> {
        let config = Config { require_totp_for_admins: true, ..support::config() };
        let identity = Identity::start_with(kind, config).await;
        let tenant = identity.tenant("Acme").await;
        identity.user(&tenant, EMAIL).await;
        assert!(!identity.log_in(None).await?.user.unwrap().must_set_up_totp);
        identity.first_owner().await;
        let session = identity.login("admin@armada.local", PASSWORD).await?;
        assert!(session.user.as_ref().unwrap().must_set_up_totp);
        let account = identity.account(&session).await;
        let list = || account.caller.sign(ListUsersRequest::default());
        let refused = answer(identity.users().list(list()).await).unwrap_err();
        assert_eq!((refused.class, refused.code.as_str()), (Code::Forbidden, "totp_setup_required"));
        let setup = account.set_up(PASSWORD).await?;
        account.confirm(&code(&authenticator(&setup), 0)).await?;
        eventually("they may go on", SOON, async || Ok(answer(identity.users().list(list()).await)?)).await;
        let me = answer(identity.sessions().me(account.caller.sign(Empty {})).await)?;
        assert!(!me.must_set_up_totp);
        identity.running.stop().await
    }
}
