//! How a message looks to somebody who wants to know what a gateway sends.

use armada_track::preview;

#[test]
fn preview_shows_text_or_hex() {
    let text = preview(br#"{"name": "Jalan Sudirman"}"#, 100);
    assert!(text.is_text && text.text.contains("Sudirman") && !text.is_cut);
    let bytes = preview(&[8, 1, 0xFF], 100);
    assert_eq!((bytes.is_text, bytes.text.as_str()), (false, "0801ff"));
    let cut = preview("éé".as_bytes(), 3);
    assert_eq!((cut.is_text, cut.is_cut, cut.text.as_str()), (true, true, "é"));
    assert!(!preview(b"a\x00b", 100).is_text, "what no text has");
}
