//! What a file names that there is not: it is told, and made where somebody says so and may.

use std::{
    collections::{BTreeMap, BTreeSet},
    iter,
};

use armada_proto::{
    Validate,
    v1::{DriverInput, ImportMissing, MasterDataEntryInput, MasterDataKind},
};
use armada_runtime::{Caller, Code, Error, Result, text::look_alike};

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

/// As what drivers are listed.
const DRIVERS: &str = "Drivers";
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

/// What lists things that can be made of a name.
pub(super) fn makers() -> impl Iterator<Item = &'static str> {
    iter::once(DRIVERS).chain(ENTRIES.iter().map(|(listed_by, _)| *listed_by))
}

/// What can be made of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Thing {
    Driver,
    Entry(MasterDataKind),
}

impl Thing {
    fn of(mention: &Mention<'_>) -> Option<Self> {
        if mention.listed_by == DRIVERS {
            return Some(Self::Driver);
        }
        let (_, kind) = ENTRIES.iter().find(|(listed_by, _)| *listed_by == mention.listed_by)?;
        // A model is of a brand.
        Some(Self::Entry(*kind)).filter(|_| !has_brand(*kind) || mention.brand.is_some())
    }

    /// Whether somebody may make one.
    fn may_be_made_by(self, caller: &Caller) -> bool {
        let module = match self {
            Self::Driver => "driver",
            Self::Entry(_) => "master_data",
        };
        caller.can(&format!("{module}:create"))
    }

    fn is_model(self) -> bool {
        matches!(self, Self::Entry(kind) if has_brand(kind))
    }

    /// What is wrong with a name for it, if anything is.
    fn wrong_with(self, name: &str) -> Option<&'static str> {
        let name = Some(name.to_owned());
        let violations = match self {
            Self::Driver => DriverInput { name, ..DriverInput::default() }.validate(),
            Self::Entry(kind) => {
                MasterDataEntryInput { kind: Some(kind.into()), name, ..MasterDataEntryInput::default() }.validate()
            }
        };
        violations.iter().find(|(field, _)| *field == "name").map(|(_, code)| code)
    }
}

fn has_brand(kind: MasterDataKind) -> bool {
    matches!(kind, MasterDataKind::GpsModel | MasterDataKind::VehicleModel)
}

/// By what a thing is the same: the place of its column, and the brand and name as they look.
type Key = (&'static str, String, String);

/// Something that there is not.
struct Lack<'a> {
    thing: Thing,
    mention: Mention<'a>,
    /// Why nothing can be called so, as a code.
    wrong: Option<&'static str>,
}

/// Names of which there is nothing yet, each once.
pub(super) struct Missing<'a> {
    lacks: BTreeMap<Key, Lack<'a>>,
    caller: &'a Caller,
    /// Whose what is made is, where that is not the caller's own tenant.
    tenant: Option<String>,
    is_made: bool,
}

impl<'a> Missing<'a> {
    /// Of these names those that can be made something of, where it is known that there is nothing yet. Of platform owners
    /// they are somebody's only when it is said whose. An error when more would be made than may be.
    pub(super) fn new(
        mentions: &[Mention<'a>],
        names: &Names,
        caller: &'a Caller,
        tenant: Option<String>,
        is_made: bool,
    ) -> Result<Self> {
        let has_owner = caller.scope().tenant().is_some() || tenant.is_some();
        let is_unknown =
            |mention: &&Mention<'_>| names.is_listed(mention.listed_by) && mention.id(names) == Err("unknown");
        let unknown = mentions.iter().filter(|mention| has_owner && is_unknown(mention));
        let mut lacks = BTreeMap::new();
        for (thing, mention) in unknown.filter_map(|mention| Some((Thing::of(mention)?, *mention))) {
            let lack = || Lack { thing, mention, wrong: thing.wrong_with(mention.own_name()) };
            lacks.entry(key(&mention)).or_insert_with(lack);
        }
        let missing = Self { lacks, caller, tenant, is_made };
        if is_made && missing.lacks.values().filter(|lack| missing.can_make(lack)).count() > MADE_MAX {
            let message = format!("more than {MADE_MAX} are missing");
            return Err(Error::new(Code::Invalid, "import_too_many_missing", message));
        }
        Ok(missing)
    }

    fn can_make(&self, lack: &Lack<'_>) -> bool {
        lack.wrong.is_none() && lack.thing.may_be_made_by(self.caller)
    }

    /// Makes what may be made of these names, brands before their models, and says which ids that has now. What somebody
    /// else has made meanwhile is found.
    pub(super) async fn make(
        &mut self,
        needed: &[Mention<'_>],
        clients: &Clients,
        readers: &FileReaders,
        names: &mut Names,
    ) -> Result<()> {
        let needed: BTreeSet<_> = needed.iter().map(key).collect();
        let to_make = self.lacks.iter().filter(|(key, lack)| needed.contains(*key) && self.can_make(lack));
        let (models, others): (Vec<_>, Vec<_>) =
            to_make.map(|(_, lack)| (lack.thing, lack.mention)).partition(|(thing, _)| thing.is_model());
        if others.is_empty() && models.is_empty() {
            return Ok(());
        }
        let named = self.tenant.as_deref().and_then(|tenant| tenant.parse().ok());
        let _turn = readers.turn_to_make(self.caller.scope().tenant().or(named)).await?;
        let to_make: Vec<_> = others.into_iter().chain(models).collect();
        self.find(to_make.iter().map(|(_, mention)| mention), clients, names).await?;
        for (thing, mention) in to_make {
            if mention.id(names) != Err("unknown") {
                continue;
            }
            let brand = mention.brand.and_then(|brand| names.id_of(brands_of(&mention), brand).ok());
            if mention.brand.is_some() && brand.is_none() {
                continue;
            }
            match self.make_one(clients, thing, mention.own_name(), brand).await {
                Ok(id) => mention.spellings().iter().for_each(|name| names.learn(mention.listed_by, name, &id)),
                Err(error) if error.class == Code::Conflict => {
                    self.find(iter::once(&mention), clients, names).await?;
                    if mention.id(names) == Err("unknown") {
                        return Err(error);
                    }
                }
                Err(error) if error.class == Code::Invalid => {
                    self.lacks.entry(key(&mention)).and_modify(|lack| lack.wrong = Some("invalid"));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    async fn find<'m>(
        &self,
        mentions: impl Iterator<Item = &'m Mention<'m>>,
        clients: &Clients,
        names: &mut Names,
    ) -> Result<()> {
        names.find(mentions::asked(mentions), clients, self.caller, self.tenant.as_deref()).await
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
        match self.lacks.get(&key(mention)) {
            Some(Lack { wrong: Some(code), .. }) => Some(code),
            Some(lack) if !self.can_make(lack) => Some("missing_forbidden"),
            Some(_) if self.is_made => None,
            Some(_) => Some("missing"),
            None => Some("unknown"),
        }
    }

    /// All of it, column by column; not what nothing can be called.
    pub(super) fn told(&self) -> Vec<ImportMissing> {
        let mut told = Vec::<ImportMissing>::new();
        for ((field, ..), lack) in self.lacks.iter().filter(|(_, lack)| lack.wrong.is_none()) {
            if told.last().is_none_or(|last| last.field != *field) {
                let may_create = lack.thing.may_be_made_by(self.caller);
                told.push(ImportMissing { field: (*field).to_owned(), may_create, ..ImportMissing::default() });
            }
            let Some(column) = told.last_mut() else { continue };
            column.count += 1;
            if column.names.len() < NAMES_TOLD {
                column.names.push(lack.mention.spellings().swap_remove(0));
            }
        }
        told
    }
}

fn key(mention: &Mention<'_>) -> Key {
    let Field { name, .. } = mention.field;
    (name, look_alike(mention.brand.unwrap_or_default()), look_alike(mention.own_name()))
}

/// As what the brands of a model are listed.
fn brands_of(model: &Mention<'_>) -> &'static str {
    if model.listed_by == "MasterData gps_model" { "MasterData gps_brand" } else { "MasterData vehicle_brand" }
}
