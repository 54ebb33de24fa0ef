//! Rules that need no service, for the tests that look at them by themselves. Nobody else may use it.

pub use crate::{
    audit::verify::{Defect, Reader},
    catalogue::{description, is_built_in},
    entity::{
        audit_entry::Model as AuditEntry, audit_head::Model as AuditHead, gateway::Model as Gateway,
        session::Model as Session, signing_key::Model as SigningKey,
    },
    first_sign_in::{check_password, checked_email},
    known_devices::{ACCOUNTS_MAX, KnownDevices, LIFE, SEPARATOR, TOKEN_CHARS},
    mail::{
        email::{Due, Email, Kind, TEXTS, harmless},
        refusals::is_about_email,
    },
    oidc::http::is_safe,
    policy::allowed,
    roles::mapping::is_wider,
    signing_key::Schedule,
};

/// Where gateways may connect from.
pub mod addresses {
    pub use crate::gateways::addresses::{LOOPBACK, allow, normalized};
}

/// The bytes of an entry of the audit that its hash is of.
pub mod canonical {
    pub use crate::audit::canonical::{FORM, canonical, hash};
}

/// Which passwords may be chosen.
pub mod passwords {
    pub use crate::passwords::{COMMON, check};
}

/// What a permission may be called.
pub mod permissions {
    pub use crate::permissions::{check, is_key};
}

/// Refresh tokens, and what a presented one means.
pub mod refresh_token {
    pub use crate::refresh_token::{Secret, Verdict, decode, encode, hash, judge, successor};
}

/// What a company says of itself when it registers.
pub mod registration {
    pub use crate::registration::check;
}

/// The beginnings for roles.
pub mod templates {
    pub use crate::templates::{ALL, VIEWER, find};
}

/// Under which limits a guess at a password is.
pub mod throttle {
    pub use crate::throttle::password;
}

/// Codes of an authenticator, and recovery codes.
pub mod totp {
    pub use crate::totp::{CODE, GROUP, hash, recovery_code, totp};
}
