//! The network of roads of the demonstration, and the way between two of its junctions.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
};

use anyhow::{Context as _, Result, bail};

use super::path::{Class, Path, Place};

/// A stretch of road between two junctions, drivable both ways.
pub struct RoadSegment {
    /// The junctions at which it begins and ends.
    pub ends: [usize; 2],
    /// Of its road.
    pub class: Class,
    /// Where it leads along, from the first end to the second.
    pub course: Vec<Place>,
    /// Metres.
    length: f64,
}

/// All roads.
pub struct Roads {
    junctions: HashMap<&'static str, usize>,
    places: Vec<Place>,
    stretches: Vec<RoadSegment>,
    /// The stretches at each junction.
    at: Vec<Vec<usize>>,
}

impl Roads {
    /// Reads the drawn network.
    pub fn load() -> Result<Self> {
        let mut roads = Self { junctions: HashMap::new(), places: Vec::new(), stretches: Vec::new(), at: Vec::new() };
        for line in include_str!("roads.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            roads.add(line).with_context(|| line.split(':').next().unwrap_or_default().to_owned())?;
        }
        Ok(roads)
    }

    fn add(&mut self, line: &'static str) -> Result<()> {
        let (head, course) = line.split_once(':').context("a road has a class, a name and a course")?;
        let class = match head.split(' ').next() {
            Some("toll") => Class::Toll,
            Some("main") => Class::Main,
            Some("street") => Class::Street,
            _ => bail!("no such class"),
        };
        let points: Vec<(Option<usize>, Place)> =
            course.split_whitespace().map(|token| self.point(token)).collect::<Result<_>>()?;
        let places: Vec<Place> = points.iter().map(|(_, place)| *place).collect();
        let junctions: Vec<(usize, usize)> =
            points.iter().enumerate().filter_map(|(index, (junction, _))| Some((index, (*junction)?))).collect();
        for pair in junctions.windows(2) {
            let [(from, start), (to, end)] = *pair else { continue };
            let course = smooth(&places, from, to, class.step());
            let length = course.windows(2).map(|pair| pair[0].metres_to(pair[1])).sum();
            self.at[start].push(self.stretches.len());
            self.at[end].push(self.stretches.len());
            self.stretches.push(RoadSegment { ends: [start, end], class, course, length });
        }
        Ok(())
    }

    /// A junction by name, with its place when it is first mentioned, or a place.
    fn point(&mut self, token: &'static str) -> Result<(Option<usize>, Place)> {
        let place = |text: &str| -> Result<Place> {
            let (lat, lng) = text.split_once(',').with_context(|| format!("{text} is no place"))?;
            Ok(Place { lat: lat.parse()?, lng: lng.parse()? })
        };
        if !token.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Ok((None, place(token)?));
        }
        let (name, drawn) = token.split_once('@').unwrap_or((token, ""));
        let index = match self.junctions.get(name) {
            Some(index) => *index,
            None => {
                self.places.push(place(drawn)?);
                self.at.push(Vec::new());
                self.junctions.insert(name, self.places.len() - 1);
                self.places.len() - 1
            }
        };
        Ok((Some(index), self.places[index]))
    }

    /// A junction by its name.
    pub fn junction(&self, name: &str) -> Result<usize> {
        self.junctions.get(name).copied().with_context(|| format!("no junction {name}"))
    }

    /// Where a junction is.
    pub fn place(&self, junction: usize) -> Place {
        self.places[junction]
    }

    /// All stretches of road.
    pub fn stretches(&self) -> &[RoadSegment] {
        &self.stretches
    }

    /// Adds the quickest way between two junctions to a path.
    pub fn add_route(&self, path: &mut Path, from: usize, to: usize, tolls: bool) -> Result<()> {
        let mut junction = to;
        let way = self.fastest_routes(from, to, tolls).context("no way leads there")?;
        let mut stretches = Vec::new();
        while junction != from {
            let stretch = &self.stretches[way[&junction]];
            let forward = stretch.ends[1] == junction;
            junction = stretch.ends[usize::from(!forward)];
            stretches.push((stretch, forward));
        }
        for (stretch, forward) in stretches.into_iter().rev() {
            let mut course = stretch.course.clone();
            if !forward {
                course.reverse();
            }
            path.extend(&course, stretch.class);
            path.mark_junction();
        }
        Ok(())
    }

    /// Dijkstra: for each junction on the way the stretch that leads to it.
    fn fastest_routes(&self, from: usize, to: usize, tolls: bool) -> Option<HashMap<usize, usize>> {
        let mut best = HashMap::from([(from, 0_u64)]);
        let mut came_by = HashMap::new();
        let mut open = BinaryHeap::from([Reverse((0_u64, from))]);
        while let Some(Reverse((time, junction))) = open.pop() {
            if junction == to {
                return Some(came_by);
            }
            for &index in self.at[junction].iter().filter(|index| tolls || self.stretches[**index].class != Class::Toll)
            {
                let stretch = &self.stretches[index];
                let next = if stretch.ends[0] == junction { stretch.ends[1] } else { stretch.ends[0] };
                let time = time + (stretch.length * 3.6 / stretch.class.kmh() * 1000.0) as u64;
                if best.get(&next).is_none_or(|known| time < *known) {
                    best.insert(next, time);
                    came_by.insert(next, index);
                    open.push(Reverse((time, next)));
                }
            }
        }
        None
    }
}

/// The course between two of a road's points as a centripetal Catmull-Rom curve through all of them (Yuksel et al.,
/// *Parameterization and applications of Catmull-Rom curves*, 2011): it has no loops and no overshoots.
fn smooth(points: &[Place], from: usize, to: usize, metres: f64) -> Vec<Place> {
    let mut course = vec![points[from]];
    for index in from..to {
        let (p1, p2) = (points[index], points[index + 1]);
        let p0 = if index == 0 { p1.beyond(p2) } else { points[index - 1] };
        let p3 = points.get(index + 2).copied().unwrap_or_else(|| p2.beyond(p1));
        let steps = (p1.metres_to(p2) / metres).ceil().max(1.0) as u32;
        for step in 1..=steps {
            course.push(between([p0, p1, p2, p3], f64::from(step) / f64::from(steps)));
        }
    }
    course
}

/// The point at `part` of the way from the second to the third point, by Barry and Goldman's recursion.
fn between([p0, p1, p2, p3]: [Place; 4], part: f64) -> Place {
    let knot = |a: Place, b: Place| a.metres_to(b).sqrt().max(1e-3);
    let t1 = knot(p0, p1);
    let t2 = t1 + knot(p1, p2);
    let t3 = t2 + knot(p2, p3);
    let t = t1 + (t2 - t1) * part;
    let mix = |a: Place, b: Place, from: f64, to: f64| a.toward(b, (t - from) / (to - from));
    let (a1, a2, a3) = (mix(p0, p1, 0.0, t1), mix(p1, p2, t1, t2), mix(p2, p3, t2, t3));
    let (b1, b2) = (mix(a1, a2, 0.0, t2), mix(a2, a3, t1, t3));
    mix(b1, b2, t1, t2)
}
