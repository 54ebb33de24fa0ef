//! The NATS server that a single machine runs as a child: JetStream with every write on disk before it is
//! acknowledged, its own process group (Ctrl-C is the parent's to handle), started again when it dies, and dead when
//! the parent is.

use std::{
    collections::HashMap,
    fs,
    io::Write,
    os::unix::{fs::OpenOptionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    time::Duration,
};

use armada_declarations::{
    SERVICES,
    files::nats_conf::{self, OPERATOR, OPERATOR_OF_GATEWAYS},
    nats::{Account, User},
};
use armada_proto::gateway::{ANONYMOUS, inbox_of};
use nix::{
    sys::{
        prctl,
        signal::{Signal, kill},
    },
    unistd::Pid,
};

use crate::{
    disk,
    error::{Error, Result},
    nkey::AccountKey,
};

/// Where the server writes its process id.
const PID_FILE: &str = "nats-server.pid";
/// The largest message; ingest itself refuses more than one megabyte, and counts it.
pub const MAX_PAYLOAD: usize = 4 * 1024 * 1024;
/// How long somebody waits to be let in, who connects together with thousands of others.
const ADMISSION_SECONDS: u32 = 10;
/// What the streams may promise to hold together, in bytes. Named, since the server otherwise takes three quarters of
/// what the disk has free at the moment, and refuses to make the streams where that is less than they ask for.
const MAX_FILE_STORE: u64 = 8 * 1024 * 1024 * 1024;
/// Free bytes below which a start says that a backlog may fill the disk.
const LITTLE_SPACE: u64 = 2 * 1024 * 1024 * 1024;
/// How often it is looked whether the disk is full.
const LOOK_AT_DISK: Duration = Duration::from_secs(1);

/// Who decides which gateways may connect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GatewayLogins {
    /// The service identity, whose answers are signed with the [`gateway_issuer`] of the folder.
    Identity,
    /// Nobody: whoever gives no name is let in as [`ANONYMOUS`], and nobody else. For where identity does not run.
    Anonymous,
}

/// A NATS server of this machine, stopped when dropped.
pub struct NatsServer {
    port: u16,
    folder: PathBuf,
    child: Arc<Mutex<Supervised>>,
}

struct Supervised {
    pid: Option<Pid>,
    stopping: bool,
}

impl NatsServer {
    /// Starts the server with its files in `folder`, listening on loopback. The passwords of its users are made when they
    /// are missing and kept in the folder.
    /// `partitions` is into how many what gateways publish is divided.
    pub fn start(program: &Path, folder: &Path, port: u16, partitions: u32, gateways: GatewayLogins) -> Result<Self> {
        let cannot = |error: std::io::Error| Error::unavailable(format!("{}: {error}", folder.display()));
        fs::create_dir_all(folder).map_err(cannot)?;
        warn_of_little_space(folder);
        let config = folder.join("nats-server.conf");
        write_private(&config, &configuration(folder, port, partitions, gateways)?).map_err(cannot)?;
        let child = Arc::new(Mutex::new(Supervised { pid: None, stopping: false }));
        supervise(program.to_owned(), config, child.clone())?;
        watch_disk(folder.to_owned(), child.clone())?;
        Ok(Self { port, folder: folder.to_owned(), child })
    }

    /// Where whoever runs the machine connects.
    pub fn url(&self) -> String {
        url_of(&self.folder, self.port).unwrap_or_default()
    }

    /// Where whoever runs the machine speaks with gateways.
    pub fn gateways_url(&self) -> String {
        gateways_url_of(&self.folder, self.port).unwrap_or_default()
    }

    /// The process id of the running server.
    pub fn pid(&self) -> Option<i32> {
        self.child.lock().expect("no panic while held").pid.map(Pid::as_raw)
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        let mut child = self.child.lock().expect("no panic while held");
        child.stopping = true;
        if let Some(pid) = child.pid.take() {
            stop(pid);
        }
    }
}

/// Asks the process to end and waits for it, for five seconds at most; then makes it.
fn stop(pid: Pid) {
    let _ = kill(pid, Signal::SIGTERM);
    for _ in 0..1_000 {
        if kill(pid, None).is_err() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = kill(pid, Signal::SIGKILL);
}

/// The address of a server that was started in `folder`, for the tools that talk to a running Armada.
pub fn url_of(folder: &Path, port: u16) -> Option<String> {
    url_of_user(folder, port, OPERATOR, OPERATOR)
}

/// The same in the account of gateways, for the tools that publish as those do.
pub fn gateways_url_of(folder: &Path, port: u16) -> Option<String> {
    url_of_user(folder, port, OPERATOR_OF_GATEWAYS, OPERATOR)
}

/// The same with the rights of a service, or of a part of one, alone; none of one that has no user there.
pub fn url_of_service(folder: &Path, port: u16, user: &str) -> Option<String> {
    let user = users().find(|known| known.name == user)?;
    url_of_user(folder, port, user.name, user.login)
}

/// Two users of one service, in two accounts, share its `login`.
fn url_of_user(folder: &Path, port: u16, user: &str, login: &str) -> Option<String> {
    let password = fs::read_to_string(password_file(folder, login)).ok()?;
    Some(format!("nats://{user}:{}@127.0.0.1:{port}", password.trim()))
}

/// The operator's is called as it was when there was one password for all.
fn password_file(folder: &Path, user: &str) -> PathBuf {
    folder.join(if user == OPERATOR { "password".to_owned() } else { format!("password-{user}") })
}

/// The users of services and of their parts.
fn users() -> impl Iterator<Item = &'static User> {
    SERVICES.iter().flat_map(|service| service.users)
}

/// Waits until the server that was started in `folder` before has ended: one that was killed a moment ago may still be
/// writing, and holds its port. Returns its process id if it has not.
pub fn wait_for_former(folder: &Path, timeout: Duration) -> Option<i32> {
    let pid = fs::read_to_string(folder.join(PID_FILE)).ok()?.trim().parse::<i32>().ok()?;
    let deadline = std::time::Instant::now() + timeout;
    while is_running(pid) {
        if std::time::Instant::now() > deadline {
            return Some(pid);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    None
}

/// Whether a process is a nats-server that has not ended. One that nobody has waited for yet has.
fn is_running(pid: i32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    let Some((name, rest)) = stat.rsplit_once(')') else { return false };
    name.ends_with("(nats-server") && !rest.trim_start().starts_with(['Z', 'X'])
}

/// Finds the program: `ARMADA_NATS_SERVER`, else `.tools/nats-server`, else the search path.
pub fn find() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("ARMADA_NATS_SERVER").map(PathBuf::from) {
        let missing = || Error::unavailable(format!("ARMADA_NATS_SERVER: there is no {}", named.display()));
        return named.is_file().then(|| named.clone()).ok_or_else(missing);
    }
    let local = PathBuf::from(".tools/nats-server");
    let on_path = std::env::var_os("PATH")
        .into_iter()
        .flat_map(|path| std::env::split_paths(&path).map(|dir| dir.join("nats-server")).collect::<Vec<_>>());
    [local].into_iter().chain(on_path).find(|program| program.is_file()).ok_or_else(|| {
        Error::unavailable(
            "nats-server is not installed: `make run` installs it, or set ARMADA_NATS_URL to use another",
        )
    })
}

fn password(folder: &Path, user: &str) -> Result<String> {
    read_or_make(&password_file(folder, user), || {
        let mut bytes = [0_u8; 24];
        getrandom::fill(&mut bytes).map_err(Error::internal)?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    })
}

/// What stands in a file that nobody else may read; the first time it is made.
fn read_or_make(file: &Path, make: impl FnOnce() -> Result<String>) -> Result<String> {
    if let Ok(text) = fs::read_to_string(file) {
        return Ok(text.trim().to_owned());
    }
    let text = make()?;
    let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
    let written = folder.and_then(|()| write_private(file, &text));
    written.map_err(|error| Error::unavailable(format!("{}: {error}", file.display())))?;
    Ok(text)
}

fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?.write_all(text.as_bytes())
}

/// A full disk stops every stream at once, so that little space is worth a word before it happens.
fn warn_of_little_space(folder: &Path) {
    if let Some(free) = disk::free(folder).filter(|free| *free < LITTLE_SPACE) {
        tracing::warn!(folder = %folder.display(), free_mb = free >> 20, "little space is left for the streams");
    }
}

/// The key whose owner says which gateways the server of this folder lets in; made when it is missing.
pub fn gateway_issuer(folder: &Path) -> Result<AccountKey> {
    let seed = read_or_make(&folder.join("gateway-issuer.seed"), || Ok(AccountKey::generate()?.seed()))?;
    AccountKey::from_seed(&seed)
}

/// The configuration of a server with its files in `folder`, whose passwords are made where they are missing. The operator
/// may do everything, each service its own; everybody else is a gateway.
pub fn configuration(folder: &Path, port: u16, partitions: u32, gateways: GatewayLogins) -> Result<String> {
    let mut passwords = HashMap::new();
    for user in users() {
        passwords.insert(user.login, format!("\"{}\"", password(folder, user.login)?));
    }
    let written = |account| nats_conf::written(SERVICES, account, &|user: &User| passwords[user.login].clone(), 6);
    let [services_users, gateways_users, system_users] =
        [Account::Services, Account::Gateways, Account::System].map(written);
    let password = password(folder, OPERATOR)?;
    let (anonymous, logins) = match gateways {
        GatewayLogins::Identity => {
            (String::new(), asks_identity(&gateway_issuer(folder)?.public(), &nats_conf::known(SERVICES)))
        }
        GatewayLogins::Anonymous => (anonymous_user(), format!("no_auth_user: {ANONYMOUS}")),
    };
    Ok(format!(
        r#"host: 127.0.0.1
port: {port}
pid_file: "{pid_file}"
max_payload: {MAX_PAYLOAD}
ping_interval: "5s"
ping_max: 2
jetstream {{ store_dir: "{store}", sync_interval: always, max_file_store: {MAX_FILE_STORE} }}
system_account: SYS
accounts {{
  SYS {{
    users: [
{system_users}
    ]
  }}
  ARMADA {{
    jetstream: enabled
    users: [
      {{ user: {OPERATOR}, password: "{password}" }}
{services_users}
    ]
  }}
  GATEWAYS {{
    mappings: {{
{mapping}
    }}
    users: [
      {{ user: {OPERATOR_OF_GATEWAYS}, password: "{password}" }}
{anonymous}
{gateways_users}
    ]
  }}
}}
{logins}
"#,
        mapping = nats_conf::mapping(&partitions.to_string(), 6),
        store = folder.display(),
        pid_file = folder.join(PID_FILE).display(),
    ))
}

/// Whoever does not stand in the configuration is asked about.
fn asks_identity(issuer: &str, known: &[&str]) -> String {
    let known = known.join(", ");
    format!(
        "authorization {{\n  timeout: {ADMISSION_SECONDS}\n  \
         auth_callout {{ issuer: {issuer}, account: ARMADA, auth_users: [{known}] }}\n}}"
    )
}

/// One gateway, which may publish fixes and hear what became of them, hear the commands for its trackers and answer them,
/// and nothing else.
fn anonymous_user() -> String {
    let inbox = inbox_of(ANONYMOUS);
    format!(
        "{{ user: {ANONYMOUS}, password: \"\", permissions: {{ \
         publish: [\"gps.{ANONYMOUS}.*\", \"in.*.{ANONYMOUS}.*\", \"command.reply.{ANONYMOUS}.*\"], \
         subscribe: [\"{inbox}.>\", \"command.{ANONYMOUS}.*\"] }} }}"
    )
}

/// Starts the server and starts it again when it dies. The thread that starts it must live as long as the server: the
/// kernel ends the server with the thread that made it.
fn supervise(program: PathBuf, config: PathBuf, state: Arc<Mutex<Supervised>>) -> Result<()> {
    let (first, started) = std::sync::mpsc::channel();
    std::thread::Builder::new()
        .name("nats-server".to_owned())
        .spawn(move || {
            let mut first = Some(first);
            loop {
                let spawned = {
                    let mut state = state.lock().expect("no panic while held");
                    if state.stopping {
                        return;
                    }
                    let spawned = spawn(&program, &config);
                    state.pid = spawned.as_ref().ok().map(|child| Pid::from_raw(child.id() as i32));
                    spawned
                };
                match spawned {
                    Ok(mut child) => {
                        if let Some(first) = first.take() {
                            let _ = first.send(());
                        }
                        let ended = child.wait();
                        let stopping = state.lock().expect("no panic while held").stopping;
                        if !stopping {
                            tracing::warn!(?ended, "nats-server ended; starting it again");
                        }
                    }
                    Err(error) => tracing::error!(%error, "nats-server does not start"),
                }
                std::thread::sleep(Duration::from_millis(100));
            }
        })
        .map_err(Error::internal)?;
    started.recv_timeout(Duration::from_secs(5)).map_err(|_| Error::unavailable("nats-server does not start"))
}

/// Starts the server anew once a disk that was full has room again: a server that could not write stores nothing more,
/// whatever room there is, until it is started anew.
fn watch_disk(folder: PathBuf, state: Arc<Mutex<Supervised>>) -> Result<()> {
    let watch = move || {
        let mut was_full = false;
        loop {
            std::thread::sleep(LOOK_AT_DISK);
            let free = disk::free(&folder);
            let state = state.lock().expect("no panic while held");
            if state.stopping {
                return;
            }
            let Some(free) = free else { continue };
            was_full |= free < disk::FULL;
            if was_full && free >= disk::ROOM {
                was_full = false;
                tracing::warn!(folder = %folder.display(), "the disk was full and has room again");
                if let Some(pid) = state.pid {
                    // Its supervisor starts it again. What it has acknowledged is on the disk.
                    let _ = kill(pid, Signal::SIGKILL);
                }
            }
        }
    };
    let watching = std::thread::Builder::new().name("nats-disk".to_owned()).spawn(watch);
    watching.map(drop).map_err(Error::internal)
}

/// How much garbage the server's runtime lets gather, in per cent of what is in use, unless the environment says otherwise
/// (Go's own default is 100). In a flood, what it wrote in the last ten seconds is in use, hundreds of megabytes.
const GARBAGE: (&str, &str) = ("GOGC", "50");

#[allow(unsafe_code, reason = "what runs between fork and exec can be set in no other way")]
fn spawn(program: &Path, config: &Path) -> Result<Child> {
    let log = config.with_file_name("nats-server.log");
    let mut command = Command::new(program);
    command.arg("-c").arg(config).arg("-l").arg(&log).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.process_group(0);
    if std::env::var_os(GARBAGE.0).is_none() {
        command.env(GARBAGE.0, GARBAGE.1);
    }
    // SAFETY: prctl is async-signal-safe and touches nothing of the parent's memory.
    unsafe {
        command.pre_exec(|| prctl::set_pdeathsig(Signal::SIGKILL).map_err(std::io::Error::from));
    }
    command.spawn().map_err(|error| Error::unavailable(format!("{}: {error}", program.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_have_users_of_their_own() {
        let folder = std::env::temp_dir().join(format!("armada-nats-users-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("password"), "as before").expect("a file");
        let configuration = configuration(&folder, 4222, 16, GatewayLogins::Identity).expect("a configuration");
        let names: Vec<_> = users().map(|user| user.name).collect();
        assert!(configuration.contains("in.{{partition(16,2)}}"), "{configuration}");
        assert!(configuration.contains("user: armada, password: \"as before\""), "the one there was stays");
        assert!(!configuration.contains("$NATS_"), "{configuration}");
        let asked = format!("auth_users: [armada, armada-gateways, {}]", names.join(", "));
        assert!(configuration.contains(&asked) && !configuration.contains("no_auth_user"), "{configuration}");
        let issuer = gateway_issuer(&folder).expect("a key").public();
        assert!(configuration.contains(&format!("issuer: {issuer}")), "{configuration}");
        let urls: std::collections::BTreeSet<_> =
            names.iter().map(|name| url_of_service(&folder, 4222, name).expect("a password")).collect();
        assert_eq!(urls.len(), names.len());
        assert!(url_of_service(&folder, 4222, "armada").is_none() && url_of_service(&folder, 4222, "x").is_none());
        fs::remove_dir_all(&folder).expect("it goes");
    }
}
