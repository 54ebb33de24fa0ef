//! What a file names that there is not: it is told, and made where somebody says so and may.

use std::collections::BTreeMap;

use armada_proto::v1::{DriverInput, ImportMissing, MasterDataEntryInput, MasterDataKind};
use armada_runtime::{Caller, Code, Error, Result, text::fold};

use super::{
    columns::Field,
    lookup::Names,
    mentions::{self, Mention},
    readers::FileReaders,
};
use crate::clients::Clients;

/// Things that are made for one file.
const MADE_MAX: usize = 500;
/// Names of a column that are told.
const NAMES_TOLD: usize = 20;

/// The entries of the master data that a name is enough for, or a name and a brand, by what they are listed as.
const ENTRIES: [(&str, MasterDataKind); 10] = [
    ("MasterData gps_brand", MasterDataKind::GpsBrand),
    ("MasterData gps_model", MasterDataKind::GpsModel),
    ("MasterData vehicle_brand", MasterDataKind::VehicleBrand),
    ("MasterData vehicle_model", MasterDataKind::VehicleModel),
    ("MasterData vehicle_type", MasterDataKind::VehicleType),
    ("MasterData vehicle_status", MasterDataKind::VehicleStatus),
    ("MasterData device_category", MasterDataKind::DeviceCategory),
    ("MasterData cargo_category", MasterDataKind::CargoCategory),
    ("MasterData device_group", MasterDataKind::DeviceGroup),
    ("MasterData warehouse", MasterDataKind::Warehouse),
];

/// What can be made of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Thing {
    Driver,
    Entry(MasterDataKind),
}

impl Thing {
    fn of(mention: &Mention<'_>) -> Option<Self> {
        if mention.listed_by == "Drivers" {
            return Some(Self::Driver);
        }
        let (_, kind) = ENTRIES.iter().find(|(listed_by, _)| *listed_by == mention.listed_by)?;
        // A model is of a brand.
        Some(Self::Entry(*kind)).filter(|_| !has_brand(*kind) || mention.brand.is_some())
    }

    fn permission(self) -> &'static str {
        match self {
            Self::Driver => "driver:create",
            Self::Entry(_) => "master_data:create",
        }
    }
}

fn has_brand(kind: MasterDataKind) -> bool {
    matches!(kind, MasterDataKind::GpsModel | MasterDataKind::VehicleModel)
}

/// Names of which there is nothing yet, each once.
pub(super) struct Missing<'a> {
    /// By the place of the column and the folded brand and name.
    things: BTreeMap<(&'static str, String, String), (Thing, Mention<'a>)>,
    caller: &'a Caller,
    /// Whose what is made is, where that is not the caller's own tenant.
    tenant: Option<String>,
    is_made: bool,
}

impl<'a> Missing<'a> {
    /// Of these names those that can be made something of, where it is known that there is nothing yet. Of platform owners
    /// they are somebody's only when it is said whose.
    pub(super) fn new(
        mentions: &[Mention<'a>],
        names: &Names,
        caller: &'a Caller,
        tenant: Option<String>,
        is_made: bool,
    ) -> Self {
        let has_owner = caller.scope().tenant().is_some() || tenant.is_some();
        let is_unknown =
            |mention: &&Mention<'_>| names.is_listed(mention.listed_by) && mention.id(names) == Err("unknown");
        let unknown = mentions.iter().filter(|mention| has_owner && is_unknown(mention));
        let mut things = BTreeMap::new();
        for (thing, mention) in unknown.filter_map(|mention| Some((Thing::of(mention)?, *mention))) {
            things.entry(key(&mention)).or_insert((thing, mention));
        }
        Self { things, caller, tenant, is_made }
    }

    /// Makes what may be made, brands before their models, and says which ids that has now. What another file has made
    /// meanwhile is found.
    pub(super) async fn make(&self, clients: &Clients, readers: &FileReaders, names: &mut Names) -> Result<()> {
        if !self.is_made || self.things.is_empty() {
            return Ok(());
        }
        if self.things.len() > MADE_MAX {
            return Err(Error::new(
                Code::Invalid,
                "import_too_many_missing",
                format!("more than {MADE_MAX} are missing"),
            ));
        }
        let named = self.tenant.as_deref().and_then(|tenant| tenant.parse().ok());
        let _turn = readers.turn_to_make(self.caller.scope().tenant().or(named)).await?;
        names
            .find(mentions::asked(self.things.values().map(|(_, it)| it)), clients, self.caller, self.tenant.as_deref())
            .await?;
        let (models, others): (Vec<_>, Vec<_>) = self
            .things
            .values()
            .copied()
            .partition(|(thing, _)| matches!(thing, Thing::Entry(kind) if has_brand(*kind)));
        for (thing, mention) in others.into_iter().chain(models) {
            if !self.caller.can(thing.permission()) || mention.id(names) != Err("unknown") {
                continue;
            }
            let brand = mention.brand.and_then(|brand| names.id_of(brands_of(&mention), brand).ok());
            if mention.brand.is_some() && brand.is_none() {
                continue;
            }
            let id = self.make_one(clients, thing, mention.name, brand).await?;
            mention.spellings().iter().for_each(|spelling| names.learn(mention.listed_by, spelling, &id));
        }
        Ok(())
    }

    async fn make_one(&self, clients: &Clients, thing: Thing, name: &str, brand: Option<String>) -> Result<String> {
        // The key of the request is that of the import.
        let mut caller = self.caller.clone();
        caller.once = None;
        let (name, tenant_id) = (Some(name.to_owned()), self.tenant.clone());
        Ok(match thing {
            Thing::Driver => {
                let driver = DriverInput { name, tenant_id, ..DriverInput::default() };
                clients.drivers().create(caller.sign(driver)).await?.into_inner().id
            }
            Thing::Entry(kind) => {
                let kind = Some(kind.into());
                let entry =
                    MasterDataEntryInput { kind, name, tenant_id, parent_id: brand, ..MasterDataEntryInput::default() };
                clients.master_data().create(caller.sign(entry)).await?.into_inner().id
            }
        })
    }

    /// What a name of which there is nothing means for its cell: none when that is made, else the code of what is wrong.
    pub(super) fn code(&self, mention: &Mention<'_>) -> Option<&'static str> {
        match self.things.get(&key(mention)) {
            Some((thing, _)) if !self.caller.can(thing.permission()) => Some("missing_forbidden"),
            Some(_) if self.is_made => None,
            Some(_) => Some("missing"),
            None => Some("unknown"),
        }
    }

    /// All of it, column by column.
    pub(super) fn told(&self) -> Vec<ImportMissing> {
        let mut told = Vec::<ImportMissing>::new();
        for ((field, ..), (thing, mention)) in &self.things {
            if told.last().is_none_or(|last| last.field != *field) {
                let may_create = self.caller.can(thing.permission());
                told.push(ImportMissing { field: (*field).to_owned(), may_create, ..ImportMissing::default() });
            }
            let Some(column) = told.last_mut() else { continue };
            column.count += 1;
            if column.names.len() < NAMES_TOLD {
                column.names.push(mention.spellings().swap_remove(0));
            }
        }
        told
    }
}

/// By what a thing is the same.
fn key(mention: &Mention<'_>) -> (&'static str, String, String) {
    let Field { name, .. } = mention.field;
    (name, fold(mention.brand.unwrap_or_default()), fold(mention.name))
}

/// As what the brands of a model are listed.
fn brands_of(model: &Mention<'_>) -> &'static str {
    if model.listed_by == "MasterData gps_model" { "MasterData gps_brand" } else { "MasterData vehicle_brand" }
}
