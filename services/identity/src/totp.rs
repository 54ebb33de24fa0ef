//! Second factors: codes of an authenticator (RFC 6238), each of which holds once, and recovery codes for the day on
//! which the authenticator is lost.

use armada_proto::{Timestamp, UserId, v1::TotpSetup};
use armada_runtime::{Error, Result, Seal, random::random};
use qrcode::{QrCode, render::svg};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, EntityTrait, PaginatorTrait, QueryFilter,
    sea_query::{Expr, OnConflict},
};
use sha2::{Digest, Sha256};
use totp_rs::{Builder, Secret, Totp};
use uuid::Uuid;

use crate::entity::{
    recovery_code,
    second_factor::{ActiveModel, Column, Entity},
    user,
};

/// As the authenticator shows it.
const ISSUER: &str = "Armada";
/// Bytes of a secret: as many as a hash has (RFC 4226 §4).
const SECRET: usize = 20;
/// How many recovery codes there are.
const CODES: usize = 10;
/// Letters and digits that are not mistaken for each other, five bits each; a code has 24 of them, 120 bits (ASVS 5.0 6.5.2).
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// Characters of a recovery code,
pub const CODE: usize = 24;
/// and of each of its groups.
pub const GROUP: usize = 4;

/// How a code was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is right, and used up now.
    Right,
    /// It is wrong, or was used before.
    Wrong,
}

/// What the secret of a user is sealed for.
pub fn sealed_for(user: UserId) -> String {
    format!("totp {user}")
}

/// What computes and checks the codes of a secret.
pub fn totp(secret: &[u8], email: &str) -> Result<Totp> {
    let secret = Secret::new(secret.into());
    Builder::new()
        .with_secret(secret)
        .with_account_name(email)
        .with_issuer(Some(ISSUER))
        .build()
        .map_err(Error::internal)
}

/// Begins with a new authenticator, which holds from its first code on.
pub async fn begin(tx: &DatabaseTransaction, seal: &Seal, user: &user::Model) -> Result<TotpSetup> {
    let secret: [u8; SECRET] = random()?;
    let row = ActiveModel {
        user_id: Set(user.id),
        tenant_id: Set(user.tenant_id),
        secret: Set(None),
        pending: Set(Some(seal.seal(&sealed_for(user.id), &secret)?)),
        last_step: Set(0),
    };
    let anew = OnConflict::column(Column::UserId).update_column(Column::Pending).to_owned();
    Entity::insert(row).on_conflict(anew).exec_without_returning(tx).await?;
    let totp = totp(&secret, &user.email)?;
    let uri = totp.to_url().map_err(Error::internal)?;
    let qr = QrCode::new(&uri).map_err(Error::internal)?;
    let qr_svg = qr.render::<svg::Color<'_>>().min_dimensions(200, 200).build();
    Ok(TotpSetup { secret: totp.secret().to_base32(), uri, qr_svg })
}

/// Takes the first code of the authenticator that waits for it: from now on that one holds. None when nothing waits, or
/// the code is wrong.
pub async fn confirm(
    tx: &DatabaseTransaction,
    seal: &Seal,
    user: &user::Model,
    code: &str,
) -> Result<Option<Vec<String>>> {
    let Some(row) = Entity::find_by_id(user.id).one(tx).await? else { return Ok(None) };
    let Some(pending) = row.pending.clone() else { return Ok(None) };
    let Some(step) = step(seal, user, &pending, code)? else { return Ok(None) };
    let confirmed = Entity::update_many()
        .col_expr(Column::Secret, Expr::val(pending.clone()))
        .col_expr(Column::Pending, Expr::val(None::<Vec<u8>>))
        .col_expr(Column::LastStep, Expr::val(step))
        .filter(Column::UserId.eq(user.id))
        .filter(Column::Pending.eq(pending))
        .exec(tx)
        .await?;
    if confirmed.rows_affected != 1 {
        return Ok(None);
    }
    has(tx, user.id, true).await?;
    renew_codes(tx, user).await.map(Some)
}

/// Takes a code of the authenticator that holds, or a recovery code, and uses it up.
pub async fn take(tx: &DatabaseTransaction, seal: &Seal, user: &user::Model, code: &str) -> Result<Verdict> {
    let digits: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let is_right = match digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        true => use_step(tx, seal, user, &digits).await?,
        false => use_recovery_code(tx, user.id, code).await?,
    };
    Ok(if is_right { Verdict::Right } else { Verdict::Wrong })
}

/// Of two who use one code at once, one changes the row.
async fn use_step(tx: &DatabaseTransaction, seal: &Seal, user: &user::Model, code: &str) -> Result<bool> {
    let row = Entity::find_by_id(user.id).one(tx).await?;
    let Some(secret) = row.and_then(|row| row.secret) else { return Ok(false) };
    let Some(step) = step(seal, user, &secret, code)? else { return Ok(false) };
    let taken = Entity::update_many()
        .col_expr(Column::LastStep, Expr::val(step))
        .filter(Column::UserId.eq(user.id))
        .filter(Column::LastStep.lt(step))
        .exec(tx)
        .await?;
    Ok(taken.rows_affected == 1)
}

async fn use_recovery_code(tx: &DatabaseTransaction, user: UserId, code: &str) -> Result<bool> {
    let taken = recovery_code::Entity::delete_many()
        .filter(recovery_code::Column::UserId.eq(user))
        .filter(recovery_code::Column::Hash.eq(hash(code)))
        .exec(tx)
        .await?;
    Ok(taken.rows_affected == 1)
}

/// The step that a code belongs to: the present one, or one beside it.
fn step(seal: &Seal, user: &user::Model, sealed: &[u8], code: &str) -> Result<Option<i64>> {
    let secret = seal.open(&sealed_for(user.id), sealed)?;
    let secret = secret.ok_or_else(|| Error::internal("a second factor was sealed under another secret key"))?;
    let now = u64::try_from(Timestamp::now().millis() / 1000).map_err(Error::internal)?;
    Ok(totp(&secret, &user.email)?.check(code, now).and_then(|step| i64::try_from(step).ok()))
}

/// Nobody asks the user for a second factor any more.
pub async fn remove(tx: &DatabaseTransaction, user: UserId) -> Result<()> {
    Entity::delete_by_id(user).exec(tx).await?;
    forget_codes(tx, user).await?;
    has(tx, user, false).await
}

/// Recovery codes in place of those before.
pub async fn renew_codes(tx: &DatabaseTransaction, user: &user::Model) -> Result<Vec<String>> {
    forget_codes(tx, user.id).await?;
    let codes = (0..CODES).map(|_| recovery_code()).collect::<Result<Vec<_>>>()?;
    for code in &codes {
        let row = recovery_code::ActiveModel {
            id: Set(Uuid::now_v7()),
            user_id: Set(user.id),
            tenant_id: Set(user.tenant_id),
            hash: Set(hash(code)),
        };
        row.insert(tx).await?;
    }
    Ok(codes)
}

/// How many recovery codes a user has left.
pub async fn codes_left(tx: &DatabaseTransaction, user: UserId) -> Result<u64> {
    Ok(recovery_code::Entity::find().filter(recovery_code::Column::UserId.eq(user)).count(tx).await?)
}

async fn forget_codes(tx: &DatabaseTransaction, user: UserId) -> Result<()> {
    recovery_code::Entity::delete_many().filter(recovery_code::Column::UserId.eq(user)).exec(tx).await?;
    Ok(())
}

async fn has(tx: &DatabaseTransaction, user: UserId, has: bool) -> Result<()> {
    user::Entity::update_many()
        .col_expr(user::Column::HasTotp, Expr::val(has))
        .filter(user::Column::Id.eq(user))
        .exec(tx)
        .await?;
    Ok(())
}

/// A new recovery code, in groups with dashes between them.
pub fn recovery_code() -> Result<String> {
    let letters = random::<CODE>()?.map(|byte| ALPHABET[usize::from(byte & 31)]);
    let groups: Vec<_> = letters.chunks(GROUP).map(String::from_utf8_lossy).collect();
    Ok(groups.join("-"))
}

/// What is stored of a recovery code: of the letters alone, however they were typed.
pub fn hash(code: &str) -> Vec<u8> {
    let letters: String = code.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    Sha256::digest(letters.to_ascii_lowercase()).to_vec()
}
