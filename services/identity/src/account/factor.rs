//! The second factor of the caller. Whoever changes it proves once more who they are, with a code of the present one, and
//! their other sessions end.

use armada_proto::v1::{ReauthenticationRequest, RecoveryCodes, TotpSetup};
use armada_runtime::{Caller, Error, Result, audit};
use sea_orm::ColumnTrait;

use super::{Account, locked, of_own, profile::other_sessions};
use crate::{ended, entity::user::Column, mail::Kind, policy, throttle, totp};

impl Account {
    pub(super) async fn set_up_totp(&self, caller: &Caller, request: ReauthenticationRequest) -> Result<TotpSetup> {
        let user = self.reauthenticated(caller, request).await?;
        let tx = self.db.write(&caller.scope()).await?;
        let setup = totp::begin(&tx, &self.seal, &user).await?;
        tx.commit().await?;
        Ok(setup)
    }

    pub(super) async fn confirm_totp(&self, caller: &Caller, code: &str) -> Result<RecoveryCodes> {
        let attempt = self.throttle.admit(throttle::code(caller.user()?.user_id)).await?;
        let tx = self.db.write(&caller.scope()).await?;
        let user = locked(&tx, caller).await?;
        let codes = totp::confirm(&tx, &self.seal, &user, code).await?;
        let codes = codes.ok_or_else(|| Error::field("code", "totp_wrong"))?;
        audit::record(&tx, caller, of_own("account:totp_setup", &user)).await?;
        policy::changed(&tx, Column::Id.eq(user.id)).await?;
        let ended = ended::end(&tx, other_sessions(caller)?).await?;
        tx.commit().await?;
        self.outbox.flush().await;
        self.ended.announce(ended).await;
        attempt.succeeded().await?;
        Ok(RecoveryCodes { codes })
    }

    pub(super) async fn remove_totp(&self, caller: &Caller, request: ReauthenticationRequest) -> Result<()> {
        self.reauthenticated(caller, request).await?;
        let tx = self.db.write(&caller.scope()).await?;
        let user = locked(&tx, caller).await?;
        totp::remove(&tx, user.id).await?;
        if user.has_totp {
            self.mail.notify(&tx, Kind::TotpRemoved, &user).await?;
            audit::record(&tx, caller, of_own("account:totp_remove", &user)).await?;
            policy::changed(&tx, Column::Id.eq(user.id)).await?;
        }
        let ended = ended::end(&tx, other_sessions(caller)?).await?;
        tx.commit().await?;
        self.mail.wake_relay();
        self.outbox.flush().await;
        self.ended.announce(ended).await;
        Ok(())
    }

    pub(super) async fn renew_recovery_codes(
        &self,
        caller: &Caller,
        request: ReauthenticationRequest,
    ) -> Result<RecoveryCodes> {
        self.reauthenticated(caller, request).await?;
        let tx = self.db.write(&caller.scope()).await?;
        let user = locked(&tx, caller).await?;
        if !user.has_totp {
            return Err(Error::field("code", "no_totp"));
        }
        let codes = totp::renew_codes(&tx, &user).await?;
        audit::record(&tx, caller, of_own("account:recovery_codes", &user)).await?;
        tx.commit().await?;
        Ok(RecoveryCodes { codes })
    }
}
