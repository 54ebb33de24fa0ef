//! What refusals of mail servers are about.

use armada_identity::rules::is_about_email;

#[test]
fn refusals_are_told_apart() {
    for (code, words) in [(550, "5.1.1 no such user"), (552, "5.2.2 full"), (550, "who?"), (554, "5.6.0 broken")] {
        assert!(is_about_email(code, words), "{code} {words}");
    }
    for (code, words) in [
        (535, "5.7.8 wrong password"),
        (530, "sign in first"),
        (550, "5.7.1 relaying denied"),
        (553, "5.1.8 sender"),
        (521, "no mail here"),
        (554, "5.3.2 closed"),
    ] {
        assert!(!is_about_email(code, words), "{code} {words}");
    }
}
