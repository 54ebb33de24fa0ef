//! `armada backup` and `armada restore`: all that is stored, copied while Armada runs, and brought back. A copy is a folder
//! of files with a manifest, which is written last: without it, it is none. The erase ledger is in no copy. It stands in
//! NATS, where no restored copy takes it back, and as text beside the copies.

mod contents;
mod digest;
mod files;
mod key_mark;
mod ledger;
mod libpq;
mod make;
mod manifest;
mod postgres;
mod report;
mod restore;
mod retention;
mod sqlite;
mod unfinished;
mod verify;

pub(crate) use self::{
    make::{BackupArgs, run as make},
    restore::{RestoreArgs, run as restore},
    unfinished::refuse as refuse_unfinished,
};
