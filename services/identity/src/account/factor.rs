//! The second factor of the caller.

use armada_proto::v1::{RecoveryCodes, TotpSetup};
use armada_runtime::{Caller, Error, Result, audit};
use sea_orm::ColumnTrait;

use super::{Account, locked, of_own};
use crate::{entity::user::Column, mail::Kind, policy, throttle, totp};

impl Account {
    pub(super) async fn begin_totp(&self, caller: &Caller, password: String) -> Result<TotpSetup> {
        let user = self.proved(caller, "password", password).await?;
        let tx = self.db.write(&caller.scope()).await?;
        let setup = totp::begin(&tx, &self.seal, &user).await?;
        tx.commit().await?;
        Ok(setup)
    }

    pub(super) async fn confirm(&self, caller: &Caller, code: &str) -> Result<RecoveryCodes> {
        let attempt = self.throttle.admit(throttle::code(caller.user()?.user_id)).await?;
        let tx = self.db.write(&caller.scope()).await?;
        let user = locked(&tx, caller).await?;
        let codes = totp::confirm(&tx, &self.seal, &user, code).await?;
        let codes = codes.ok_or_else(|| Error::field("code", "totp_wrong"))?;
        audit::record(&tx, caller, of_own("account:totp_setup", &user)).await?;
        policy::changed(&tx, Column::Id.eq(user.id)).await?;
        tx.commit().await?;
        self.bell.ring().await;
        attempt.succeeded().await?;
        Ok(RecoveryCodes { codes })
    }

    pub(super) async fn remove(&self, caller: &Caller, password: String) -> Result<()> {
        self.proved(caller, "password", password).await?;
        let tx = self.db.write(&caller.scope()).await?;
        let user = locked(&tx, caller).await?;
        totp::remove(&tx, user.id).await?;
        if user.has_totp {
            self.mail.notify(&tx, Kind::TotpRemoved, &user).await?;
            audit::record(&tx, caller, of_own("account:totp_remove", &user)).await?;
            policy::changed(&tx, Column::Id.eq(user.id)).await?;
        }
        tx.commit().await?;
        self.mail.ring();
        self.bell.ring().await;
        Ok(())
    }

    pub(super) async fn renew(&self, caller: &Caller, password: String) -> Result<RecoveryCodes> {
        self.proved(caller, "password", password).await?;
        let tx = self.db.write(&caller.scope()).await?;
        let user = locked(&tx, caller).await?;
        if !user.has_totp {
            return Err(Error::field("password", "no_totp"));
        }
        let codes = totp::renew_codes(&tx, &user).await?;
        audit::record(&tx, caller, of_own("account:recovery_codes", &user)).await?;
        tx.commit().await?;
        Ok(RecoveryCodes { codes })
    }
}
