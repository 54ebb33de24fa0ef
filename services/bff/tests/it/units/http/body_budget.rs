//! What bodies may take while they come.

use std::net::IpAddr;

use armada_bff::rules::http::BodyBudget;
use armada_runtime::Code;

fn address(number: u8) -> Option<IpAddr> {
    Some(IpAddr::from([192, 0, 2, number]))
}

#[test]
fn an_address_and_all_of_them_have_a_share() {
    let budget = BodyBudget::default();
    let mut one: Vec<_> = (0..3).map(|_| budget.begin(address(1))).collect();
    let taken = one.iter_mut().map(|body| body.add(8 << 20)).collect::<Vec<_>>();
    assert!(taken.iter().all(Result::is_ok), "24 MB are theirs");
    let mut more = budget.begin(address(1));
    more.add(16 << 10).expect("what people type goes through");
    let refused = more.add(1 << 20).expect_err("they have taken their share");
    assert_eq!((refused.class, refused.retry_after), (Code::TooManyRequests, Some(2)));

    let mut others: Vec<_> = (2..8).map(|number| budget.begin(address(number))).collect();
    let refused = others.iter_mut().find_map(|body| body.add(10 << 20).err()).expect("there are 64 MB");
    assert_eq!(refused.class, Code::Unavailable);
    assert!(budget.taken() <= 64 << 20);
    drop((one, others, more));
    assert_eq!(budget.taken(), 0, "it is given back");
    budget.begin(address(1)).add(8 << 20).expect("there is room again");
}
