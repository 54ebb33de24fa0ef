//! What is posted under a key is done once. That each call of the document is, the walk of `access` shows.

use armada_testkit::both_databases;
use futures::future::try_join_all;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::Site;

const DRIVERS: &str = "/api/v1/drivers";

both_databases! {
    async fn what_is_sent_many_times_at_once_is_done_once(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let (one, two) = (site.tenant("one").await?, site.tenant("two").await?);
        let body = json!({ "name": "Budi" });
        let add = async |api: &armada_testkit::Api, key: &str, body: &Value| {
            api.request(Method::POST, DRIVERS, &[("idempotency-key", key)], Some(body)).await
        };
        let answers = try_join_all((0..8).map(|_| add(&one.admin.api, "a", &body))).await?;
        let made = add(&one.admin.api, "a", &body).await?.expect(StatusCode::CREATED);
        for answer in answers {
            match answer.status {
                StatusCode::CREATED => assert_eq!(answer.json(), made),
                _ => assert_eq!(answer.expect(StatusCode::CONFLICT)["error"], "request_repeated"),
            }
        }
        let all = one.admin.api.get(DRIVERS).await?.expect(StatusCode::OK);
        assert_eq!(all["total"], 1);

        // The key of somebody else is another one, and so is a new one.
        add(&two.admin.api, "a", &body).await?.expect(StatusCode::CREATED);
        assert_ne!(add(&one.admin.api, "b", &body).await?.expect(StatusCode::CREATED)["id"], made["id"]);
        site.running.stop().await
    }

    async fn a_key_stands_for_what_was_done_alone(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let api = site.tenant("one").await?.admin.api;
        let add = async |key: &str, body: Value| {
            api.request(Method::POST, DRIVERS, &[("idempotency-key", key)], Some(&body)).await
        };
        // What was refused is put right under its key.
        add("a", json!({})).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        let made = add("a", json!({ "name": "Budi" })).await?.expect(StatusCode::CREATED);
        let refused = add("a", json!({ "name": "Siti" })).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert!(refused["fields"]["Idempotency-Key"].is_string(), "{refused}");
        for key in ["", "with space", &"x".repeat(256)] {
            add(key, json!({ "name": "Siti" })).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        }
        // The answer is the first one, whatever has become of what was made.
        let path = format!("{DRIVERS}/{}", made["id"].as_str().unwrap());
        api.delete(&path).await?.expect(StatusCode::NO_CONTENT);
        assert_eq!(add("a", json!({ "name": "Budi" })).await?.expect(StatusCode::CREATED), made);
        assert_eq!(api.get(DRIVERS).await?.expect(StatusCode::OK)["total"], 0);

        // A job with more items than are put into the tables at a time.
        let csv = (0..1200).fold("name\n".to_owned(), |csv, n| csv + &format!("driver {n}\n"));
        let import = async || {
            let headers = [("idempotency-key", "import")];
            api.upload_with(&format!("{DRIVERS}/import?mode=all"), "text/csv", csv.clone().into(), &headers).await
        };
        let (first, second) = (import().await?.expect(StatusCode::ACCEPTED), import().await?.expect(StatusCode::ACCEPTED));
        assert_eq!(first["id"], second["id"]);
        let jobs = api.get("/api/v1/jobs?service=fleet").await?.expect(StatusCode::OK);
        assert_eq!(jobs["total"], 1);
        site.running.stop().await
    }
}
