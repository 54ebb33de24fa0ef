//! The first platform owner, without whom nobody could make the second user.

use std::fmt;

use armada_proto::v1::EmailRequest;
use armada_runtime::{Code, Database, Error, Result, Scope, Validate, Violations, random::random};
use sea_orm::{ActiveModelTrait, ColumnTrait, IntoActiveModel, QueryFilter, QueryOrder};

use crate::{
    entity::user::{Column, Entity, Model},
    passwords::{self, Passwords},
    policy,
};

/// The first platform owner's email when none is given. The domain is reserved for local networks (RFC 6762), so no
/// mail to it ever leaves.
pub const DEFAULT_EMAIL: &str = "admin@armada.local";

/// What the console calls a platform owner whom nobody has named.
pub(crate) const NAME: &str = "Platform owner";

/// Digits and letters that are not mistaken for each other: five bits each.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// Four groups of seven: 140 bits.
const GROUPS: usize = 4;
const GROUP: usize = 7;

/// What there is to sign in with.
pub enum FirstSignIn {
    /// There was no platform owner; now there is one.
    Created {
        /// The email.
        email: String,
        /// The password, when none was given: to be shown once, for it is stored nowhere.
        generated_password: Option<String>,
    },
    /// There is a platform owner already, and nothing was changed.
    Exists {
        /// The email of the first one.
        email: String,
    },
}

/// Without the password.
impl fmt::Debug for FirstSignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Created { email, .. } => f.debug_struct("Created").field("email", email).finish_non_exhaustive(),
            Self::Exists { email } => f.debug_struct("Exists").field("email", email).finish(),
        }
    }
}

/// Makes a platform owner when there is none. What is not given is chosen: [`DEFAULT_EMAIL`] and a random password, which
/// must be changed at the first sign-in.
pub async fn first_sign_in(db: &Database, email: Option<&str>, password: Option<&str>) -> Result<FirstSignIn> {
    if let Some(email) = existing(db).await? {
        return Ok(FirstSignIn::Exists { email });
    }
    let email = checked_email(email)?;
    let generated_password = if password.is_none() { Some(generated_password()?) } else { None };
    let password = password.or(generated_password.as_deref()).unwrap_or_default();
    check_password(password, &email)?;
    let hash = Passwords::new(1).hash(password.to_owned()).await?;
    let tx = db.write(&Scope::Platform).await?;
    // One that was given is the operator's own choice.
    let made =
        Model { must_change_password: generated_password.is_some(), ..owner(NAME.to_owned(), email.clone(), hash) };
    match made.into_active_model().insert(&tx).await {
        Ok(owner) => {
            policy::mark(&tx, &[owner.id]).await?;
            tx.commit().await?;
        }
        Err(error) => {
            drop(tx);
            return already_made(db, error).await;
        }
    }
    Ok(FirstSignIn::Created { email, generated_password })
}

async fn existing(db: &Database) -> Result<Option<String>> {
    let tx = db.read(&Scope::Platform).await?;
    let owners = Entity::within(Scope::Platform).filter(Column::IsPlatformOwner.eq(true));
    Ok(owners.order_by_asc(Column::CreatedAt).order_by_asc(Column::Id).one(&tx).await?.map(|owner| owner.email))
}

/// The address is taken: by the owner whom another process has just made, or by somebody else.
async fn already_made(db: &Database, error: sea_orm::DbErr) -> Result<FirstSignIn> {
    match existing(db).await? {
        Some(email) => Ok(FirstSignIn::Exists { email }),
        None => Err(Error::on_unique(error, &[("email", "email")])),
    }
}

/// The address as it is stored, [`DEFAULT_EMAIL`] when none is given; an error when it is no address.
pub fn checked_email(email: Option<&str>) -> Result<String> {
    let mut request = EmailRequest { email: email.unwrap_or(DEFAULT_EMAIL).to_owned() };
    let checked = request.validate().check();
    checked.map_err(|violations| refused("email", "not an email address", &violations.into()))?;
    Ok(request.email)
}

/// An error that tells the rule when a password may not be chosen.
pub fn check_password(password: &str, email: &str) -> Result<()> {
    let mut fields = Violations::default();
    passwords::check(&mut fields, "password", password, &[email]);
    let (min, max) = (passwords::MIN_CHARS, passwords::MAX_CHARS);
    let rule = format!("it must have {min} to {max} characters and be hard to guess");
    fields.check().map_err(|violations| refused("password", &rule, &violations.into()))
}

fn refused(what: &str, rule: &str, error: &Error) -> Error {
    let message = format!("{what} of the first platform owner: {rule}");
    Error { fields: error.fields.clone(), ..Error::new(Code::Invalid, "invalid", message) }
}

/// A platform owner who is not stored yet. Whoever runs the machine vouches for the address.
pub(crate) fn owner(name: String, email: String, password_hash: String) -> Model {
    Model { name, email, password_hash, is_platform_owner: true, is_email_verified: true, ..Model::new(None) }
}

/// A password that nobody can guess, of letters and digits that are not mistaken for each other.
pub fn generated_password() -> Result<String> {
    let letters = random::<{ GROUPS * GROUP }>()?.map(|byte| ALPHABET[usize::from(byte & 31)]);
    let groups: Vec<_> = letters.chunks(GROUP).map(String::from_utf8_lossy).collect();
    Ok(groups.join("-"))
}
