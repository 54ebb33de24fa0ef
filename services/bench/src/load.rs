//! Vehicles that drive, as a gateway publishes them: made while the clock runs, since the load is part of what is
//! measured.

use std::{convert::Infallible, time::Duration};

use anyhow::Result;
use armada_gateway::{FramePublisher, Limits};
use armada_proto::Timestamp;
use armada_runtime::Bus;
use armada_track::{DeviceState, Imei, Outcome, Position, Report, Thresholds, imei_of_name};

use crate::devices::Device;

/// Milliseconds between two fixes of a device.
const STEP_MS: i64 = 5_000;
/// 2026-01-05 00:00 UTC.
const FIRST_MS: i64 = 1_767_571_200_000;
/// How often in a second vehicles report.
const TICKS: usize = 10;
/// Frames under way.
const WINDOW: usize = 32;

/// The vehicles and how far they have come.
pub struct Load {
    vehicles: Vec<Vehicle>,
    frame: usize,
    next_step: i64,
    next_vehicle: usize,
}

struct Vehicle {
    imei: Imei,
    device_id: String,
    lat: i32,
    lng: i32,
    heading: f64,
    noise: u64,
}

impl Vehicle {
    fn new(number: usize, device: &Device) -> Self {
        Self {
            imei: device.imei,
            device_id: device.id.clone(),
            lat: -70_000_000 + (number % 100) as i32 * 100_000,
            lng: 1_070_000_000 + (number / 100 % 100) as i32 * 600_000,
            heading: number as f64,
            noise: 0x9e37_79b9_7f4a_7c15 ^ (number as u64 + 1),
        }
    }

    /// Xorshift (Marsaglia 2003): the same drive in every run.
    fn random(&mut self) -> u64 {
        self.noise ^= self.noise << 13;
        self.noise ^= self.noise >> 7;
        self.noise ^= self.noise << 17;
        self.noise
    }

    fn drive(&mut self, recorded_at: i64) -> Report {
        let random = self.random();
        let speed = 200 + (random % 500) as u32;
        self.heading += (random >> 16 & 0xff) as f64 / 255.0 * 0.4 - 0.2;
        // 1e-7 degrees are 1.11 cm: metres in a step, times 90.
        let step = f64::from(speed) / 36.0 * (STEP_MS as f64 / 1000.0) * 90.0;
        self.lat += (step * self.heading.cos()) as i32;
        self.lng += (step * self.heading.sin()) as i32;
        let course = (self.heading.to_degrees().rem_euclid(360.0) * 10.0) as u32 % 3_600;
        Report {
            speed: Some(speed),
            course: Some(course),
            alt: Some((random >> 24 & 0x3ff) as i32),
            sat: Some(8 + (random >> 40 & 7) as u32),
            ignition: Some(true),
            ..Report::new(recorded_at, self.lat, self.lng)
        }
    }
}

/// The first `count` fixes of one vehicle from `begin` on, milliseconds since 1970, as ingest derives them.
pub fn drive(number: usize, begin: i64, step_ms: i64, count: usize) -> Vec<Position> {
    let device = Device { imei: imei_of_name(""), id: String::new() };
    let mut vehicle = Vehicle::new(number, &device);
    let mut state = DeviceState::default();
    let fixes = (0..count as i64).map(|step| vehicle.drive(begin + step * step_ms));
    let positions = fixes.filter_map(|report| match state.advance(report, &Thresholds::default()) {
        Outcome::Live(position) | Outcome::Late(position) => Some(position),
        _ => None,
    });
    positions.collect()
}

/// Vehicles that report one after the other, for ever.
pub struct Vehicles {
    vehicles: Vec<Vehicle>,
    place: usize,
    recorded_at: i64,
}

impl Vehicles {
    /// One for each device.
    pub fn new(devices: &[Device]) -> Self {
        let vehicles = devices.iter().enumerate().map(|(number, device)| Vehicle::new(number, device));
        Self { vehicles: vehicles.collect(), place: 0, recorded_at: FIRST_MS }
    }

    /// The next fix, and whose it is.
    pub fn next(&mut self) -> (Imei, Report) {
        if self.place == self.vehicles.len() {
            (self.place, self.recorded_at) = (0, self.recorded_at + STEP_MS);
        }
        let vehicle = &mut self.vehicles[self.place];
        self.place += 1;
        (vehicle.imei, vehicle.drive(self.recorded_at))
    }
}

impl Load {
    /// Vehicles around Java, in frames of `frame` positions.
    pub fn new(devices: &[Device], frame: usize) -> Self {
        let vehicles = devices.iter().enumerate().map(|(number, device)| Vehicle::new(number, device));
        Self { vehicles: vehicles.collect(), frame, next_step: 0, next_vehicle: 0 }
    }

    /// Publishes so many positions of each device; returns when all are acknowledged, with the half-open range of their
    /// instants.
    pub async fn publish(&mut self, bus: &Bus, positions: usize) -> Result<(i64, i64)> {
        let mut publisher = FramePublisher::new(bus, "bench", Limits { rows: self.frame, window: WINDOW }).await?;
        let from = FIRST_MS + self.next_step * STEP_MS;
        for _ in 0..positions {
            let recorded_at = FIRST_MS + self.next_step * STEP_MS;
            for vehicle in &mut self.vehicles {
                let report = vehicle.drive(recorded_at);
                publisher.push(vehicle.imei, &report).await?;
            }
            self.next_step += 1;
        }
        publisher.finish().await?;
        Ok((from, FIRST_MS + self.next_step * STEP_MS))
    }

    /// Publishes the next so many vehicles as of now, spread over a time; returns when all are acknowledged.
    pub async fn report(&mut self, bus: &Bus, count: usize, within: Duration) -> Result<()> {
        let mut publisher = FramePublisher::new(bus, "bench", Limits { rows: self.frame, window: WINDOW }).await?;
        let due = tokio::time::Instant::now() + within;
        let now = Timestamp::now().millis();
        for _ in 0..count {
            let place = self.next_vehicle % self.vehicles.len();
            let vehicle = &mut self.vehicles[place];
            publisher.push(vehicle.imei, &vehicle.drive(now)).await?;
            self.next_vehicle += 1;
        }
        publisher.finish().await?;
        tokio::time::sleep_until(due).await;
        Ok(())
    }

    /// Publishes so many positions a second, of one vehicle after the other.
    pub async fn publish_until_stopped(&mut self, bus: &Bus, rate: usize) -> Result<Infallible> {
        loop {
            self.report(bus, rate / TICKS, Duration::from_secs(1) / TICKS as u32).await?;
        }
    }

    /// Some devices, spread over all.
    pub fn sample(&self, count: usize) -> impl Iterator<Item = &str> {
        let every = self.vehicles.len().div_ceil(count);
        self.vehicles.iter().step_by(every).map(|vehicle| vehicle.device_id.as_str())
    }
}
