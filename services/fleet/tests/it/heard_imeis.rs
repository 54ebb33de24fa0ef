//! Trackers that speak while nobody has them: who sees which of them, and until when.

use armada_proto::{
    access::permission::{DEVICE_LIST, HEARD_IMEI_LIST},
    heard_imeis,
    v1::{HeardImei, HeardImeiList, ImeiStatus, ListHeardImeisRequest, heard_imeis_client::HeardImeisClient},
};
use armada_runtime::{Code, Error, Result};
use armada_testkit::{Signed, both_databases, eventually};

use crate::support::{Company, Fleet, SOON, answer, new_imei};

impl Fleet {
    async fn heard_imeis(&self, caller: &Signed, request: ListHeardImeisRequest) -> Result<HeardImeiList> {
        let fleet = self.running.context.peers.transport("fleet").unwrap();
        answer(HeardImeisClient::new(fleet).list(caller.sign(request)).await)
    }

    /// Waits until somebody sees these IMEIs and no others; gives what is said of them in the order that is named.
    pub async fn expect_listed(
        &self,
        caller: &Signed,
        request: ListHeardImeisRequest,
        wanted: &[&String],
    ) -> Vec<HeardImei> {
        eventually(&format!("{wanted:?} are listed"), SOON, async || {
            let HeardImeiList { mut items, total } = self.heard_imeis(caller, request.clone()).await?;
            anyhow::ensure!(items.len() == wanted.len() && total as usize == wanted.len(), "found {items:?}");
            items.sort_by_key(|item| wanted.iter().position(|imei| **imei == item.imei));
            anyhow::ensure!(items.iter().zip(wanted).all(|(item, imei)| item.imei == **imei), "found {items:?}");
            Ok(items)
        })
        .await
    }
}

pub fn all() -> ListHeardImeisRequest {
    ListHeardImeisRequest::default()
}

fn of(company: &Company) -> ListHeardImeisRequest {
    ListHeardImeisRequest { tenant_id: Some(company.id.to_string()), ..all() }
}

both_databases! {
    async fn a_tenant_sees_what_came_through_its_own_gateways_alone(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (one, two) = (fleet.company("One").await, fleet.company("Two").await);
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        fleet.give_gateway(&one, "own").await?;
        fleet.give_gateway(&one, "own-2").await?;
        let (own, both, mixed, more, open, early) =
            (new_imei(), new_imei(), new_imei(), new_imei(), new_imei(), new_imei());
        fleet.record_heard_imei(&own, &["own"], false).await;
        fleet.record_heard_imei(&both, &["own", "own-2"], false).await;
        fleet.record_heard_imei(&mixed, &["own", "open"], false).await;
        fleet.record_heard_imei(&more, &["own"], true).await;
        fleet.record_heard_imei(&open, &["open"], false).await;
        fleet.record_heard_imei(&early, &["later"], false).await;
        fleet.give_gateway(&one, "later").await?;

        let items = fleet.expect_listed(&fleet.owner, all(), &[&own, &both, &mixed, &more, &open, &early]).await;
        assert_eq!((items[2].gateways.as_slice(), items[2].more_gateways), (&["own".to_owned(), "open".to_owned()][..], false));
        assert!(items[3].more_gateways && items[0].check_digit_ok && items[0].claimant.is_none());
        assert!(items[0].fixes == 7 && items[0].first_heard.is_some() && items[0].first_heard <= items[0].last_heard);

        fleet.expect_listed(&one.admin, all(), &[&own, &both]).await;
        fleet.expect_listed(&one.admin, of(&one), &[&own, &both]).await;
        fleet.expect_listed(&fleet.owner, of(&one), &[&own, &both]).await;
        // That another tenant has one is told to none but platform owners.
        assert_eq!(fleet.name(&two, &both).await.imei_status(), ImeiStatus::Bound);
        fleet.expect_listed(&fleet.owner, all(), &[&own, &mixed, &more, &open, &early]).await;
        fleet.expect_listed(&one.admin, all(), &[&own, &both]).await;
        // Without gateways there is nothing, and nothing that somebody asks for makes a difference.
        let nothing = fleet.heard_imeis(&two.admin, all()).await?;
        assert_eq!(nothing, HeardImeiList::default());
        for gateway in ["own", "open", "nobody's"] {
            let asked = ListHeardImeisRequest { gateway: Some(gateway.to_owned()), q: own.clone(), ..all() };
            assert_eq!(fleet.heard_imeis(&two.admin, asked).await?, nothing);
        }
        assert_eq!(fleet.heard_imeis(&two.admin, of(&one)).await.unwrap_err(), Error::not_found());

        // What comes through somebody else's gateway as well is not theirs alone any more.
        fleet.record_heard_imei(&own, &["own", "open"], false).await;
        fleet.expect_listed(&one.admin, all(), &[&both]).await;
        fleet.running.stop().await
    }

    async fn who_holds_the_permission_sees_what_their_tenant_sees(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.stranger("Stranger").await;
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        fleet.give_gateway(&company, "own").await?;
        let (tenant, user) = (company.id.to_string(), company.budi.grant.user_id.to_string());
        let (claimed, free) = (new_imei(), new_imei());
        fleet.record_heard_imei(&claimed, &["open"], false).await;
        let device = fleet.name(&company, &claimed).await;
        assert_eq!(device.imei_status(), ImeiStatus::Pending);
        fleet.record_heard_imei(&claimed, &["own"], false).await;
        fleet.record_heard_imei(&free, &["own"], false).await;

        assert_eq!(fleet.heard_imeis(&company.budi, all()).await.unwrap_err().class, Code::Forbidden);
        let items = fleet.expect_listed(&company.admin, all(), &[&claimed, &free]).await;
        let claimant = items[0].claimant.clone().expect("the device that waits for it");
        assert_eq!((claimant.device_id, claimant.device_name, claimant.tenant_id), (device.id, device.name, tenant.clone()));
        assert!(items[1].claimant.is_none());
        let of_platform = fleet.expect_listed(&fleet.owner, all(), &[&claimed, &free]).await;
        assert_eq!(of_platform, items);

        // Which devices there are is not theirs to know.
        for keys in [&[HEARD_IMEI_LIST][..], &[HEARD_IMEI_LIST, DEVICE_LIST]] {
            fleet.allow(&user, &tenant, keys).await;
            let items = fleet.expect_listed(&company.budi, all(), &[&claimed, &free]).await;
            assert!(items.iter().all(|item| item.claimant.is_none()), "{items:?}");
        }
        fleet.running.stop().await
    }

    async fn bound_imeis_leave_the_heard_list(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        let before = new_imei();
        let (first, second) = (new_imei(), new_imei());
        for imei in [&before, &first, &second] {
            fleet.record_heard_imei(imei, &["open"], false).await;
        }
        fleet.name(&company, &before).await;
        fleet.expect_listed(&fleet.owner, all(), &[&first, &second]).await;
        let device = fleet.name(&company, &first).await;
        assert_eq!(device.imei_status(), ImeiStatus::Bound);
        fleet.expect_listed(&fleet.owner, all(), &[&second]).await;
        fleet.delete(&company.admin, &device.id, None).await?;
        fleet.expect_listed(&fleet.owner, all(), &[&first, &second]).await;
        // Nobody can make an entry but who listens.
        fleet.world.bus.bucket(heard_imeis::BUCKET).await?.put(new_imei(), "nonsense".into()).await?;
        let third = new_imei();
        fleet.record_heard_imei(&third, &["open"], false).await;
        fleet.expect_listed(&fleet.owner, all(), &[&first, &second, &third]).await;
        fleet.running.stop().await
    }

    async fn heard_imeis_are_sorted_searched_and_paged(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        fleet.create_heard_imei_bucket(heard_imeis::MAX_BYTES).await;
        let mut imeis = [new_imei(), new_imei(), new_imei(), new_imei()];
        for (imei, gateway) in imeis.iter().zip(["a", "b", "a", "b"]) {
            fleet.record_heard_imei(imei, &[gateway], false).await;
        }
        let owner = &fleet.owner;
        fleet.expect_listed(owner, all(), &imeis.each_ref()).await;
        let of_a = ListHeardImeisRequest { gateway: Some("a".to_owned()), ..all() };
        fleet.expect_listed(owner, of_a, &[&imeis[0], &imeis[2]]).await;
        let typed = format!("{}-{} {}", &imeis[1][..2], &imeis[1][2..8], &imeis[1][8..]);
        fleet.expect_listed(owner, ListHeardImeisRequest { q: typed, ..all() }, &[&imeis[1]]).await;
        imeis.sort_unstable();
        imeis.reverse();
        let page = async |page: u32| -> anyhow::Result<Vec<String>> {
            let request = ListHeardImeisRequest { sort: "-imei".to_owned(), page_size: 3, page, ..all() };
            let list = fleet.heard_imeis(owner, request).await?;
            assert_eq!(list.total, 4);
            Ok(list.items.into_iter().map(|item| item.imei).collect())
        };
        assert_eq!((page(1).await?.as_slice(), page(2).await?.as_slice()), (&imeis[..3], &imeis[3..]));
        assert!(page(3).await?.is_empty());
        for sort in ["name", "-name", "imei "] {
            let request = ListHeardImeisRequest { sort: sort.to_owned(), ..all() };
            assert_eq!(fleet.heard_imeis(owner, request).await.unwrap_err(), Error::field("sort", "unknown"), "{sort}");
        }
        let request = ListHeardImeisRequest { page_size: 501, ..all() };
        assert_eq!(fleet.heard_imeis(owner, request).await.unwrap_err(), Error::field("page_size", "too_large"));
        fleet.running.stop().await
    }
}
