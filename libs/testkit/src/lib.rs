//! For tests alone: a [`World`] with its own nats-server and database, in which services run as they do in production,
//! and what a test needs to talk to them. There are no mocks here. What goes wrong in this crate panics: it fails the
//! test that asked for it.
//!
//! ```ignore
//! both_databases! {
//!     async fn devices_of_others_do_not_exist(kind: Kind) -> anyhow::Result<()> {
//!         let world = World::start(kind).await;
//!         let context = world.context(&["fleet"]).await;
//!         armada_fleet::migrate(&context.bus, &context.database("fleet")?, &Config::default()).await?;
//!         let mut process = world.process(&context);
//!         process.add(armada_fleet::build(&context, Config::default()).await?);
//!         let running = world.run(process, &context).await;
//!
//!         let admin = world.tenant_admin(TenantId::new()).await;
//!         let mut devices = DevicesClient::new(context.peers.transport("fleet")?);
//!         devices.create(admin.sign(DeviceInput::default())).await.unwrap_err();
//!         running.stop().await
//!     }
//! }
//! ```

#![warn(missing_docs)]

/// The program's: tests spend less in it than in that of the system, and use memory as the program does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod api;
mod authority;
mod callers;
mod collector;
mod eventually;
mod gateway;
mod kind;
mod nats;
mod nats_cluster;
mod plan;
mod port;
mod postgres;
mod process;
mod schema;
mod scratch;
mod small_disk;
mod socket;
mod tables;
mod tls_front;
mod world;
mod x509;

pub use api::{Api, Reply};
pub use authority::{Authority, ServerCertificate};
pub use callers::{READ_PERMISSIONS, Signed};
pub use collector::{CollectedSpan, Collector};
pub use eventually::{eventually, eventually_equal};
pub use gateway::Gateway;
pub use kind::{Kind, run_body};
pub use nats::{NatsServer, nats_program};
pub use nats_cluster::NatsCluster;
pub use plan::expect_order_of_index;
pub use port::free_port;
pub use postgres::{Durability, Postgres, SHARED_PORT};
pub use process::{children_of, spawn_until_death};
pub use schema::{IdColumn, Schema, UniqueIndex};
pub use scratch::temp_dir;
pub use small_disk::SmallDisk;
pub use socket::{Closed, Socket};
pub use tables::{Migrating, Tables};
pub use tls_front::TlsFront;
pub use world::{RunningProcess, World};
