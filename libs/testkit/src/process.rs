//! Child processes of tests.

use std::{
    fs, io,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command},
    sync::mpsc,
};

use nix::sys::{prctl, signal::Signal};

/// Starts a process that the kernel ends with `signal` when this one ends, however it ends. The kernel watches the
/// thread that made it, so a thread is kept for that.
#[allow(unsafe_code, reason = "what runs between fork and exec can be set in no other way")]
pub fn spawn_until_death(mut command: Command, signal: Signal) -> io::Result<Child> {
    // SAFETY: prctl is async-signal-safe and touches nothing of the parent's memory. It runs after a change of user,
    // which would reset it.
    unsafe {
        command.pre_exec(move || prctl::set_pdeathsig(signal).map_err(io::Error::from));
    }
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let _ = send.send(command.spawn());
        loop {
            std::thread::park();
        }
    });
    receive.recv().map_err(io::Error::other)?
}

/// The process ids of what a process has started, whichever of its threads did.
pub fn children_of(parent: i32) -> Vec<i32> {
    let threads = Path::new("/proc").join(parent.to_string()).join("task");
    let threads = fs::read_dir(threads).into_iter().flatten().flatten();
    let lists = threads.map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect()
}
