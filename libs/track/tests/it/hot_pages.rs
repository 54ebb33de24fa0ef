//! Which hot frames are read together.

use armada_track::frame_pages;

#[test]
fn pages_are_bounded_and_complete() {
    assert_eq!(frame_pages(&[], 20), []);
    assert_eq!(frame_pages(&[(4, 20), (5, 1), (7, 19), (8, 1)], 20), [(4, 4), (5, 7), (8, 8)]);
    assert_eq!(frame_pages(&[(1, 30), (2, 5)], 20), [(1, 1), (2, 2)]);
}
