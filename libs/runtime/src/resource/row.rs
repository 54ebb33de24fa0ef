//! A row of a resource's table, and how it and the messages come from each other.

use armada_proto::{TenantId, Timestamp};
use sea_orm::{EntityTrait, FromQueryResult, IntoActiveModel, ModelTrait};
use uuid::Uuid;

/// What every row of a resource has. [`row!`](crate::row) implements it.
pub trait Row:
    ModelTrait
    + FromQueryResult
    + IntoActiveModel<<<Self as ModelTrait>::Entity as EntityTrait>::ActiveModel>
    + Clone
    + Send
    + Sync
    + 'static
{
    /// How it is made and changed.
    type Input;

    /// Its id.
    fn id(&self) -> Uuid;

    /// Whose it is; none for the platform's.
    fn tenant(&self) -> Option<TenantId>;

    /// How often it was written.
    fn row_version(&self) -> i32;

    /// Makes it the next version, as of now.
    fn touch(&mut self, now: Timestamp);

    /// Takes over what is present of an input that was checked.
    fn apply(&mut self, input: Self::Input);
}

/// How a row, its message and its input come from each other, field by field: `made` are fields of the message that the
/// server alone sets, besides `row_version`, `given` are those that the input has as well. Fields of the message that neither names are filled
/// in by [`Resource::present`](crate::resource::Resource::present).
///
/// The row gets [`Row`](crate::resource::Row) and `From<Model>` for the message; `tenant` is an expression of the row.
/// [`convert`](crate::resource::convert) says which types of columns and fields go together. With `new`, it gets
/// `new(tenant_id)` too: a row as it begins, with these values, and all others empty.
///
/// ```ignore
/// row! {
///     Model as v1::Driver, v1::DriverInput, tenant: |row| Some(row.tenant_id);
///     made: id, tenant_id, created_at, updated_at;
///     given: name, phone, status;
///     new: status = DriverStatus::Available;
/// }
/// ```
#[macro_export]
macro_rules! row {
    (
        $model:ty as $message:ty, $input:ty, tenant: |$row:ident| $tenant:expr;
        made: $($made:ident),* $(,)?;
        given: $($given:ident),* $(,)?;
        $(new: $($begins:ident = $value:expr),* $(,)?;)?
    ) => {
        impl $crate::resource::Row for $model {
            type Input = $input;

            fn id(&self) -> sea_orm::prelude::Uuid {
                self.id.into()
            }

            fn tenant(&self) -> Option<armada_proto::TenantId> {
                let $row = self;
                $tenant
            }

            fn row_version(&self) -> i32 {
                self.row_version
            }

            fn touch(&mut self, now: armada_proto::Timestamp) {
                self.row_version += 1;
                self.updated_at = now.millis();
            }

            fn apply(&mut self, input: $input) {
                $($crate::resource::convert::TakeOver::take_over(&mut self.$given, input.$given);)*
            }
        }

        impl From<$model> for $message {
            #[allow(clippy::needless_update, reason = "some messages have more fields than the row")]
            fn from(row: $model) -> Self {
                Self {
                    row_version: row.row_version,
                    $($made: $crate::resource::convert::IntoField::into_field(row.$made),)*
                    $($given: $crate::resource::convert::IntoField::into_field(row.$given),)*
                    ..Self::default()
                }
            }
        }

        $(impl $model {
            /// A row of a tenant as it begins.
            pub fn new(tenant_id: armada_proto::TenantId) -> Self {
                let now = armada_proto::Timestamp::now().millis();
                Self {
                    id: sea_orm::prelude::Uuid::now_v7().into(),
                    tenant_id,
                    row_version: 1,
                    created_at: now,
                    updated_at: now,
                    $($begins: $value,)*
                    ..Self::default()
                }
            }
        })?
    };
}

/// Keeps columns in step with those that they are made of, whoever writes a row: `folded` columns are what
/// [`text::sort_key`](crate::text::sort_key) makes of others, to sort by and to find names; `search` is what a search looks
/// in, all of its columns as [`text::search_key`](crate::text::search_key) makes them.
///
/// ```ignore
/// folded_columns!(ActiveModel; folded: name => name_folded; search: name, phone);
/// ```
#[macro_export]
macro_rules! folded_columns {
    ($active:ty; folded: $($from:ident => $to:ident),*; search: $($searched:ident),+) => {
        #[sea_orm::prelude::async_trait::async_trait]
        impl sea_orm::ActiveModelBehavior for $active {
            /// The values of a new row may be `Unchanged`.
            async fn before_save<C: sea_orm::ConnectionTrait>(mut self, _: &C, _: bool) -> Result<Self, sea_orm::DbErr> {
                $(if let Some(from) = self.$from.try_as_ref() {
                    self.$to = sea_orm::ActiveValue::Set($crate::text::sort_key(from));
                })*
                if let ($(Some($searched),)+) = ($(self.$searched.try_as_ref(),)+) {
                    let searched = [$($searched.as_str()),+].join("\n");
                    self.search = sea_orm::ActiveValue::Set($crate::text::search_key(&searched));
                }
                Ok(self)
            }
        }
    };
}
