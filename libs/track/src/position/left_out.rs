//! What of a report was left out: a value that cannot be costs itself, never its fix.

macro_rules! fields {
    ($($(#[$doc:meta])* $field:ident = $name:literal,)*) => {
        /// A field of a report beside its time.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Field { $($(#[$doc])* $field,)* }

        impl Field {
            /// Every field.
            pub const ALL: &[Self] = &[$(Self::$field,)*];

            /// As it is spelt in JSON.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$field => $name,)* }
            }
        }
    };
}

fields! {
    /// Of an alarm alone, which needs no place.
    Lat = "lat",
    /// Of an alarm alone, which needs no place.
    Lng = "lng",
    /// km/h.
    Speed = "speed",
    /// Degrees.
    Course = "course",
    /// Metres.
    Alt = "alt",
    /// Satellites.
    Sat = "sat",
    /// Whether there is a fix.
    Valid = "valid",
    /// Whether the ignition is on.
    Ignition = "ignition",
    /// Metres.
    Odometer = "odometer",
    /// Litres.
    FuelLiter = "fuel_liter",
    /// Per cent.
    FuelPercent = "fuel_percent",
    /// Per cent.
    BattPercent = "batt_percent",
    /// Whether it is charged.
    Charge = "charge",
    /// Per cent.
    GsmSignal = "gsm_signal",
    /// Names of alarms, which are cut instead of left out.
    Alarm = "alarm",
    /// A JSON object.
    Attrs = "attrs",
}

/// Why a value was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Flaw {
    /// No number that the field can have.
    OutOfRange = 1,
    /// Nothing that the field can be: a text where a number stands, for one.
    WrongType,
    /// More bytes than are kept.
    TooLong,
    /// JSON that parsers do not read: too deep, with a number beyond all numbers, or with half a character.
    Unreadable,
}

impl Flaw {
    const ALL: [Self; 4] = [Self::OutOfRange, Self::WrongType, Self::TooLong, Self::Unreadable];

    /// The stable name, as in answers and metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OutOfRange => "out_of_range",
            Self::WrongType => "wrong_type",
            Self::TooLong => "too_long",
            Self::Unreadable => "unreadable",
        }
    }
}

/// Bits of a field, which hold its [`Flaw`].
const BITS: u32 = 4;

/// The fields of a report that were left out, each with why. Nothing of them is stored: their gateway is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LeftOut(u64);

impl LeftOut {
    /// Nothing was.
    pub const NOTHING: Self = Self(0);

    /// Adds a field; what was said of it before stands.
    pub const fn add(&mut self, field: Field, flaw: Flaw) {
        let shift = field as u32 * BITS;
        if self.0 >> shift & 0xf == 0 {
            self.0 |= (flaw as u64) << shift;
        }
    }

    /// Of the place of an alarm, what cannot be.
    pub(crate) const fn place(&mut self, lat: bool, lng: bool) {
        if lat {
            self.add(Field::Lat, Flaw::OutOfRange);
        }
        if lng {
            self.add(Field::Lng, Flaw::OutOfRange);
        }
    }

    /// Whether nothing was left out.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The fields, in the order of [`Field::ALL`].
    pub fn iter(self) -> impl Iterator<Item = (Field, Flaw)> {
        Field::ALL.iter().filter_map(move |&field| {
            let flaw = (self.0 >> (field as u32 * BITS) & 0xf) as usize;
            Some((field, *Flaw::ALL.get(flaw.checked_sub(1)?)?))
        })
    }
}
