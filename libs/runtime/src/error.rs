//! The one vocabulary of errors. A service returns an [`Error`]; it travels as a gRPC status whose details name the code
//! and the fields, and the edge turns it into HTTP and into the caller's language.

use std::{collections::HashMap, convert::Infallible, num::NonZeroU32};

use armada_proto::v1::{Conflicting, ErrorDetail};
use prost::Message;
use sea_orm::{DbErr, SqlErr};
use tonic::Status;

/// What services return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The class of an error: decides the gRPC code, the HTTP status and whether a retry makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// The request itself is wrong; the fields say where.
    Invalid,
    /// Nobody, or an expired or forged token.
    Unauthenticated,
    /// Known, but not allowed.
    Forbidden,
    /// Does not exist, or not for this caller.
    NotFound,
    /// Something else has the same unique value.
    Conflict,
    /// Somebody else changed it since it was read.
    VersionMismatch,
    /// Too much, too fast.
    TooManyRequests,
    /// A part that is needed is away; the same request may succeed later.
    Unavailable,
    /// A defect.
    Internal,
}

impl Code {
    const TABLE: [(Self, &'static str, tonic::Code, http::StatusCode); 9] = [
        (Self::Invalid, "invalid", tonic::Code::InvalidArgument, http::StatusCode::UNPROCESSABLE_ENTITY),
        (Self::Unauthenticated, "unauthenticated", tonic::Code::Unauthenticated, http::StatusCode::UNAUTHORIZED),
        (Self::Forbidden, "forbidden", tonic::Code::PermissionDenied, http::StatusCode::FORBIDDEN),
        (Self::NotFound, "not_found", tonic::Code::NotFound, http::StatusCode::NOT_FOUND),
        (Self::Conflict, "conflict", tonic::Code::AlreadyExists, http::StatusCode::CONFLICT),
        (Self::VersionMismatch, "version_mismatch", tonic::Code::Aborted, http::StatusCode::PRECONDITION_FAILED),
        (
            Self::TooManyRequests,
            "too_many_requests",
            tonic::Code::ResourceExhausted,
            http::StatusCode::TOO_MANY_REQUESTS,
        ),
        (Self::Unavailable, "unavailable", tonic::Code::Unavailable, http::StatusCode::SERVICE_UNAVAILABLE),
        (Self::Internal, "internal", tonic::Code::Internal, http::StatusCode::INTERNAL_SERVER_ERROR),
    ];

    fn row(self) -> (&'static str, tonic::Code, http::StatusCode) {
        let (_, name, grpc, http) = Self::TABLE[self as usize];
        (name, grpc, http)
    }

    /// The name of the class, as it stands in answers when there is no more specific one.
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// The HTTP status of the class.
    pub fn http_status(self) -> http::StatusCode {
        self.row().2
    }

    fn of_grpc(code: tonic::Code) -> Self {
        Self::TABLE.iter().find(|row| row.2 == code).map_or(Self::Internal, |row| row.0)
    }
}

/// An error with its class, a code for machines, a text for humans, and codes for each wrong field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The class.
    pub class: Code,
    /// More specific than the class where a screen shows a text of its own, e.g. `login_failed`.
    pub code: String,
    /// In English, for logs and for clients without a language.
    pub message: String,
    /// Field name in JSON → code of what is wrong with it.
    pub fields: HashMap<String, String>,
    /// Seconds after which it may be tried again, when there were too many attempts.
    pub retry_after: Option<u32>,
    /// What is in the way, when the caller sees it.
    pub conflicting: Option<Box<Conflicting>>,
    /// Where a limit is reached: how much there may be, in the unit that the code's text names. 0 is no limit anywhere.
    pub limit: Option<NonZeroU32>,
}

impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl Error {
    /// An error of a class with its own code and text.
    pub fn new(class: Code, code: &str, message: impl Into<String>) -> Self {
        Self {
            class,
            code: code.to_owned(),
            message: message.into(),
            fields: HashMap::new(),
            retry_after: None,
            conflicting: None,
            limit: None,
        }
    }

    /// There may be so much, and no more. `code` is e.g. `device_limit_reached`.
    pub fn limit_reached(code: &str, limit: u32, message: impl Into<String>) -> Self {
        Self { limit: NonZeroU32::new(limit), ..Self::new(Code::Conflict, code, message) }
    }

    /// The request is wrong in one field.
    pub fn field(name: &str, code: &str) -> Self {
        Self::new(Code::Invalid, "invalid", format!("{name}: {code}")).with_field(name, code)
    }

    /// It does not exist, or not for this caller: the two must not differ.
    pub fn not_found() -> Self {
        Self::new(Code::NotFound, "not_found", "not found")
    }

    /// Known, but not allowed.
    pub fn forbidden() -> Self {
        Self::new(Code::Forbidden, "forbidden", "not allowed")
    }

    /// Nobody, or an expired or forged token.
    pub fn unauthenticated() -> Self {
        Self::new(Code::Unauthenticated, "unauthenticated", "sign in first")
    }

    /// Somebody else changed it since it was read.
    pub fn version_mismatch() -> Self {
        Self::new(Code::VersionMismatch, "version_mismatch", "changed by somebody else meanwhile")
    }

    /// Another row has this value already.
    pub fn taken(field: &str) -> Self {
        Self::new(Code::Conflict, "conflict", format!("{field} is taken")).with_field(field, "taken")
    }

    /// More than one may ask at a time; it is listened to again after some seconds.
    pub fn too_many_requests(retry_after: u32) -> Self {
        let message = format!("too many requests; try again in {retry_after} s");
        Self { retry_after: Some(retry_after), ..Self::new(Code::TooManyRequests, "too_many_requests", message) }
    }

    /// Names what is in the way, for a caller who sees it.
    pub fn with_conflicting(mut self, id: impl ToString, name: &str) -> Self {
        self.conflicting = Some(Box::new(Conflicting { id: id.to_string(), name: name.to_owned() }));
        self
    }

    /// Too many attempts failed; the next one is listened to after some seconds.
    pub fn too_many_attempts(retry_after: u32) -> Self {
        let message = format!("too many attempts; try again in {retry_after} s");
        Self { retry_after: Some(retry_after), ..Self::new(Code::TooManyRequests, "too_many_attempts", message) }
    }

    /// A part that is needed is away.
    pub fn unavailable(what: impl std::fmt::Display) -> Self {
        Self::new(Code::Unavailable, "unavailable", what.to_string())
    }

    /// A defect: logged here, where it is noticed, and told to nobody in detail.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "internal error");
        Self::new(Code::Internal, "internal", "internal error")
    }

    /// Adds what is wrong with a field.
    pub fn with_field(mut self, name: &str, code: &str) -> Self {
        self.fields.insert(name.to_owned(), code.to_owned());
        self
    }

    /// Turns the violation of a unique constraint into the error of the field behind it. `fields` pairs a part of the
    /// constraint's (PostgreSQL) or column's (SQLite) name with the field.
    pub fn on_unique(error: DbErr, fields: &[(&str, &str)]) -> Self {
        if let Some(SqlErr::UniqueConstraintViolation(constraint)) = error.sql_err()
            && let Some((_, field)) = fields.iter().find(|(part, _)| constraint.contains(part))
        {
            return Self::taken(field);
        }
        error.into()
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Error {}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        if let Some(trouble) = transient_reason(&error) {
            tracing::warn!(%error, "{trouble}");
            return Self { retry_after: Some(RETRY), ..Self::unavailable(trouble) };
        }
        Self::internal(error)
    }
}

/// Seconds after which a database that was in trouble may be asked again.
const RETRY: u32 = 2;
/// It could not be reached or was shutting down.
const AWAY: &str = "database is away";
/// Another transaction holds what it needs, or it stood still for too long itself.
const HELD_UP: &str = "another transaction of the database is in the way";
/// It did not end in its time.
const TOO_SLOW: &str = "the database takes too long";
/// Within the time for it: all are in use, or none can be made.
const NO_CONNECTION: &str = "no free connection to the database";
/// Its disk is full or fails, or it has no connection left.
const OUT_OF_RESOURCES: &str = "database lacks room or other resources";

/// What keeps a statement from succeeding that may succeed later; none of what stays as it is.
fn transient_reason(error: &DbErr) -> Option<&'static str> {
    use sea_orm::{RuntimeErr, SqlxError};
    match error {
        DbErr::ConnectionAcquire(_) => Some(NO_CONNECTION),
        DbErr::Conn(RuntimeErr::SqlxError(error))
        | DbErr::Exec(RuntimeErr::SqlxError(error))
        | DbErr::Query(RuntimeErr::SqlxError(error)) => match &**error {
            SqlxError::Database(error) => passing_code(&error.code()?),
            SqlxError::Io(_)
            | SqlxError::Tls(_)
            | SqlxError::Protocol(_)
            | SqlxError::PoolClosed
            | SqlxError::WorkerCrashed => Some(AWAY),
            SqlxError::PoolTimedOut => Some(NO_CONNECTION),
            _ => None,
        },
        DbErr::Conn(_) => Some(AWAY),
        _ => None,
    }
}

/// The same of the code that a database gives: five characters on PostgreSQL, a number of fewer digits on SQLite, whose
/// lowest byte is the kind of the error.
fn passing_code(code: &str) -> Option<&'static str> {
    const SQLITE_BUSY: u32 = 5;
    const SQLITE_IOERR: u32 = 10;
    const SQLITE_FULL: u32 = 13;
    const SQLITE_CANTOPEN: u32 = 14;
    if code.len() == 5 {
        let reasons: [(&[&str], &'static str); 4] = [
            // Connection exceptions, operator intervention.
            (&["08", "57P"], AWAY),
            // Serialisation failures and deadlocks, a lock that was not to be had, a transaction that stood still.
            (&["40", "55P03", "25P03"], HELD_UP),
            (&["57014"], TOO_SLOW),
            // Insufficient resources, a full disk among them; errors of the operating system.
            (&["53", "58000", "58030"], OUT_OF_RESOURCES),
        ];
        let is_of = |classes: &[&str]| classes.iter().any(|class| code.starts_with(class));
        return reasons.into_iter().find_map(|(classes, reason)| is_of(classes).then_some(reason));
    }
    match code.parse::<u32>().ok()? & 0xff {
        SQLITE_BUSY => Some(HELD_UP),
        SQLITE_IOERR | SQLITE_FULL | SQLITE_CANTOPEN => Some(OUT_OF_RESOURCES),
        _ => None,
    }
}

impl From<armada_proto::InvalidId> for Error {
    /// An id that is no id names nothing that exists.
    fn from(_: armada_proto::InvalidId) -> Self {
        Self::not_found()
    }
}

impl From<armada_proto::Violations> for Error {
    fn from(violations: armada_proto::Violations) -> Self {
        let text: Vec<_> = violations.iter().map(|(name, code)| format!("{name}: {code}")).collect();
        let error = Self::new(Code::Invalid, "invalid", text.join(", "));
        violations.iter().fold(error, |error, (name, code)| error.with_field(name, code))
    }
}

impl From<Error> for ErrorDetail {
    fn from(error: Error) -> Self {
        Self {
            code: error.code,
            message: error.message,
            fields: error.fields,
            retry_after: error.retry_after,
            conflicting: error.conflicting.map(|conflicting| *conflicting),
            limit: error.limit.map(NonZeroU32::get),
            ..Self::default()
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        let (_, grpc, _) = error.class.row();
        let message = error.message.clone();
        Self::with_details(grpc, message, ErrorDetail::from(error).encode_to_vec().into())
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        let class = Code::of_grpc(status.code());
        match ErrorDetail::decode(status.details()) {
            Ok(detail) if !detail.code.is_empty() => {
                let ErrorDetail { code, message, fields, retry_after, conflicting, limit, .. } = detail;
                Self {
                    class,
                    code,
                    message,
                    fields,
                    retry_after,
                    conflicting: conflicting.map(Box::new),
                    limit: limit.and_then(NonZeroU32::new),
                }
            }
            _ => Self::new(class, class.as_str(), status.message()),
        }
    }
}

/// An error with its whole chain of causes in one line: the words of [`Error`]s, without their codes.
pub fn one_line(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let words = causes.map(|cause| match cause.downcast_ref::<Error>() {
        Some(error) => error.message.clone(),
        None => cause.to_string(),
    });
    words.collect::<Vec<_>>().join(": ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_round_trip_over_grpc() {
        let error = Error::taken("imei");
        assert_eq!(Error::from(Status::from(error.clone())), error);
        let named = Error::taken("imei").with_conflicting("7", "Truck");
        assert_eq!(Error::from(Status::from(named.clone())), named);
        let later = Error::too_many_attempts(30);
        assert_eq!(Error::from(Status::from(later.clone())), later);
        assert_eq!(Error::from(Status::unavailable("away")).class, Code::Unavailable);
    }

    #[test]
    fn distinguishes_transient_from_permanent_errors() {
        for (code, trouble) in [
            ("08006", Some(AWAY)),
            ("57P01", Some(AWAY)),
            ("40001", Some(HELD_UP)),
            ("40P01", Some(HELD_UP)),
            ("55P03", Some(HELD_UP)),
            ("25P03", Some(HELD_UP)),
            ("57014", Some(TOO_SLOW)),
            ("5", Some(HELD_UP)),
            ("517", Some(HELD_UP)),
            ("53100", Some(OUT_OF_RESOURCES)),
            ("58030", Some(OUT_OF_RESOURCES)),
            ("13", Some(OUT_OF_RESOURCES)),
            ("778", Some(OUT_OF_RESOURCES)),
            ("4874", Some(OUT_OF_RESOURCES)),
            ("23505", None),
            ("42P01", None),
            ("25P02", None),
            ("1", None),
            ("2067", None),
            ("", None),
        ] {
            assert_eq!(passing_code(code), trouble, "{code}");
        }
    }

    #[test]
    fn error_table_is_sorted() {
        for (index, row) in Code::TABLE.iter().enumerate() {
            assert_eq!(row.0 as usize, index);
        }
    }
}
