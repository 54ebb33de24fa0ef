//! When a role allows more than before.

use armada_identity::rules::is_wider;
use armada_proto::v1::Effect;

#[test]
fn removing_a_deny_widens_rights() {
    let (none, allow, deny) = (None, Some(Effect::Allow), Some(Effect::Deny));
    for (before, after) in [(none, allow), (deny, none), (deny, allow)] {
        assert!(is_wider(before, after) && !is_wider(after, before));
        assert!(!is_wider(before, before));
    }
}
