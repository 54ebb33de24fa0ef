//! Writes the files of the deployment and the tables of documents that are made of the declarations.
//!     armada-declarations [--check]    with --check: change nothing, fail when one of them is stale

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is for a terminal")]

use std::{env, fs, io, path::Path, process::ExitCode};

use armada_declarations::{SERVICES, files};

fn main() -> io::Result<ExitCode> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let stale: Vec<_> = files::made(&repository, SERVICES)?.into_iter().filter(|made| !made.is_fresh).collect();
    if env::args().any(|argument| argument == "--check") {
        for made in &stale {
            eprintln!("{} is stale; run 'make gen' and commit the result", made.path.display());
        }
        return Ok(if stale.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    for made in stale {
        let path = repository.join(&made.path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, made.text)?;
        println!("{}", made.path.display());
    }
    Ok(ExitCode::SUCCESS)
}
