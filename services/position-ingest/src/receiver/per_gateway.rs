//! Something of each gateway.

use std::{collections::HashMap, hash::BuildHasher};

/// What there is of a gateway; its name is copied only when there was nothing.
pub(super) fn of_gateway<'a, T: Default, S: BuildHasher>(
    all: &'a mut HashMap<String, T, S>,
    gateway: &str,
) -> &'a mut T {
    if !all.contains_key(gateway) {
        all.insert(gateway.to_owned(), T::default());
    }
    all.get_mut(gateway).expect("it is there")
}
