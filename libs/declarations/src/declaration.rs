//! What a service says of itself.

use crate::{nats::User, variables::in_variables};

/// What one service needs of the deployment around it.
#[derive(Debug, Clone, Copy)]
pub struct Declaration {
    /// Its name: that of its schema, of its container and of its user of NATS.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// Whether it has a schema, and a role in the database.
    pub stores: bool,
    /// The services that it calls, by name.
    pub calls: &'static [&'static str],
    /// Whom it works as in NATS: itself first, then its parts.
    pub users: &'static [User],
    /// What can be configured of it.
    pub settings: &'static [Setting],
    /// What it reads of the settings that are nobody's own.
    pub shared: &'static [Shared],
    /// Where it connects to beside the database, NATS and other services; nowhere when absent.
    pub outside: Option<&'static str>,
    /// Whether it serves browsers.
    pub serves_http: bool,
    /// Whether it keeps files: in a folder, unless it is told a bucket.
    pub keeps_files: bool,
    /// Whether more instances do more work.
    pub scales: Scales,
    /// Memory that an instance may take, in MiB.
    pub memory_mb: u32,
    /// What it enters in the audit.
    pub acts: Acts,
}

/// Which acts are a service's own to name in the audit.
#[derive(Debug, Clone, Copy)]
pub struct Acts {
    /// Modules of which it names every act, in any chain.
    pub modules: &'static [&'static str],
    /// Acts of another's modules of which it tells its own part, in the chain of the platform alone.
    pub parts: &'static [&'static str],
}

/// What more instances of a service bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scales {
    /// Each does a part of the work.
    Cpu,
    /// The same, up to one for each partition of what gateways publish.
    Partitions,
}

/// A setting of a service: a line of its section in the configuration, or a variable.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its name below the section of the service, with dots: `files.url`.
    pub key: &'static str,
    /// How it is read.
    pub kind: Kind,
    /// Who is told of it in a deployment.
    pub told: Told,
    /// What it is in a container that is told nothing, where that is not the program's own default.
    pub in_containers: &'static str,
}

/// How a setting is read from a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number, a flag or a list, as TOML writes it.
    Value,
    /// A text, however much it looks like a number.
    Text,
    /// A text that is for nobody's eyes, and may stand in a file: `…_FILE`.
    Secret,
    /// The same of what is no text.
    SecretValue,
}

/// Who is told of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// The service.
    Service,
    /// `armada migrate`, which makes streams by it.
    Migrate,
    /// Both.
    Both,
    /// The service, where a file that is added to Compose brings what it is about.
    Added,
}

impl Setting {
    /// A number, a flag or a list.
    pub const fn value(key: &'static str) -> Self {
        Self::new(key, Kind::Value)
    }

    /// A text.
    pub const fn text(key: &'static str) -> Self {
        Self::new(key, Kind::Text)
    }

    /// A secret.
    pub const fn secret(key: &'static str) -> Self {
        Self::new(key, Kind::Secret)
    }

    /// A secret that is no text.
    pub const fn secret_value(key: &'static str) -> Self {
        Self::new(key, Kind::SecretValue)
    }

    /// Who else is told of it.
    pub const fn told(self, told: Told) -> Self {
        Self { told, ..self }
    }

    /// What it is in containers, unless they are told.
    pub const fn in_containers(self, value: &'static str) -> Self {
        Self { in_containers: value, ..self }
    }

    const fn new(key: &'static str, kind: Kind) -> Self {
        Self { key, kind, told: Told::Service, in_containers: "" }
    }

    /// Whether it is for nobody's eyes.
    pub const fn is_secret(&self) -> bool {
        matches!(self.kind, Kind::Secret | Kind::SecretValue)
    }
}

/// A setting of the program that several services read, or that only one does although it stands outside its section.
#[derive(Debug, Clone, Copy)]
pub struct Shared {
    /// The variable.
    pub variable: &'static str,
    /// What it is in containers.
    pub in_containers: InContainers,
    /// Whether it is for nobody's eyes.
    pub is_secret: bool,
}

/// What a container is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InContainers {
    /// What `.env` says, which must.
    Asked,
    /// What `.env` says, or this.
    Default(&'static str),
    /// This, whatever `.env` says.
    Always(&'static str),
}

impl Shared {
    /// What `.env` may say.
    pub const fn new(variable: &'static str, in_containers: InContainers) -> Self {
        Self { variable, in_containers, is_secret: false }
    }

    /// The same of a secret.
    pub const fn secret(variable: &'static str, in_containers: InContainers) -> Self {
        Self { variable, in_containers, is_secret: true }
    }
}

impl Declaration {
    /// Its section in the configuration, and its part of a role in the database.
    pub fn section(&self) -> String {
        self.name.replace('-', "_")
    }

    /// Its name in a variable: `POSITION_INGEST`.
    pub fn in_variables(&self) -> String {
        in_variables(self.name)
    }

    /// The variable of one of its settings.
    pub fn variable(&self, setting: &Setting) -> String {
        format!("ARMADA_{}__{}", self.in_variables(), setting.key.replace('.', "__").to_uppercase())
    }

    /// Whether it vouches for the keys of all others, and so knows the secrets of all of them.
    pub fn vouches(&self) -> bool {
        self.name == crate::IDENTITY
    }

    /// Its settings that a service, or `armada migrate`, is told of in containers.
    pub fn settings_told(&self, who: Told) -> impl Iterator<Item = &Setting> {
        self.settings.iter().filter(move |setting| setting.told == who || setting.told == Told::Both)
    }

    /// Whether it publishes what another one reads of a stream, and acknowledges.
    pub fn hands_on_to(&self, other: &Self) -> bool {
        let read = other.users.iter().flat_map(|user| user.streams).filter_map(|stream| stream.consumer.subjects());
        let published = || self.users.iter().flat_map(|user| user.publishes);
        read.into_iter().any(|begin| published().any(|subject| subject.starts_with(begin)))
    }
}
