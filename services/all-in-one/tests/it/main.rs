//! The whole program, over the ports that it opens.

mod attacks;
mod backup;
mod certificates;
mod chart;
mod clock;
mod commands;
mod compose;
mod database_away;
mod demo;
mod faults;
mod full_disk;
mod gateway_examples;
mod jobs;
mod live_examples;
mod nats_servers;
mod observability;
mod one_of_three;
mod process;
mod replay;
mod reseal;
mod row_level_security;
mod support;
mod takeover;
