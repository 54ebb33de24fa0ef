//! Attacks on the whole program: each is what somebody tried on a running Armada, over the ports that it opens, and each
//! one worked before it was mended. The program runs with a `nats-server` of its own, on SQLite and on PostgreSQL.

use crate::support;

// One module for each kind of attack; keep them in the order of the alphabet.
mod accounts;
mod bus;
mod database;
mod deleted_tenant;
mod imei_squatting;
mod sign_in;
mod slow_clients;
