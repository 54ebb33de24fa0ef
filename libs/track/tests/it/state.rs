//! A device's state as bytes.

use armada_track::{CodecError, DeviceState, Report, Thresholds};
use proptest::{collection::vec, prelude::*};

use crate::support::{any_report, arrivals};

fn state(reports: Vec<Report>) -> DeviceState {
    let mut state = DeviceState::default();
    reports.into_iter().for_each(|report| drop(state.advance(report, &Thresholds::default())));
    state
}

proptest! {
    #[test]
    fn states_round_trip(usual in arrivals(), wild in vec(any_report(), 0..12)) {
        for reports in [usual, wild] {
            let state = state(reports);
            prop_assert_eq!(DeviceState::decode(&state.encode()), Ok(state));
        }
    }

    #[test]
    fn decoding_any_bytes_does_not_panic(usual in arrivals(), at: prop::sample::Index, byte: u8, junk: Vec<u8>) {
        let mut bytes = state(usual).encode();
        let at = at.index(bytes.len());
        prop_assert!(DeviceState::decode(&bytes[..at]).is_err());
        bytes[at] = byte;
        let _ = DeviceState::decode(&bytes);
        let _ = DeviceState::decode(&junk);
    }
}

#[test]
fn a_state_is_small() {
    let reports = (0..20).map(|second| Report::new(1_790_000_000_000 + second * 15_000, 1, 2)).collect();
    assert!(state(reports).encode().len() < 140);
    assert_eq!(DeviceState::decode(&[7]), Err(CodecError::UnknownCodec(7)));
}
