//! `helm/armada` without a cluster: its renderings in `helm/golden`, which `scripts/check-chart` keeps up to date, and the program
//! with what its pods are told.

mod declared;
mod pods;
mod serving;
mod settings;
