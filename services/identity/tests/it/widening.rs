//! What somebody kept, or set, while another's rights were narrow does not work when they are wide; and passwords that
//! somebody else has set are changed before anything else.

use armada_proto::{
    access::permission as p,
    v1::{
        DeleteRequest, Effect, Empty, LinkPurpose, LinkToken, ListUsersRequest, RefreshRequest, Session, Tenant, User,
        UserInput,
    },
};
use armada_runtime::{Caller, Code, Error, Result};
use armada_testkit::{Signed, both_databases, eventually};

use crate::support::{Identity, PASSWORD, SOON, answer, new_user, token_of};

const EMAIL: &str = "budi@example.org";
const GIVEN: &str = "given by somebody";
const CHOSEN: &str = "chosen by nobody knows";

impl Identity {
    /// Somebody who may manage users, and nothing else.
    async fn manager(&self, tenant: &Tenant) -> Signed {
        let keys = [p::USER_LIST, p::USER_CREATE, p::USER_UPDATE, p::USER_INVITE, p::ROLE_LIST, p::ROLE_UPDATE];
        let role = self.role(tenant, "Manager", &keys.map(|key| (key, Effect::Allow))).await;
        self.person(tenant, "manager@example.org", &[&role]).await.1
    }

    async fn admin(&self, tenant: &Tenant) -> Signed {
        let admin = UserInput {
            is_tenant_admin: Some(true),
            tenant_id: Some(tenant.id.clone()),
            ..new_user("admin@example.org")
        };
        self.signed(&self.create_confirmed_user(admin).await).await
    }

    async fn create(&self, caller: &Caller, input: UserInput) -> Result<User> {
        answer(self.users().create(caller.sign(input)).await)
    }

    async fn update(&self, caller: &Caller, user: &User, input: UserInput) -> Result<User> {
        answer(self.users().update(caller.sign(UserInput { id: user.id.clone(), ..input })).await)
    }

    async fn promote(&self, caller: &Caller, user: &User) {
        let input = UserInput { is_tenant_admin: Some(true), ..UserInput::default() };
        self.update(caller, user, input).await.unwrap();
    }

    async fn is_active(&self, session: &Session) -> bool {
        let request = RefreshRequest { refresh_token: session.refresh_token.clone() };
        self.sessions().refresh(request).await.is_ok()
    }

    async fn link_holds(&self, token: &str) -> bool {
        self.registration().get_link(LinkToken { token: token.to_owned() }).await.is_ok()
    }

    /// Signs in with a password that somebody else has set, and changes it.
    async fn change_given(&self, given: &str, chosen: &str) -> Session {
        let session = self.login(EMAIL, given).await.unwrap();
        let caller = self.caller(&session).await;
        self.change_password(&caller, given, chosen).await.unwrap();
        session
    }
}

fn password(password: &str) -> UserInput {
    UserInput { password: Some(password.to_owned()), ..UserInput::default() }
}

both_databases! {
    async fn a_password_of_somebody_else_is_changed_first(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let admin = identity.admin(&tenant).await;
        let input = UserInput { is_tenant_admin: Some(true), password: Some(GIVEN.to_owned()), ..new_user(EMAIL) };
        identity.create(&admin, input).await?;
        let session = identity.login(EMAIL, GIVEN).await?;
        assert!(session.user.as_ref().unwrap().must_change_password);
        let caller = identity.caller(&session).await;
        let refused = answer(identity.users().list(caller.sign(ListUsersRequest::default())).await).unwrap_err();
        assert_eq!((refused.class, refused.code.as_str()), (Code::Forbidden, "password_change_required"));
        let profile = answer(identity.account_client().get_profile(caller.sign(Empty {})).await).unwrap_err();
        assert_eq!(profile.code, "password_change_required", "nothing but changing it works");
        assert!(!caller.can(p::USER_LIST));
        let same = identity.change_password(&caller, GIVEN, GIVEN).await.unwrap_err();
        assert_eq!(same.fields["new_password"], "same_password");
        identity.change_password(&caller, GIVEN, CHOSEN).await?;
        eventually("they may go on", SOON, async || {
            let caller = identity.caller(&session).await;
            Ok(answer(identity.users().list(caller.sign(ListUsersRequest::default())).await)?)
        })
        .await;
        let session = identity.login(EMAIL, CHOSEN).await?;
        assert!(!session.user.unwrap().must_change_password);
        identity.login(EMAIL, GIVEN).await.unwrap_err();
        identity.running.stop().await
    }

    async fn ones_own_password_is_changed_in_ones_account(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let admin = UserInput { is_tenant_admin: Some(true), tenant_id: Some(tenant.id), ..new_user(EMAIL) };
        let admin = identity.create_confirmed_user(admin).await;
        let caller = identity.signed(&admin).await;
        let refused = identity.update(&caller, &admin, password(CHOSEN)).await.unwrap_err();
        assert_eq!(refused, Error::field("password", "own_account"));
        identity.login(EMAIL, PASSWORD).await?;
        identity.running.stop().await
    }

    async fn old_link_is_void_after_rights_widen(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let (manager, admin) = (identity.manager(&tenant).await, identity.admin(&tenant).await);
        let input = UserInput { invite: true, password: None, ..new_user(EMAIL) };
        let user = identity.create(&manager, input).await?;
        let invitation = token_of(&identity.send(&manager, &user, LinkPurpose::Invitation).await?);
        let reset = token_of(&identity.send(&manager, &user, LinkPurpose::PasswordReset).await?);
        identity.promote(&admin, &user).await;
        for token in [&invitation, &reset] {
            assert!(!identity.link_holds(token).await);
            assert_eq!(identity.use_link_token(token, Some(CHOSEN)).await.unwrap_err().code, "link_invalid");
        }
        // Who may do as much sends another.
        let again = token_of(&identity.send(&admin, &user, LinkPurpose::Invitation).await?);
        identity.use_link_token(&again, Some(CHOSEN)).await?;
        assert!(identity.login(EMAIL, CHOSEN).await?.user.unwrap().is_tenant_admin);
        identity.running.stop().await
    }

    /// Whether it was changed since makes no difference: whoever has set it could have done that.
    async fn password_set_by_others_is_void_after_rights_widen(kind: Kind) -> anyhow::Result<()> {
        for changed in [false, true] {
            let identity = Identity::start(kind).await;
            let tenant = identity.tenant("Acme").await;
            let (manager, admin) = (identity.manager(&tenant).await, identity.admin(&tenant).await);
            let user = identity.create(&manager, UserInput { password: Some(GIVEN.to_owned()), ..new_user(EMAIL) }).await?;
            let session = match changed {
                true => identity.change_given(GIVEN, CHOSEN).await,
                false => identity.login(EMAIL, GIVEN).await?,
            };
            identity.promote(&admin, &user).await;
            assert!(!identity.is_active(&session).await);
            for password in [GIVEN, CHOSEN] {
                assert_eq!(identity.login(EMAIL, password).await.unwrap_err().code, "login_failed", "{changed}");
            }
            let link = identity.send(&admin, &user, LinkPurpose::PasswordReset).await?;
            identity.use_link_token(&token_of(&link), Some(PASSWORD)).await?;
            identity.login(EMAIL, PASSWORD).await?;
            identity.running.stop().await?;
        }
        Ok(())
    }

    /// The role is narrowed, its holder's password set, and the role repaired by somebody who does not know.
    async fn a_role_that_was_narrowed_for_a_while_gives_nothing_away(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let (manager, admin) = (identity.manager(&tenant).await, identity.admin(&tenant).await);
        let lead = identity.role(&tenant, "Lead", &[(p::DEVICE_LIST, Effect::Allow), (p::USER_LIST, Effect::Allow)]).await;
        let (user, _) = identity.person(&tenant, EMAIL, &[&lead]).await;
        let refused = identity.update(&manager, &user, password(GIVEN)).await.unwrap_err();
        assert_eq!(refused.code, "more_than_held");
        identity.set_permissions(&manager, &lead, &[(p::DEVICE_LIST, Effect::None)]).await?;
        identity.update(&manager, &user, password(GIVEN)).await?;
        let session = identity.change_given(GIVEN, CHOSEN).await;
        assert!(identity.is_active(&session).await);
        identity.set_permissions(&admin, &lead, &[(p::DEVICE_LIST, Effect::Allow)]).await?;
        assert!(!identity.is_active(&session).await);
        for password in [GIVEN, CHOSEN] {
            assert_eq!(identity.login(EMAIL, password).await.unwrap_err().code, "login_failed");
        }
        identity.running.stop().await
    }

    /// The same with the address in the place of the password.
    async fn an_address_that_was_changed_for_a_while_gives_nothing_away(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let (manager, admin) = (identity.manager(&tenant).await, identity.admin(&tenant).await);
        let lead = identity.role(&tenant, "Lead", &[(p::DEVICE_LIST, Effect::Allow)]).await;
        let (user, _) = identity.person(&tenant, "was@example.org", &[&lead]).await;
        identity.set_permissions(&manager, &lead, &[(p::DEVICE_LIST, Effect::None)]).await?;
        let address = UserInput { email: Some(EMAIL.to_owned()), ..UserInput::default() };
        identity.update(&manager, &user, address).await?;
        let session = identity.login(EMAIL, PASSWORD).await?;
        identity.set_permissions(&admin, &lead, &[(p::DEVICE_LIST, Effect::Allow)]).await?;
        assert!(!identity.is_active(&session).await);
        identity.login(EMAIL, PASSWORD).await.unwrap_err();
        // Who may do as much says whose it is, and lets them in again.
        let link = identity.send(&admin, &user, LinkPurpose::PasswordReset).await?;
        identity.use_link_token(&token_of(&link), Some(CHOSEN)).await?;
        identity.login(EMAIL, CHOSEN).await?;
        identity.running.stop().await
    }

    async fn whoever_may_do_as_much_may_know_the_password(kind: Kind) -> anyhow::Result<()> {
        let identity = Identity::start(kind).await;
        let tenant = identity.tenant("Acme").await;
        let admin = identity.admin(&tenant).await;
        let user = identity.create(&admin, UserInput { password: Some(GIVEN.to_owned()), ..new_user(EMAIL) }).await?;
        let looks = identity.role(&tenant, "Looks", &[(p::DEVICE_LIST, Effect::Allow)]).await;
        let session = identity.change_given(GIVEN, CHOSEN).await;
        answer(identity.set_roles(&admin, &user, &[&looks]).await)?;
        assert!(!identity.is_active(&session).await, "with other rights one signs in anew");
        let session = identity.login(EMAIL, CHOSEN).await?;
        // A role that says less of what one may do ends nothing.
        identity.set_permissions(&admin, &looks, &[(p::DEVICE_LIST, Effect::Deny)]).await?;
        assert!(identity.is_active(&session).await);
        let session = identity.login(EMAIL, CHOSEN).await?;
        // To be rid of what it denied widens.
        let gone = DeleteRequest { id: looks.id.clone(), row_version: None };
        answer(identity.roles().delete(admin.sign(gone)).await)?;
        assert!(!identity.is_active(&session).await);
        identity.login(EMAIL, CHOSEN).await?;
        identity.running.stop().await
    }
}
