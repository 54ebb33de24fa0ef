//! What an act changed.

use armada_proto::Paging;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Fields that every change changes, or that stand in the entry elsewhere.
const PASSED_OVER: [&str; 5] = ["id", "row_version", "created_at", "updated_at", "warnings"];
/// Bytes of one field's value. The audit tells what was changed; it is no copy of everything.
const VALUE_MAX: usize = 8 * 1024;
/// Bytes of all fields before, and of all after. NATS takes messages of a megabyte.
const SIDE_MAX: usize = 256 * 1024;

/// The fields that an act changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// As they were; none for what was not there.
    pub before: Option<Value>,
    /// As they are now; none for what is gone.
    pub after: Option<Value>,
}

impl Change {
    /// The same, fit for a message: of a value, or a side, that is too long it says only how long it is.
    pub(super) fn bounded(mut self) -> Self {
        for side in [&mut self.before, &mut self.after].into_iter().flatten() {
            let fields = side.as_object_mut().into_iter().flat_map(Map::values_mut);
            fields.for_each(|value| bound(value, VALUE_MAX));
            bound(side, SIDE_MAX);
        }
        self
    }
}

/// That so much was taken away in a file.
pub fn taken_away(counted: &Paging) -> Change {
    let mut after = json!({ "count": counted.total });
    if counted.more_than_total {
        after["more_than_count"] = true.into();
    }
    Change { before: None, after: Some(after) }
}

/// What differs between two states of a thing, by the fields of its JSON, null where there was or is none. Of what was
/// made or removed those that say something.
pub fn changes<T: Serialize>(before: Option<&T>, after: Option<&T>) -> Change {
    let (mut before, mut after) = (before.map(fields), after.map(fields));
    if let (Some(before), Some(after)) = (&mut before, &mut after) {
        before.retain(|name, value| match after.get(name) {
            Some(now) if now == value => {
                after.remove(name);
                false
            }
            _ => true,
        });
        for name in before.keys() {
            after.entry(name).or_insert(Value::Null);
        }
        for name in after.keys() {
            before.entry(name).or_insert(Value::Null);
        }
    }
    let single = before.is_some() != after.is_some();
    let value = |fields: Map<String, Value>| {
        Value::Object(fields.into_iter().filter(|(_, value)| !single || !is_empty(value)).collect())
    };
    Change { before: before.map(value), after: after.map(value) }
}

/// What cannot be written as an object has no fields.
fn fields<T: Serialize>(thing: &T) -> Map<String, Value> {
    let mut fields = match serde_json::to_value(thing) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    fields.retain(|name, value| !value.is_null() && !PASSED_OVER.contains(&name.as_str()));
    fields
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        _ => false,
    }
}

/// Says of what is too long only how long it is.
fn bound(value: &mut Value, max: usize) {
    let bytes = value.to_string().len();
    if bytes > max {
        *value = json!({ "bytes": bytes });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(name: &str, version: i32, note: Option<&str>) -> Value {
        json!({ "id": "7", "name": name, "row_version": version, "note": note, "users": [] })
    }

    #[test]
    fn keeps_changed_fields_only() {
        let change = changes(Some(&device("a", 1, None)), Some(&device("b", 2, None)));
        assert_eq!(change, Change { before: Some(json!({ "name": "a" })), after: Some(json!({ "name": "b" })) });
        let change = changes(Some(&device("a", 1, Some("x"))), Some(&device("a", 2, None)));
        assert_eq!(change, Change { before: Some(json!({ "note": "x" })), after: Some(json!({ "note": null })) });
        let change = changes(Some(&json!({ "id": "7" })), Some(&device("a", 1, None)));
        assert_eq!(change.before, Some(json!({ "name": null, "users": null })));
    }

    #[test]
    fn create_and_delete_omit_empty_fields() {
        assert_eq!(
            changes(None, Some(&device("a", 1, None))),
            Change { before: None, after: Some(json!({ "name": "a" })) }
        );
        assert_eq!(
            changes(Some(&device("a", 1, Some(""))), None),
            Change { before: Some(json!({ "name": "a" })), after: None }
        );
        assert_eq!(changes::<Value>(None, None), Change::default());
    }

    #[test]
    fn long_values_are_not_copied() {
        let (short, long) = (device("a", 1, None), device(&"ü".repeat(VALUE_MAX), 1, None));
        let after = changes(Some(&short), Some(&long)).bounded().after.expect("it is there");
        assert_eq!(after, json!({ "name": { "bytes": 2 * VALUE_MAX + 2 } }));
    }
}
