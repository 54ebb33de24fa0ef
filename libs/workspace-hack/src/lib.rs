//! No code: a crate that every other one has beneath it, and that asks for the features of dependencies which some of them
//! need and others do not. Cargo unites the features of what it builds at a time, so a dependency would be compiled anew
//! whenever another crate is named with `-p`. `scripts/check-features` compares them, and says what to add here.
