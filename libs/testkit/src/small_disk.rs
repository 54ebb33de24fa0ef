//! A disk of some megabytes, to be filled.

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

/// A file system of its own in memory, on a folder. It is gone when dropped, and with the test process at the latest.
pub struct SmallDisk {
    at: PathBuf,
}

impl SmallDisk {
    /// Mounts one of so many megabytes on a folder, which is made. None, with a word on standard error, where mounting is not
    /// permitted: the test is skipped then.
    pub fn mount(at: &Path, megabytes: u32) -> Option<Self> {
        fs::create_dir_all(at).expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={megabytes}m,mode=0755"), "tmpfs"]).arg(at);
        let refused = match mount.output() {
            Ok(output) if output.status.success() => return Some(Self { at: at.to_owned() }),
            Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
            Err(error) => error.to_string(),
        };
        eprintln!("skipped: a small disk may not be mounted here: {refused}");
        None
    }

    /// Leaves no byte free. What others remove afterwards is free again: to be done again until what was to happen has.
    pub fn fill(&self) {
        let mut ballast = File::options().create(true).append(true).open(self.ballast()).expect("a file");
        for bytes in [1 << 20, 1 << 12] {
            let piece = vec![0_u8; bytes];
            while ballast.write_all(&piece).is_ok() {}
        }
    }

    /// Gives all of it back.
    pub fn make_room(&self) {
        fs::remove_file(self.ballast()).expect("it was filled");
    }

    fn ballast(&self) -> PathBuf {
        self.at.join("ballast")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Whoever still has files open there keeps them, and the folder is free.
        let _ = Command::new("umount").arg("-l").arg(&self.at).status();
    }
}
