//! The measurement works; what it measures in a debug build means nothing. The program that is measured is the one beside
//! it, which `cargo test --workspace` builds as well.

use std::{fs, path::Path, process::Command};

use armada_runtime::db::Owner;
use armada_testkit::{Durability, Kind, Postgres, both_databases, nats_program, temp_dir};

both_databases! {
    async fn measures_twice_and_remembers(kind: Kind) -> anyhow::Result<()> {
        let bench = Path::new(env!("CARGO_BIN_EXE_armada-bench"));
        assert!(bench.with_file_name("armada").exists(), "build the program first: cargo build -p armada");
        let folder = temp_dir("bench-");
        fs::create_dir(folder.path().join("docs"))?;
        let mut command = Command::new(bench);
        let arguments = "ingest --runs 3 --devices 20 --positions 50 --frame 100 --latency-seconds 1";
        command.args(arguments.split(' ')).current_dir(folder.path()).env("ARMADA_NATS_SERVER", nats_program());
        for name in ["DATABASE_URL", "DATABASE_OWNER_URL"] {
            command.env_remove(name);
        }
        let postgres = match kind {
            Kind::Sqlite => None,
            Kind::Postgres => Some(tokio::task::spawn_blocking(|| Postgres::start(Durability::Fsync)).await?),
        };
        if let Some(postgres) = &postgres {
            let logins = postgres.create_database().await;
            postgres.let_owner_make_databases().await;
            command.env("DATABASE_URL", &logins.services);
            if let Owner::Url(url) = &logins.owner {
                command.env("DATABASE_OWNER_URL", url);
            }
        }
        for lines in 1..=2 {
            let output = command.output()?;
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let printed = String::from_utf8(output.stdout)?;
            assert!(printed.contains("median") && printed.contains("to socket"), "{printed}");
            let remembered = fs::read_to_string(folder.path().join("docs/BENCHMARKS.md"))?;
            assert_eq!(remembered.lines().filter(|line| line.starts_with("| 2")).count(), lines, "{remembered}");
        }
        Ok(())
    }
}
