//! What was not taken in.

pub mod dead_letters;
pub mod device_rejections;
pub mod held_fixes;
pub mod replay;
pub mod set_aside;
