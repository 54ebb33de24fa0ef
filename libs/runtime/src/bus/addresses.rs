//! Where a NATS is, and as whom one connects to it.

use std::{error, fmt, io, str::FromStr};

use async_nats::{ConnectOptions, ServerAddr};
use serde::Deserialize;

use crate::error::Error;

/// The servers of one NATS, any of which will do, and the one login for all of them. As text: addresses separated by
/// commas, e.g. `nats://user:password@one:4222,nats://two:4222`. The login stands in one of them, or the same in several;
/// `tls://` in one demands TLS of all, those that the servers tell of among them.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Addresses {
    /// Without login, and as servers tell of each other, so that none is known twice.
    servers: Vec<ServerAddr>,
    login: Option<Login>,
    has_tls: bool,
}

#[derive(Clone, PartialEq, Eq)]
enum Login {
    User { name: String, password: String },
    Token(String),
}

/// Why a text is no list of addresses. None of it repeats the text, in which there may be a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressError {
    /// Nothing stands at this place of the list, from 1.
    Empty(usize),
    /// What stands there is no address.
    Invalid(usize, String),
    /// It has another login than those before it.
    AnotherLogin(usize),
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty(place) => write!(f, "address {place} of NATS is empty"),
            Self::Invalid(place, why) => write!(f, "address {place} of NATS: {why}"),
            Self::AnotherLogin(place) => write!(f, "address {place} of NATS has another login than those before it"),
        }
    }
}

impl error::Error for AddressError {}

impl From<AddressError> for Error {
    fn from(error: AddressError) -> Self {
        Self::unavailable(error)
    }
}

impl FromStr for Addresses {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let mut found = Self { servers: Vec::new(), login: None, has_tls: false };
        for (text, place) in text.split(',').zip(1..) {
            found.add(text.trim(), place)?;
        }
        Ok(found)
    }
}

impl TryFrom<&str> for Addresses {
    type Error = AddressError;

    fn try_from(text: &str) -> Result<Self, AddressError> {
        text.parse()
    }
}

impl TryFrom<&String> for Addresses {
    type Error = AddressError;

    fn try_from(text: &String) -> Result<Self, AddressError> {
        text.parse()
    }
}

impl TryFrom<String> for Addresses {
    type Error = AddressError;

    fn try_from(text: String) -> Result<Self, AddressError> {
        text.parse()
    }
}

impl Addresses {
    fn add(&mut self, text: &str, place: usize) -> Result<(), AddressError> {
        let invalid = |why: &dyn fmt::Display| AddressError::Invalid(place, why.to_string());
        if text.is_empty() {
            return Err(AddressError::Empty(place));
        }
        let given: ServerAddr = text.parse().map_err(|error: io::Error| invalid(&error))?;
        if !["nats", "tls"].contains(&given.scheme()) {
            return Err(invalid(&"it must begin with nats:// or tls://"));
        }
        if given.host().is_empty() {
            return Err(invalid(&"it names no host"));
        }
        if let Some(login) = Login::of(&given) {
            if self.login.as_ref().is_some_and(|before| *before != login) {
                return Err(AddressError::AnotherLogin(place));
            }
            self.login = Some(login);
        }
        self.has_tls |= given.tls_required();
        let server = plain(&given).map_err(|error| invalid(&error))?;
        if !self.servers.contains(&server) {
            self.servers.push(server);
        }
        Ok(())
    }

    /// The servers, without the login.
    pub(super) fn servers(&self) -> &[ServerAddr] {
        &self.servers
    }

    /// The user one connects as; none without a login, or with a token.
    pub(super) fn user(&self) -> Option<&str> {
        match &self.login {
            Some(Login::User { name, .. }) => Some(name),
            _ => None,
        }
    }

    /// All servers are on this host.
    pub(super) fn are_here(&self) -> bool {
        self.servers.iter().all(|server| matches!(server.host(), "localhost" | "127.0.0.1" | "::1"))
    }

    /// With TLS where it is demanded.
    pub(super) fn demanding_tls(&self, options: ConnectOptions) -> ConnectOptions {
        options.require_tls(self.has_tls)
    }

    /// With the login, and with TLS where it is demanded: async-nats takes neither from more than one address.
    pub(super) fn applied_to(&self, options: ConnectOptions) -> ConnectOptions {
        let options = self.demanding_tls(options);
        match self.login.clone() {
            Some(Login::User { name, password }) => options.user_and_password(name, password),
            Some(Login::Token(token)) => options.token(token),
            None => options,
        }
    }
}

impl Login {
    fn of(address: &ServerAddr) -> Option<Self> {
        match (address.username(), address.password()) {
            (Some(name), Some(password)) => Some(Self::User { name: name.to_owned(), password: password.to_owned() }),
            (Some(token), None) => Some(Self::Token(token.to_owned())),
            (None, _) => None,
        }
    }
}

/// Host and port alone.
fn plain(address: &ServerAddr) -> io::Result<ServerAddr> {
    let host = address.host();
    let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
    format!("nats://{host}:{}", address.port()).parse()
}

/// Without the login, for messages.
impl fmt::Display for Addresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let servers: Vec<&str> = self.servers.iter().map(ServerAddr::as_url_str).collect();
        f.write_str(&servers.join(","))
    }
}

impl fmt::Debug for Addresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Addresses({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::{AddressError, Addresses};

    fn parse(text: &str) -> Result<Addresses, AddressError> {
        text.parse()
    }

    #[test]
    fn a_list_has_one_login() {
        let list = parse("nats://fleet:secret@one:4333, two,nats://fleet:secret@[::1]:4222").expect("it is right");
        assert_eq!(list.to_string(), "nats://one:4333,nats://two:4222,nats://[::1]:4222");
        assert_eq!(list.user(), Some("fleet"));
        assert_eq!(parse("nats://one,tls://fleet:secret@two").expect("it is right").user(), Some("fleet"));
        let differ = parse("nats://a:b@one,nats://two,nats://a:c@three");
        assert_eq!(differ, Err(AddressError::AnotherLogin(3)));
    }

    #[test]
    fn what_is_wrong_is_named_by_its_place() {
        assert_eq!(parse(""), Err(AddressError::Empty(1)));
        assert_eq!(parse("nats://one:1,"), Err(AddressError::Empty(2)));
        for wrong in ["nats://a:secret@one:port", "http://a:secret@one", "nats://"] {
            let text = format!("nats://one:4222,{wrong}");
            let Err(error @ AddressError::Invalid(2, _)) = parse(&text) else { panic!("{text} is taken") };
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }

    #[test]
    fn one_server_named_twice_is_one() {
        let list = parse("nats://a:b@one:4222,tls://one").expect("it is right");
        assert_eq!(list.servers().len(), 1);
        assert!(list.has_tls, "TLS is demanded all the same");
    }

    #[test]
    fn logins_are_not_shown() {
        let shown = format!("{:?}", parse("nats://armada:secret@one:4222,tls://token@one").err());
        assert!(!shown.contains("secret"), "{shown}");
        let list = parse("nats://armada:secret@one:4222").expect("it is right");
        assert!(!format!("{list} {list:?}").contains("secret"));
    }
}
