//! What live sockets tell.

mod columns;
mod commands;
mod directory;
mod inbox;
mod message;
mod rows;
mod shown;
