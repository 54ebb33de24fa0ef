//! How many users there are, of which kind.

use armada_proto::v1::{ListUsersRequest, UserStatus, UserSummary};
use armada_runtime::{Caller, Result, resource};
use sea_orm::ColumnTrait;

use super::Users;
use crate::{
    counting::{self, sum_if},
    entity::user::{self, Column},
};

impl Users {
    pub(super) async fn summary(&self, caller: &Caller, request: ListUsersRequest) -> Result<UserSummary> {
        let (scope, rows) = resource::matching(self, caller, request).await?;
        let tx = self.db.read(&scope).await?;
        let sums = [
            sum_if(user::of_status(UserStatus::Active)),
            sum_if(user::of_status(UserStatus::Inactive)),
            sum_if(user::of_status(UserStatus::Invited)),
            sum_if(Column::IsTenantAdmin.eq(true)),
            sum_if(Column::IsSubscriptionActive.eq(true)),
            sum_if(Column::HasTotp.eq(true)),
            sum_if(Column::LastLogin.is_null()),
        ];
        let (total, [active, inactive, invited, tenant_admins, subscription_active, with_totp, never_signed_in]) =
            counting::fetch(&tx, rows, sums).await?;
        Ok(UserSummary {
            total,
            active,
            inactive,
            invited,
            tenant_admins,
            subscription_active,
            with_totp,
            never_signed_in,
        })
    }
}
