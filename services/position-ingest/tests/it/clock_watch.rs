//! Which clocks are taken for wrong, and that no buffer is.

use armada_position_ingest::live::clock_watch::{ClockWatch, Heard};

/// 2026-09-01T00:00:00Z, in seconds.
const NOW: i64 = 1_788_220_800;

/// What is known after fixes that were recorded and received then, in seconds from now.
fn after(fixes: impl IntoIterator<Item = (i64, i64)>) -> ClockWatch {
    let mut watch = ClockWatch::default();
    hear(&mut watch, fixes);
    watch
}

fn hear(watch: &mut ClockWatch, fixes: impl IntoIterator<Item = (i64, i64)>) {
    for (recorded, received) in fixes {
        let (recorded_at, received_at) = ((NOW + recorded) * 1_000, (NOW + received) * 1_000);
        watch.hear(Some(Heard { recorded_at, received_at, is_corrected: false }));
    }
}

/// Fixes every ten seconds of a clock that is off by so much, each of which comes some seconds later.
fn live(off: i64, from: i64, seconds: i64) -> impl Iterator<Item = (i64, i64)> {
    (from..from + seconds).step_by(10).map(move |at| (at + off, at + at / 10 % 7))
}

#[test]
fn clock_that_stays_behind_is_wrong() {
    assert_eq!(after(live(0, 0, 3_600)).seconds_off(), None);
    let watch = after(live(-7_200, 0, 300));
    assert_eq!(watch.seconds_off(), Some(-7_200));
    assert!(watch.explains(7_205_000) && !watch.explains(7_300_000) && !watch.explains(5_000));
    assert_eq!(after(live(-90, 0, 300)).seconds_off(), Some(-90));
    assert_eq!(after(live(-90, 0, 60)).seconds_off(), None, "a minute says nothing");
    assert_eq!(after(live(120, 0, 10)).seconds_off(), Some(120));
    // Put right.
    let mut watch = after(live(-7_200, 0, 300));
    hear(&mut watch, live(0, 400, 10));
    assert_eq!(watch.seconds_off(), None);
    // Set back while it was known to be right: fixes are older than those before.
    let mut watch = after(live(0, 0, 600));
    hear(&mut watch, live(-300, 600, 300));
    assert_eq!(watch.seconds_off(), Some(-300));
    let lost = Heard { recorded_at: NOW * 1_000, received_at: NOW * 1_000, is_corrected: true };
    watch.hear(Some(lost));
    assert_eq!(watch.seconds_off(), Some(-7_168 * 86_400));
}

#[test]
fn buffered_days_are_no_wrong_clock() {
    let day = 86_400;
    // Three days, sent at once, ten times as fast as they were recorded, a third faster, and a tenth: each fix by itself.
    for faster in [1_000, 100, 13, 11] {
        let mut watch = ClockWatch::default();
        for at in (-3 * day..0).step_by(10) {
            let received = (at + 3 * day) * 10 / faster;
            hear(&mut watch, [(at, received)]);
            assert_eq!(watch.seconds_off(), None, "{at} {faster}");
        }
    }
    // At the very pace at which they were recorded, from the end of the last fix that was right.
    let mut watch = after(live(0, -7_300, 100));
    hear(&mut watch, live(-7_190, 0, day / 2));
    assert_eq!(watch.seconds_off(), None);
    // That it stays so for more than a day is no buffer.
    hear(&mut watch, live(-7_190, day / 2, day));
    assert_eq!(watch.seconds_off(), Some(-7_190));
    // The same pace, when it is not known whether the clock was right before: neither what came before the start nor after it says
    // so, until one fix is right.
    for before in [0, 300] {
        let mut watch = after(live(-7_190, -before, before)).of_known_device();
        hear(&mut watch, live(-7_190, 0, day / 2));
        assert_eq!(watch.seconds_off(), None, "{before}");
        hear(&mut watch, live(-7_190, day / 2, day));
        assert!(watch.seconds_off().is_some(), "{before}");
    }
    let mut watch = after([]).of_known_device();
    hear(&mut watch, live(0, 0, 10).chain(live(-300, 10, 300)));
    assert_eq!(watch.seconds_off(), Some(-300), "set back");
    // New fixes between old ones.
    let mut watch = ClockWatch::default();
    for at in (0..3_600).step_by(10) {
        hear(&mut watch, [(at, at), (at - 7_200, at + 1)]);
    }
    assert_eq!(watch.seconds_off(), None);
}
