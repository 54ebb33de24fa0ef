//! Under which limits a guess at a password is.

use armada_identity::rules::throttle::password;

#[test]
fn throttles_ipv6_by_network() {
    let keys = |text: &str| password("a@example.org", Some(text.parse().unwrap()), None);
    let (first, neighbour, stranger) = (keys("2001:db8:1:2::1"), keys("2001:db8:1:3::9"), keys("2001:db8:2:2::1"));
    assert_eq!(first, keys("2001:db8:1:2:ffff::9"));
    // The same account, network and /48; only the /64 is another.
    assert_eq!((&first[0], &first[2], &first[3]), (&neighbour[0], &neighbour[2], &neighbour[3]));
    assert_ne!(first[1], neighbour[1]);
    assert!(first[..3].iter().all(|key| !stranger.contains(key)));
    assert_eq!(keys("::ffff:10.0.0.1"), keys("10.0.0.1"));
}

#[test]
fn known_devices_bypass_the_stranger_limit() {
    let keys = |device| password("a@example.org", Some([203, 0, 113, 7].into()), device);
    let strangers = keys(None);
    assert!(keys(Some(&[1; 16])).iter().all(|key| !strangers.contains(key)));
    assert_ne!(keys(Some(&[1; 16]))[0], keys(Some(&[2; 16]))[0]);
}
