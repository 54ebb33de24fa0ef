//! How much fuel there is, and what is noticed of it.

use armada_proto::{DeviceId, v1::FuelSource};
use armada_track::{
    DeviceState, EventKind, EventWatch, FuelPoint, FuelSensor, FuelTable, FuelTableError, Outcome, Report, Thresholds,
    VehicleEvent,
};
use proptest::{collection::vec, prelude::*};

const START: i64 = 1_790_000_000_000;
const TANK: u32 = 300;

fn table(text: &str) -> FuelTable {
    text.parse().expect("a table")
}

fn of_tank(source: FuelSource, text: &str) -> FuelSensor {
    FuelSensor::new(source, "adc1".to_owned(), TANK, table(text))
}

fn fuel_report(litres: Option<u32>, percent: Option<u8>, attrs: Option<&str>) -> Report {
    Report { fuel_liter: litres, fuel_percent: percent, attrs: attrs.map(Into::into), ..Report::new(START, 1, 1) }
}

fn level(sensor: &FuelSensor, report: &Report) -> (Option<u32>, Option<u8>) {
    let level = sensor.level(report);
    (level.litres, level.percent)
}

#[test]
fn fuel_table_round_trips() {
    let of_people = table(" 0 0;512  30,5 ; 1023 60;");
    assert_eq!(of_people.to_string(), "0 0; 512 30.5; 1023 60");
    assert_eq!(table(&of_people.to_string()), of_people);
    assert_eq!(
        [-5.0, 0.0, 256.0, 512.0, 5_000.0].map(|raw| of_people.litres(raw)),
        [0.0, 0.0, 15.25, 30.5, 60.0].map(Some)
    );
    // A sensor may say less of more.
    assert_eq!(table("0.5 80; 4.5 0").litres(2.5), Some(40.0));
    assert_eq!((table("").litres(1.0), table(" ; ").to_string()), (None, String::new()));
}

#[test]
fn rejects_invalid_fuel_tables() {
    let many: String = (0..101).map(|raw| format!("{raw} 1;")).collect();
    let wrong = |text: &str| text.parse::<FuelTable>().expect_err("no table").code();
    for text in ["0", "0 0 0; 1 1", "0 x; 1 1", "inf 0; 1 1", "0 0; 1e10 1", "0:0; 1:1"] {
        assert_eq!(wrong(text), "fuel_table_unreadable", "{text}");
    }
    for text in ["0 0", many.as_str()] {
        assert_eq!(wrong(text), "fuel_table_points", "{text}");
    }
    for text in ["0 -1; 1 1", "0 0; 1 100001"] {
        assert_eq!(wrong(text), "fuel_table_litres", "{text}");
    }
    for text in ["1 0; 1 1", "2 0; 1 1; 3 2"] {
        assert_eq!(wrong(text), "fuel_table_order", "{text}");
    }
    assert_eq!(FuelTable::new(vec![FuelPoint { raw: f64::NAN, litres: 0.0 }; 2]), Err(FuelTableError::Unreadable));
}

#[test]
fn litres_and_percent_follow_the_chosen_source() {
    let plain = FuelSensor::plain();
    assert_eq!(level(plain, &fuel_report(Some(405), Some(81), None)), (Some(405), Some(81)));
    assert_eq!(level(plain, &fuel_report(None, Some(81), None)), (None, Some(81)), "the tank is not known");

    let tracker = of_tank(FuelSource::Liter, "");
    assert_eq!(level(&tracker, &fuel_report(Some(1_000), None, None)), (Some(1_000), Some(33)));
    assert_eq!(level(&tracker, &fuel_report(Some(1_000), Some(40), None)), (Some(1_000), Some(40)));
    assert_eq!(level(&tracker, &fuel_report(None, Some(50), None)), (Some(1_500), Some(50)));
    assert_eq!(level(&tracker, &fuel_report(Some(9_000), None, None)), (Some(9_000), Some(100)));

    let percent = of_tank(FuelSource::Percent, "");
    assert_eq!(level(&percent, &fuel_report(Some(1_000), Some(50), None)), (Some(1_500), Some(50)));
    assert_eq!(level(&percent, &fuel_report(Some(1_000), None, None)), (None, None));
    let calibrated = of_tank(FuelSource::Percent, "0 0; 50 200; 100 300");
    assert_eq!(level(&calibrated, &fuel_report(None, Some(50), None)), (Some(2_000), Some(67)));

    let attribute = of_tank(FuelSource::Attribute, "0 0; 1000 300");
    let attrs = |attrs| fuel_report(Some(7), Some(7), Some(attrs));
    assert_eq!(level(&attribute, &attrs(r#"{"adc1":500}"#)), (Some(1_500), Some(50)));
    assert_eq!(level(&attribute, &attrs(r#"{"adc1":"250.0"}"#)), (Some(750), Some(25)));
    for nothing in [r#"{"adc2":500}"#, r#"{"adc1":null}"#, "no JSON"] {
        assert_eq!(level(&attribute, &attrs(nothing)), (None, None), "{nothing}");
    }
    // Of a tank that is not known the most that the table has is full; without a table the attribute says litres.
    let unknown = |text| FuelSensor::new(FuelSource::Attribute, "adc1".to_owned(), 0, table(text));
    assert_eq!(level(&unknown("0 0; 1000 200"), &attrs(r#"{"adc1":500}"#)), (Some(1_000), Some(50)));
    assert_eq!(level(&unknown(""), &attrs(r#"{"adc1":40.25}"#)), (Some(403), None));
    assert_eq!(level(&unknown(""), &attrs(r#"{"adc1":-1}"#)), (None, None));
}

#[test]
fn sensor_round_trips_through_its_binding() {
    let sensor = of_tank(FuelSource::Attribute, "0.5 0; 4.75 300");
    assert_eq!(FuelSensor::of_binding(sensor.to_binding()), Some(sensor.clone()));
    assert_eq!((FuelSensor::plain().to_binding(), FuelSensor::of_binding(None)), (None, None));

    let mut report = fuel_report(Some(7), None, Some(r#"{"adc1":4.75}"#));
    let Outcome::Live(position) = DeviceState::default().advance(report.clone(), &Thresholds::default()) else {
        panic!("it is the first one")
    };
    let mut shown = position.to_last_position(DeviceId::default());
    sensor.show_last(&report, &mut shown);
    assert_eq!((shown.fuel_liter, shown.fuel_percent), (Some(300.0), Some(100.0)));
    sensor.show(&mut report);
    assert_eq!((report.fuel_liter, report.fuel_percent), (Some(3_000), Some(100)));
}

/// A vehicle with its tank. It says its fuel in litres, no better than its sensor knows it.
struct Vehicle {
    state: DeviceState,
    watch: EventWatch,
    at: i64,
    lng: i32,
    litres: f64,
    used: f64,
    /// Litres that the sensor may be wrong by, and what chance comes next.
    noise: f64,
    chance: u64,
    raised: Vec<VehicleEvent>,
    /// After each fix, a checkpoint is made and read again.
    restarts: bool,
}

impl Vehicle {
    fn new(litres: f64, noise: f64, chance: u64) -> Self {
        Self {
            state: DeviceState::default(),
            watch: EventWatch::default(),
            at: START,
            lng: 1_000_000,
            litres,
            used: 0.0,
            noise,
            chance,
            raised: Vec::new(),
            restarts: false,
        }
    }

    fn reported_litres(&mut self, noise: f64) -> u32 {
        self.chance = self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let part = (self.chance >> 11) as f64 / (1_u64 << 53) as f64;
        ((self.litres + noise * (2.0 * part - 1.0)).max(0.0) * 10.0).round() as u32
    }

    fn fix(&mut self, seconds: i64, speed: u32, noise: f64) {
        self.fix_with(seconds, speed, noise, Some(speed > 0));
    }

    fn fix_with(&mut self, seconds: i64, speed: u32, noise: f64, ignition: Option<bool>) {
        self.at += seconds * 1_000;
        let report = Report {
            speed: Some(speed),
            ignition,
            fuel_liter: Some(self.reported_litres(noise)),
            ..Report::new(self.at, 0, self.lng)
        };
        let Outcome::Live(position) = self.state.advance(report, &Thresholds::default()) else { panic!("it is newer") };
        let sensor = of_tank(FuelSource::Liter, "");
        self.watch.observe_fuel(&position, Some(&sensor), &mut self.raised);
        if self.restarts {
            self.watch = EventWatch::decode(&self.watch.encode()).expect("what was encoded");
        }
    }

    /// Drives at 60 km/h with a fix every ten seconds, and uses 30 l/100 km; fuel sloshes.
    fn drive(&mut self, minutes: i64) {
        for _ in 0..minutes * 6 {
            self.lng += 15_000;
            self.litres -= 0.05;
            self.used += 0.05;
            self.fix(10, 600, 2.0 * self.noise);
        }
    }

    /// Stands with its engine off and a fix every minute, of which these litres come or go in each.
    fn park(&mut self, minutes: i64, litres: f64) {
        for _ in 0..minutes {
            self.litres += litres;
            self.fix(60, 0, self.noise);
        }
    }

    fn kinds(&self) -> Vec<&EventKind> {
        self.raised.iter().map(|event| &event.kind).collect()
    }
}

impl Vehicle {
    /// Reads so much for so many minutes, whatever is in the tank, standing with its ignition on or driving.
    fn misread(&mut self, minutes: i64, litres: f64, drives: bool) {
        for _ in 0..minutes {
            self.lng += if drives { 90_000 } else { 0 };
            let there = std::mem::replace(&mut self.litres, litres);
            self.fix_with(60, if drives { 600 } else { 0 }, 0.0, Some(true));
            self.litres = there;
        }
    }
}

#[test]
fn a_sensor_that_fails_for_minutes_is_no_drain_and_no_fill() {
    for end in [0.0, 300.0] {
        for minutes in [1, 5, 14] {
            for drives in [false, true] {
                let mut truck = Vehicle::new(60.0, 0.2, 5);
                truck.drive(20);
                truck.park(10, 0.0);
                truck.misread(minutes, end, drives);
                truck.park(30, 0.0);
                assert_eq!(truck.raised, [], "{end} l for {minutes} min, {drives}");
            }
        }
    }
}

#[test]
fn a_sensor_that_fails_for_long_fills_nothing_when_it_works_again() {
    let mut truck = Vehicle::new(60.0, 0.2, 5);
    truck.park(10, 0.0);
    truck.misread(60, 0.0, false);
    let [drain] = &truck.raised[..] else { panic!("{:?}", truck.raised) };
    let change = drain.fuel.expect("of fuel");
    assert_eq!((&drain.kind, drain.occurred_at), (&EventKind::FuelDrain, START + 11 * 60_000));
    assert!(change.after == 0 && change.confidence <= 70, "nobody can be sure: {change:?}");
    truck.park(30, 0.0);
    assert_eq!(truck.raised.len(), 1, "{:?}", truck.raised);
}

#[test]
fn a_full_tank_is_a_fill() {
    // It goes on, or stands there full.
    for drives in [false, true] {
        let mut truck = Vehicle::new(100.0, 0.2, 5);
        truck.drive(20);
        truck.park(5, 0.0);
        let began = truck.at + 60_000;
        truck.litres = 310.0;
        truck.park(5, 0.0);
        truck.litres = 298.0;
        if drives {
            truck.drive(20);
        } else {
            truck.litres = 310.0;
            truck.park(30, 0.0);
        }
        assert_eq!(truck.kinds(), [&EventKind::FuelFill], "{drives}");
        assert!(litres(&truck.raised[0]) > 195.0 && truck.raised[0].occurred_at >= began, "{:?}", truck.raised);
    }
}

#[test]
fn thirty_litres_in_three_hours_of_standing_are_a_drain() {
    for minutes in [1, 5, 10] {
        let mut truck = Vehicle::new(200.0, 0.3, 7);
        truck.drive(20);
        let stand = |truck: &mut Vehicle, hours: i64, litres: f64| {
            for _ in 0..hours * 60 / minutes {
                truck.litres -= litres * minutes as f64 / 60.0;
                truck.fix(minutes * 60, 0, 0.3);
            }
        };
        stand(&mut truck, 2, 0.0);
        let began = truck.at;
        stand(&mut truck, 3, 10.0);
        stand(&mut truck, 2, 0.0);
        assert_eq!(truck.kinds(), [&EventKind::FuelDrain], "each {minutes} min");
        let drain = &truck.raised[0];
        assert!((litres(drain) - 30.0).abs() < 3.0, "each {minutes} min: {drain:?}");
        assert!((began..began + 3_600_000).contains(&drain.occurred_at), "each {minutes} min: {drain:?}");
    }
}

#[test]
fn a_slow_drain_is_told_when_the_vehicle_moves_off() {
    let mut truck = Vehicle::new(200.0, 0.3, 7);
    truck.drive(20);
    truck.park(20, 0.0);
    truck.park(180, -10.0 / 60.0);
    assert_eq!(truck.raised, []);
    truck.drive(5);
    assert_eq!(truck.kinds(), [&EventKind::FuelDrain]);
    assert!((litres(&truck.raised[0]) - 30.0).abs() < 3.0, "{:?}", truck.raised);
}

#[test]
fn what_a_heater_or_the_cold_takes_is_no_drain() {
    // 3 l/h for a night.
    let mut truck = Vehicle::new(200.0, 0.3, 7);
    truck.drive(20);
    truck.park(12 * 60, -3.0 / 60.0);
    truck.drive(10);
    assert_eq!(truck.raised, []);
}

#[test]
fn a_fill_while_the_vehicle_creeps_through_a_station_is_one() {
    let mut truck = Vehicle::new(80.0, 0.3, 7);
    truck.drive(20);
    let creep = |truck: &mut Vehicle, minutes: i64, litres: f64| {
        for _ in 0..minutes * 6 {
            truck.lng += 2_000;
            truck.litres += litres / 6.0;
            truck.fix(10, 80, 0.3);
        }
    };
    creep(&mut truck, 1, 0.0);
    let began = truck.at;
    creep(&mut truck, 2, 20.0);
    truck.park(2, 20.0);
    creep(&mut truck, 2, 0.0);
    truck.park(2, 20.0);
    truck.park(5, 0.0);
    truck.drive(10);
    assert_eq!(truck.kinds(), [&EventKind::FuelFill]);
    let fill = &truck.raised[0];
    assert!((litres(fill) - 120.0).abs() < 4.0, "{fill:?}");
    assert!((began..began + 60_000).contains(&fill.occurred_at), "{fill:?}");
}

/// Litres that an event tells.
fn litres(event: &VehicleEvent) -> f64 {
    event.value.expect("it is measured")
}

#[test]
fn reports_fills_and_drains_with_amounts() {
    let mut truck = Vehicle::new(100.0, 0.3, 7);
    truck.drive(20);
    truck.park(5, 0.0);
    let (before, filled_at, place) = (truck.litres, truck.at + 60_000, truck.lng);
    truck.park(3, 40.0);
    truck.park(6, 0.0);
    truck.drive(20);
    truck.park(30, 0.0);
    let drained_at = truck.at + 60_000;
    truck.park(4, -10.0);
    truck.park(10, 0.0);
    assert_eq!(truck.kinds(), [&EventKind::FuelFill, &EventKind::FuelDrain]);
    let [fill, drain] = &truck.raised[..] else { panic!("two") };
    let names = [fill, drain].map(|event| event.kind.name().into_owned());
    assert_eq!(names, ["fuel.fill", "fuel.drain"]);
    assert_eq!((fill.occurred_at, fill.key, drain.occurred_at), (filled_at, filled_at, drained_at));
    assert_eq!(fill.place.expect("it stands there").lng, place);
    assert!((litres(fill) - 120.0).abs() < 2.0 && (litres(drain) - 40.0).abs() < 2.0, "{:?}", truck.raised);
    let measured = fill.fuel.expect("of fuel");
    assert!(
        (f64::from(measured.before) / 10.0 - before).abs() < 1.0 && measured.after.abs_diff(measured.before) > 1_180,
        "{measured:?}"
    );
    assert!(
        truck.raised.iter().all(|event| event.fuel.is_some_and(|fuel| fuel.confidence >= 95)),
        "{:?}",
        truck.raised
    );
}

#[test]
fn consumption_and_unpowered_sensors_are_no_fuel_change() {
    let mut truck = Vehicle::new(250.0, 0.0, 1);
    for _ in 0..5 {
        truck.drive(60);
        truck.park(10, 0.0);
        // With the ignition off the sensor says nothing of the tank.
        let litres = std::mem::take(&mut truck.litres);
        truck.park(60, 0.0);
        truck.litres = litres;
        truck.park(10, 0.0);
        // A spike of two readings.
        truck.litres += 60.0;
        truck.park(2, 0.0);
        truck.litres -= 60.0;
        truck.park(10, 0.0);
    }
    assert_eq!(truck.raised, []);
}

#[test]
fn fuel_change_during_sleep_is_reported_on_wake() {
    for (change, kind) in [(80.0_f64, EventKind::FuelFill), (-60.0, EventKind::FuelDrain)] {
        let mut truck = Vehicle::new(150.0, 0.3, 3);
        truck.drive(20);
        truck.park(5, 0.0);
        truck.at += 8 * 3_600_000;
        truck.litres += change;
        // It says nothing before it drives.
        truck.drive(6);
        assert_eq!(truck.kinds(), [&kind]);
        let [event] = &truck.raised[..] else { panic!("one") };
        assert!((litres(event) - change.abs()).abs() < 5.0, "{event:?}");
        let confidence = event.fuel.expect("of fuel").confidence;
        assert!((60..95).contains(&confidence), "it was not seen to stand: {confidence}");
    }
}

#[test]
fn changed_sensor_resets_the_watch() {
    let mut truck = Vehicle::new(150.0, 0.3, 3);
    let (plain, mut raised) = (FuelSensor::plain(), Vec::new());
    truck.park(20, 0.0);
    truck.litres = 20.0;
    for minute in 0..20 {
        let report = Report { fuel_liter: Some(200), ..Report::new(truck.at + minute * 60_000 + 1, 0, truck.lng) };
        let Outcome::Live(position) = truck.state.advance(report, &Thresholds::default()) else {
            panic!("it is newer")
        };
        truck.watch.observe_fuel(&position, Some(plain), &mut raised);
    }
    assert_eq!(raised, []);
}

/// What happens to a vehicle after it has driven so many minutes: so many litres are filled or drained, or none.
fn days() -> impl Strategy<Value = Vec<(i64, i32)>> {
    let change = prop_oneof![2 => Just(0), 2 => 45..150_i32, 2 => -60..-25_i32];
    vec((5..40_i64, change), 1..8)
}

fn simulate_days(days: &[(i64, i32)], noise: f64, chance: u64, restarts: bool) -> (Vehicle, Vec<(EventKind, f64)>) {
    let mut truck = Vehicle { restarts, ..Vehicle::new(180.0, noise, chance) };
    let mut happened = Vec::new();
    for &(minutes, change) in days {
        truck.drive(minutes);
        truck.park(10, 0.0);
        let change = f64::from(change);
        let after = truck.litres + change;
        if change != 0.0 && (30.0..f64::from(TANK)).contains(&after) {
            truck.park(2, change / 2.0);
            let kind = if change > 0.0 { EventKind::FuelFill } else { EventKind::FuelDrain };
            happened.push((kind, change.abs()));
        }
        truck.park(12, 0.0);
    }
    (truck, happened)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn rising_table_is_monotonic(
        steps in vec((1..500_u32, 0..400_u32), 2..100),
        raws in vec(-1e5..1e5_f64, 2..20),
    ) {
        let (mut raw, mut litres, mut points) = (-3_000.0, 0.0, Vec::new());
        for (more, fuel) in steps {
            raw += f64::from(more) / 3.0;
            litres += f64::from(fuel) / 7.0;
            points.push(FuelPoint { raw, litres });
        }
        let table = FuelTable::new(points).expect("it ascends");
        prop_assert_eq!(&table.to_string().parse::<FuelTable>(), &Ok(table.clone()));
        let mut raws = raws;
        raws.extend(table.points().iter().map(|point| point.raw));
        raws.sort_by(f64::total_cmp);
        let read: Vec<f64> = raws.iter().filter_map(|raw| table.litres(*raw)).collect();
        prop_assert!(read.is_sorted() && read.len() == raws.len(), "{:?}", read);
        for point in table.points() {
            prop_assert_eq!(table.litres(point.raw), Some(point.litres));
        }
    }

    /// What a sensor is wrong by stays below half of what a drain is at least, 15 litres of this tank.
    #[test]
    fn noise_is_neither_a_fill_nor_a_drain(
        steps in vec((1..40_i64, 1..40_i64), 1..8),
        noise in 0.0..3.7_f64,
        chance: u64,
    ) {
        let mut truck = Vehicle::new(280.0, noise, chance);
        for (drives, stands) in steps {
            truck.drive(drives);
            truck.park(stands, 0.0);
        }
        prop_assert!(truck.raised.is_empty(), "{:?}", truck.raised);
    }

    #[test]
    fn reports_every_fill_and_drain(days in days(), noise in 0.0..1.0_f64, chance: u64) {
        let (truck, happened) = simulate_days(&days, noise, chance, false);
        let kinds: Vec<_> = happened.iter().map(|(kind, _)| kind).collect();
        prop_assert_eq!(truck.kinds(), kinds);
        for (event, (_, amount)) in truck.raised.iter().zip(&happened) {
            prop_assert!((litres(event) - amount).abs() < 4.0, "{:?} of {}", event, amount);
        }
        let of = |wanted: EventKind| -> f64 {
            truck.raised.iter().filter(|event| event.kind == wanted).map(litres).sum()
        };
        let balance = 180.0 + of(EventKind::FuelFill) - of(EventKind::FuelDrain) - truck.used;
        let wrong_by = 4.0 * happened.len() as f64 + 0.1;
        prop_assert!((balance - truck.litres).abs() < wrong_by, "{} of {}", balance, truck.litres);
    }

    #[test]
    fn restart_reports_the_same_changes(days in days(), noise in 0.0..1.0_f64, chance: u64) {
        let (restarted, _) = simulate_days(&days, noise, chance, true);
        let (whole, _) = simulate_days(&days, noise, chance, false);
        prop_assert_eq!(restarted.raised, whole.raised);
        prop_assert!(whole.watch.encode().len() < 200, "{} bytes", whole.watch.encode().len());
    }
}
