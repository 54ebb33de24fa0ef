//! The measurement works; what it measures in a debug build means nothing.

use std::fs;

use armada_testkit::both_databases;

use crate::support::site::Site;

both_databases! {
    async fn measures_twice_and_remembers(kind: Kind) -> anyhow::Result<()> {
        let site = Site::new(kind).await;
        fs::create_dir(site.folder().join("docs"))?;
        if let Some(postgres) = &site.postgres {
            postgres.let_owner_make_databases().await;
        }
        let arguments = "bench ingest --runs 3 --devices 20 --positions 50 --frame 100 --latency-seconds 1";
        let arguments: Vec<&str> = arguments.split(' ').collect();
        for lines in 1..=2 {
            let output = site.output(&arguments);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let printed = String::from_utf8(output.stdout)?;
            assert!(printed.contains("median") && printed.contains("to socket"), "{printed}");
            let remembered = fs::read_to_string(site.folder().join("docs/BENCHMARKS.md"))?;
            assert_eq!(remembered.lines().filter(|line| line.starts_with("| 2")).count(), lines, "{remembered}");
        }
        Ok(())
    }
}
