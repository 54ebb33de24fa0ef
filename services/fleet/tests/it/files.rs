//! Files: what is taken in, how much, who reads it, and what becomes of it.

use std::{num::NonZeroU32, path::PathBuf};

use armada_proto::{
    TenantId,
    access::permission::{DEVICE_LIST, DOCUMENT_CREATE, DOCUMENT_LIST},
    v1::{
        DocumentInput, File, FileKind, GetRequest, StorageUsage, StorageUsageRequest, TenantInput, UploadFileRequest,
        files_client::FilesClient,
    },
};
use armada_runtime::{Code, Error, Result, Scope, Transport};
use armada_testkit::{Signed, both_databases, eventually_equal};
use futures::{future::join_all, stream};
use sea_orm::ConnectionTrait;

use crate::support::{Fleet, SOON, answer, new_device, owned_by};

/// A file that says no more than that it is a PDF.
pub fn pdf(bytes: usize) -> Vec<u8> {
    let mut content = b"%PDF-1.7\n".to_vec();
    content.resize(bytes.max(content.len()), b' ');
    content
}

/// The head of a PNG of this size: an image need not be drawn to be known.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut content = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    content.extend(width.to_be_bytes());
    content.extend(height.to_be_bytes());
    content.extend(b"\x08\x06\0\0\0");
    content
}

impl Fleet {
    fn files(&self) -> FilesClient<Transport> {
        FilesClient::new(self.running.context.peers.transport("fleet").unwrap())
    }

    pub async fn upload(&self, caller: &Signed, name: &str, content: &[u8]) -> Result<File> {
        self.upload_as(caller, name, content, content.len() as u64).await
    }

    /// With another size than it has.
    async fn upload_as(&self, caller: &Signed, name: &str, content: &[u8], size: u64) -> Result<File> {
        let first = UploadFileRequest { name: name.to_owned(), size, ..UploadFileRequest::default() };
        let piece = |part: &[u8]| UploadFileRequest { content: part.to_vec().into(), ..UploadFileRequest::default() };
        let pieces: Vec<_> = [first].into_iter().chain(content.chunks(60_000).map(piece)).collect();
        answer(self.files().upload(caller.sign(stream::iter(pieces))).await)
    }

    pub async fn content(&self, caller: &Signed, id: &str) -> Result<Vec<u8>> {
        let mut pieces = answer(self.files().content(caller.sign(GetRequest { id: id.to_owned() })).await)?;
        let mut content = Vec::new();
        while let Some(piece) = pieces.message().await? {
            content.extend_from_slice(&piece.content);
        }
        Ok(content)
    }

    async fn storage_usage(&self, caller: &Signed) -> Result<StorageUsage> {
        answer(self.files().usage(caller.sign(StorageUsageRequest::default())).await)
    }

    async fn storage_limit(&self, tenant: TenantId, megabytes: u32) {
        let input = TenantInput { id: tenant.to_string(), storage_limit_mb: Some(megabytes), ..TenantInput::default() };
        answer(self.tenants().update(self.owner.sign(input)).await).unwrap();
    }

    /// All that is in the folder of files.
    pub fn objects(&self) -> anyhow::Result<Vec<PathBuf>> {
        let mut objects = Vec::new();
        for tenant in std::fs::read_dir(self.world.folder().join("files"))? {
            for object in std::fs::read_dir(tenant?.path())? {
                objects.push(object?.path());
            }
        }
        Ok(objects)
    }

    async fn sql(&self, sql: &str) {
        let db = self.world.database("fleet").await;
        let tx = db.write(&Scope::Platform).await.unwrap();
        tx.execute_unprepared(sql).await.unwrap();
        tx.commit().await.unwrap();
    }
}

fn wrong(code: &str) -> Error {
    Error::field("file", code)
}

both_databases! {
    async fn what_a_file_is_shows_in_its_content(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let content = pdf(600_000);
        let file = fleet.upload(admin, " STNK B 9120 KXT.pdf", &content).await?;
        assert_eq!((file.name.as_str(), file.kind(), file.size), ("STNK B 9120 KXT.pdf", FileKind::Pdf, 600_000));
        assert_eq!(file.sha256.len(), 64);
        assert_eq!(fleet.content(admin, &file.id).await?, content);
        let mut used = content.len();
        for (name, content, kind) in [
            ("foto.JPG", b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x11\x08\0\x10\0\x20\x03\x01\x22\0\x02\x11\x01\x03\x11\x01".to_vec(), FileKind::Jpeg),
            ("foto.png", png(640, 480), FileKind::Png),
            ("foto", png(640, 480), FileKind::Png),
        ] {
            assert_eq!(fleet.upload(admin, name, &content).await?.kind(), kind, "{name}");
            used += content.len();
        }
        for (name, content, code) in [
            ("scan.pdf", b"<!doctype html><script>alert(1)</script>".to_vec(), "file_kind"),
            ("scan.pdf", png(640, 480), "file_name"),
            ("scan.html", pdf(100), "file_name"),
            ("scan.svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec(), "file_kind"),
            ("scan.pdf", b"PK\x03\x04".to_vec(), "file_kind"),
            ("scan.png", png(20_000, 20_000), "file_pixels"),
            ("scan.png", png(1, 40_000), "file_pixels"),
            ("scan.png", b"\x89PNG\r\n\x1a\n".to_vec(), "file_broken"),
            ("scan.pdf", Vec::new(), "file_empty"),
            ("scan.pdf", pdf((1 << 20) + 1), "file_too_large"),
        ] {
            assert_eq!(fleet.upload(admin, name, &content).await.unwrap_err(), wrong(code), "{name} {code}");
        }
        let unnamed = fleet.upload(admin, " ", &pdf(100)).await.unwrap_err();
        assert_eq!(unnamed, Error::field("name", "required"));
        // Whoever says less than comes, or nothing at all.
        assert_eq!(fleet.upload_as(admin, "a.pdf", &pdf(2_000), 1_000).await.unwrap_err(), wrong("file_too_large"));
        assert_eq!(fleet.upload_as(admin, "a.pdf", &pdf((1 << 20) + 1), 0).await.unwrap_err(), wrong("file_too_large"));
        assert_eq!(fleet.upload_as(admin, "a.pdf", &pdf(2_000), 0).await?.size, 2_000);
        assert_eq!(fleet.objects()?.len(), 5, "nothing is left of what was refused");
        assert_eq!(fleet.storage_usage(admin).await?.used_bytes as usize, used + 2_000);
        fleet.running.stop().await
    }

    async fn interrupted_upload_leaves_no_file(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let first = UploadFileRequest { name: "a.pdf".to_owned(), content: pdf(700_000).into(), ..UploadFileRequest::default() };
        let broken = UploadFileRequest { is_broken: true, ..UploadFileRequest::default() };
        let request = company.admin.sign(stream::iter([first, broken]));
        assert_eq!(answer(fleet.files().upload(request).await).unwrap_err(), wrong("file_broken"));
        assert_eq!(fleet.storage_usage(&company.admin).await?.used_bytes, 0);
        assert!(fleet.objects().unwrap_or_default().is_empty());
        fleet.running.stop().await
    }

    /// However many come at once.
    async fn files_respect_the_storage_limit(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (limited, free) = (fleet.company("Limited").await, fleet.company("Free").await);
        fleet.storage_limit(limited.id, 1).await;
        fleet.storage_limit(free.id, 0).await;
        let third = pdf((1 << 20) / 3);
        let answers = join_all((0..8).map(|_| fleet.upload(&limited.admin, "a.pdf", &third))).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 3);
        for error in answers.iter().filter_map(|answer| answer.as_ref().err()) {
            let refusal = (error.class, error.code.as_str(), error.limit.map(NonZeroU32::get));
            assert_eq!(refusal, (Code::Conflict, "storage_limit_reached", Some(1)));
            assert!(error.message.contains("1048576"), "it names the limit: {}", error.message);
        }
        let usage = fleet.storage_usage(&limited.admin).await?;
        assert_eq!((usage.used_bytes, usage.limit_bytes, usage.file_limit_bytes), (3 * third.len() as i64, 1 << 20, 1 << 20));
        // To the last byte.
        let left = (usage.limit_bytes - usage.used_bytes) as usize;
        assert!(fleet.upload(&limited.admin, "a.pdf", &pdf(left + 10)).await.is_err());
        fleet.upload(&limited.admin, "a.pdf", &pdf(left.max(9))).await.map(drop).or_else(|error| if left < 9 { Ok(()) } else { Err(error) })?;
        for _ in 0..2 {
            fleet.upload(&free.admin, "a.pdf", &pdf(1 << 20)).await?;
        }
        fleet.running.stop().await
    }

    async fn who_sees_the_vehicle_reads_its_files(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        for person in [&company.budi, &company.siti] {
            let user = person.grant.user_id.to_string();
            fleet.allow(&user, &company.id.to_string(), &[DEVICE_LIST, DOCUMENT_CREATE, DOCUMENT_LIST]).await;
        }
        let truck = fleet.create(&company.admin, owned_by(&company.budi, new_device("Truck"))).await?;
        let file = fleet.upload(&company.budi, "a.pdf", &pdf(5_000)).await?;
        // Of nothing yet, so whoever brought it alone sees it, and names it.
        for stranger in [&company.admin, &company.siti, &other.admin, &fleet.owner] {
            assert_eq!(fleet.content(stranger, &file.id).await.unwrap_err(), Error::not_found());
        }
        let input = DocumentInput { file_ids: Some(file.id.clone()), ..crate::documents::of_device(&truck) };
        let theirs = fleet.make_document(&company.admin, input.clone()).await.unwrap_err();
        assert_eq!(theirs, Error::field("file_ids", "unknown"));
        let document = fleet.make_document(&company.budi, input).await?;
        assert_eq!(document.files, std::slice::from_ref(&file));
        for reader in [&company.budi, &company.admin, &fleet.owner] {
            assert_eq!(fleet.content(reader, &file.id).await?.len(), 5_000);
        }
        for stranger in [&company.siti, &other.admin] {
            assert_eq!(fleet.content(stranger, &file.id).await.unwrap_err(), Error::not_found());
        }
        // It belongs to one document alone.
        let again = DocumentInput { file_ids: Some(file.id.clone()), ..crate::documents::of_device(&truck) };
        assert_eq!(fleet.make_document(&company.budi, again).await.unwrap_err(), Error::field("file_ids", "unknown"));
        assert_eq!(fleet.upload(&fleet.owner, "a.pdf", &pdf(10)).await.unwrap_err(), Error::field("tenant_id", "required"));
        fleet.running.stop().await
    }

    /// With what names it, after a day without, and when its upload has died.
    async fn unreferenced_files_are_removed(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        let mut files = Vec::new();
        for _ in 0..4 {
            files.push(fleet.upload(admin, "a.pdf", &pdf(1_000)).await?.id);
        }
        let input = DocumentInput { file_ids: Some(format!("{}, {}", files[0], files[1])), ..crate::documents::of_device(&truck) };
        let document = fleet.make_document(admin, input).await?;
        assert_eq!(document.files.len(), 2);
        let fewer = DocumentInput { id: document.id.clone(), file_ids: Some(files[1].clone()), ..DocumentInput::default() };
        let document = fleet.change_document(admin, fewer).await?;
        assert_eq!(document.files.len(), 1);
        assert_eq!(fleet.content(admin, &files[0]).await.unwrap_err(), Error::not_found());
        eventually_equal("it is gone", SOON, 3, async || Ok(fleet.objects()?.len())).await;

        // One that nothing has named since yesterday, and one whose process died while it came in.
        fleet.sql(&format!("UPDATE file SET created_at = 0 WHERE id = {}", quoted(kind, &files[2]))).await;
        fleet.sql(&format!("UPDATE file SET created_at = 0, is_stored = {} WHERE id = {}", boolean_literal(kind, false), quoted(kind, &files[3]))).await;
        fleet.restart().await;
        eventually_equal("they are gone", SOON, 1, async || Ok(fleet.objects()?.len())).await;
        let admin = &company.admin;
        eventually_equal("and take no room", SOON, 1_000, async || Ok(fleet.storage_usage(admin).await?.used_bytes)).await;
        fleet.remove_document(admin, &document.id).await?;
        eventually_equal("with its document", SOON, 0, async || Ok(fleet.objects()?.len())).await;
        fleet.running.stop().await
    }
}

/// An id as it stands in SQL.
fn quoted(kind: armada_testkit::Kind, id: &str) -> String {
    match kind {
        armada_testkit::Kind::Postgres => format!("'{id}'"),
        armada_testkit::Kind::Sqlite => format!("x'{}'", id.replace('-', "")),
    }
}

fn boolean_literal(kind: armada_testkit::Kind, truth: bool) -> &'static str {
    match (kind, truth) {
        (armada_testkit::Kind::Postgres, true) => "TRUE",
        (armada_testkit::Kind::Postgres, false) => "FALSE",
        (_, true) => "1",
        (_, false) => "0",
    }
}
