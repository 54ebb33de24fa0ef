//! How files are called on their way out.

use armada_bff::rules::resources::disposition;
use armada_proto::v1::{self, FileKind};

#[test]
fn names_of_files_cannot_leave_their_header() {
    let file =
        v1::File { name: "STNK \"B 1\"\r\n x/ü.pdf".to_owned(), kind: FileKind::Pdf.into(), ..Default::default() };
    let shown = disposition(&file);
    assert_eq!(shown, "attachment; filename=\"file.pdf\"; filename*=UTF-8''STNK%20%22B%201%22%0D%0A%20x%2F%C3%BC.pdf");
    assert!(http::HeaderValue::from_str(&shown).is_ok());
}
