//! Which hot frames are read together.

/// The first and last number of each page of frames, which are given in their order as number and positions. A page has
/// at most `positions`, unless one frame alone has more: frames may be many, or large.
pub fn frame_pages(sizes: &[(i64, i32)], positions: i64) -> Vec<(i64, i64)> {
    let mut pages: Vec<(i64, i64)> = Vec::new();
    let mut room = 0;
    for &(seq, n) in sizes {
        match pages.last_mut() {
            Some(page) if room >= i64::from(n) => page.1 = seq,
            _ => {
                pages.push((seq, seq));
                room = positions;
            }
        }
        room -= i64::from(n);
    }
    pages
}
