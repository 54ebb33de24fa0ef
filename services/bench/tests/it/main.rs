//! The measurement works; what it measures in a debug build means nothing. The program that is measured is the one beside
//! it, which `cargo test --workspace` builds as well.

use std::{fs, path::Path, process::Command};

use armada_runtime::db::Owner;
use armada_testkit::{Durability, Kind, Postgres, both_databases, nats_program, temp_dir};

both_databases! {
    async fn bench_runs_twice_and_compares(kind: Kind) -> anyhow::Result<()> {
        let bench = Path::new(env!("CARGO_BIN_EXE_armada-bench"));
        assert!(bench.with_file_name("armada").exists(), "build the program first: cargo build -p armada");
        let folder = temp_dir("bench-");
        let history = folder.path().join("docs/BENCHMARKS.md");
        fs::create_dir(folder.path().join("docs"))?;
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/BENCHMARKS.md"), &history)?;
        let remembered = || anyhow::Ok(fs::read_to_string(&history)?.lines().filter(|line| line.starts_with("| 2")).count());
        let postgres = match kind {
            Kind::Sqlite => None,
            Kind::Postgres => Some(tokio::task::spawn_blocking(|| Postgres::start(Durability::Fsync)).await?),
        };
        let mut variables = Vec::new();
        if let Some(postgres) = &postgres {
            let logins = postgres.create_database().await;
            postgres.grant_createdb_to_owner().await;
            variables.push(("DATABASE_URL", logins.services.clone()));
            if let Owner::Url(url) = logins.owner {
                variables.push(("DATABASE_OWNER_URL", url));
            }
        }
        let single = "single --runs 1 --devices 20 --fixes 200 --latency-seconds 1 --connections 0";
        let frames = "ingest --runs 3 --devices 20 --positions 50 --frame 100 --latency-seconds 1";
        for (arguments, line, lines) in [(frames, "median", 1), (frames, "to socket", 1), (single, "10000 in flight", 2)] {
            let before = remembered()?;
            let mut command = Command::new(bench);
            command.args(arguments.split(' ')).current_dir(folder.path()).env("ARMADA_NATS_SERVER", nats_program());
            command.env_remove("DATABASE_URL").env_remove("DATABASE_OWNER_URL").envs(variables.clone());
            let output = command.output()?;
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let printed = String::from_utf8(output.stdout)?;
            assert!(printed.contains(line), "{printed}");
            assert_eq!(remembered()?, before + lines);
        }
        Ok(())
    }
}
