use armada_proto::{GatewayId, TenantId, Timestamp, v1};
use armada_runtime::{Scope, folded_columns, row};
use sea_orm::entity::prelude::*;

/// What publishes positions, a user of NATS.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "gateway")]
pub struct Model {
    /// Its id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: GatewayId,
    /// None for one of the platform, which speaks for everybody's devices.
    pub tenant_id: Option<TenantId>,
    /// Its name, which is that of its user of NATS.
    pub name: String,
    /// The name as [`armada_runtime::text::sort_key`] makes it: unique, and what it is sorted by.
    pub name_folded: String,
    /// Whether it may connect.
    pub enabled: bool,
    /// Addresses and networks, a line each; empty for any.
    pub allowed_addresses: String,
    /// What people wrote down of it.
    pub notes: String,
    /// That of whoever gives no name. It has no secret.
    pub is_anonymous: bool,
    /// SHA-256 of the secret, as hexadecimal digits; empty for none.
    pub secret_hash: String,
    /// When the secret was made.
    pub secret_created_at: Option<i64>,
    /// When somebody last connected with it, about.
    pub secret_used_at: Option<i64>,
    /// Of the secret before, while it is valid.
    pub previous_secret_hash: String,
    /// When somebody last connected with that, about.
    pub previous_secret_used_at: Option<i64>,
    /// When it last published something.
    pub last_heard_at: Option<i64>,
    /// The minute since 1970 of which `minute_fixes` are.
    pub minute: i64,
    /// Positions of that minute.
    pub minute_fixes: i64,
    /// Those of the minute before it.
    pub last_minute_fixes: i64,
    /// What a search looks in, folded.
    pub search: String,
    /// Counts its changes from 1.
    pub row_version: i32,
    /// When it was made.
    pub created_at: i64,
    /// When it was changed last.
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

folded_columns!(ActiveModel; folded: name => name_folded; search: name, notes);

row! {
    Model as v1::Gateway, v1::GatewayInput, tenant: |row| row.tenant_id;
    made: id, tenant_id, is_anonymous, last_heard_at, secret_created_at, secret_used_at, previous_secret_used_at,
        created_at, updated_at;
    given: name, enabled, allowed_addresses, notes;
}

impl Entity {
    /// The gateways of a scope: how every query of this table begins.
    pub fn within(scope: Scope) -> Select<Self> {
        scope.tenant().map_or(Self::find(), |tenant| Self::find().filter(Column::TenantId.eq(tenant)))
    }
}

impl Model {
    /// A gateway as it begins, nameless and without a secret.
    pub fn new(tenant_id: Option<TenantId>) -> Self {
        let now = Timestamp::now().millis();
        let id = GatewayId::new();
        Self { id, tenant_id, enabled: true, row_version: 1, created_at: now, updated_at: now, ..Self::default() }
    }

    /// Those of a minute, and of the one before it.
    pub fn fixes_at(&self, minute: i64) -> (i64, i64) {
        match minute - self.minute {
            0 => (self.minute_fixes, self.last_minute_fixes),
            1 => (0, self.minute_fixes),
            _ => (0, 0),
        }
    }

    /// Positions a second over the last minute, at `now` in milliseconds since 1970: what came in this minute, and of the
    /// minute before as much as the sixty seconds reach back into it.
    pub fn fixes_per_second(&self, now: i64) -> f64 {
        let (minute, into) = (now.div_euclid(60_000), now.rem_euclid(60_000) as f64 / 60_000.0);
        let (this, before) = self.fixes_at(minute);
        (this as f64 + before as f64 * (1.0 - into)) / 60.0
    }
}
