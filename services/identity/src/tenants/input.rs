//! What may be said of a tenant.

use armada_proto::{currency, v1::TenantInput};
use armada_runtime::{Fields, Result};

use crate::{
    entity::tenant::{BillingPeriod, CostModel, Model, SubscriptionStatus},
    tax_number,
};

const NAME_MAX: usize = 200;
const DESCRIPTION_MAX: usize = 2000;
/// What JavaScript still counts exactly.
const AMOUNT_MAX: i64 = (1 << 53) - 1;
/// Every month has these days.
const BILLING_DAY_MAX: u32 = 28;
const DUE_DAY_MAX: u32 = 90;
/// No tenant has a million of anything.
const LIMIT_MAX: u32 = 1_000_000;

/// Brings the input into the form in which it is stored, or says what is wrong with it.
pub fn check(input: &mut TenantInput, creating: bool) -> Result<()> {
    let mut fields = Fields::default();
    fields.require("name", input.name.as_deref(), creating);
    fields.line("name", &mut input.name, NAME_MAX);
    fields.lines("description", &mut input.description, DESCRIPTION_MAX);
    if input.time_zone.as_deref().is_some_and(|name| name.parse::<chrono_tz::Tz>().is_err()) {
        fields.wrong("time_zone", "invalid_time_zone");
    }
    if let Some(code) = &mut input.currency {
        *code = code.trim().to_ascii_uppercase();
        if !currency::is_known(code) {
            fields.wrong("currency", "unknown_currency");
        }
    }
    if let Some(number) = &mut input.tax_number {
        tax_number::check(&mut fields, number);
    }
    for (name, amount) in [("cost_per_device", input.cost_per_device), ("cost_bundle", input.cost_bundle)] {
        match amount {
            Some(..0) => fields.wrong(name, "negative"),
            Some(amount) if amount > AMOUNT_MAX => fields.wrong(name, "too_large"),
            _ => {}
        }
    }
    for (name, limit) in [("device_limit", input.device_limit), ("user_limit", input.user_limit)] {
        if limit.is_some_and(|limit| limit > LIMIT_MAX) {
            fields.wrong(name, "too_large");
        }
    }
    if input.billing_day.is_some_and(|day| !(1..=BILLING_DAY_MAX).contains(&day)) {
        fields.wrong("billing_day", "billing_day_range");
    }
    if input.due_day.is_some_and(|day| day > DUE_DAY_MAX) {
        fields.wrong("due_day", "due_day_range");
    }
    known(&mut fields, "cost_model", input.cost_model.map(CostModel::named));
    known(&mut fields, "billing_period", input.billing_period.map(BillingPeriod::named));
    known(&mut fields, "subscription_status", input.subscription_status.map(SubscriptionStatus::named));
    fields.check()
}

fn known<T, E>(fields: &mut Fields, name: &str, named: Option<Result<T, E>>) {
    if matches!(named, Some(Err(_))) {
        fields.wrong(name, "invalid");
    }
}

/// Takes over what is present of an input that was checked. What fleet counts and who made it is not in it.
pub fn apply(input: TenantInput, tenant: &mut Model) {
    let texts = [
        (input.name, &mut tenant.name),
        (input.description, &mut tenant.description),
        (input.time_zone, &mut tenant.time_zone),
        (input.currency, &mut tenant.currency),
        (input.tax_number, &mut tenant.tax_number),
    ];
    for (text, column) in texts {
        if let Some(text) = text {
            *column = text;
        }
    }
    let days = |day: u32| i32::try_from(day).unwrap_or_default();
    tenant.active = input.active.unwrap_or(tenant.active);
    tenant.confirmed = input.confirmed.unwrap_or(tenant.confirmed);
    tenant.cost_per_device = input.cost_per_device.unwrap_or(tenant.cost_per_device);
    tenant.cost_bundle = input.cost_bundle.unwrap_or(tenant.cost_bundle);
    tenant.device_limit = input.device_limit.map_or(tenant.device_limit, i64::from);
    tenant.user_limit = input.user_limit.map_or(tenant.user_limit, i64::from);
    tenant.billing_day = input.billing_day.map_or(tenant.billing_day, days);
    tenant.due_day = input.due_day.map_or(tenant.due_day, days);
    tenant.cost_model = chosen(input.cost_model, CostModel::named, tenant.cost_model);
    tenant.billing_period = chosen(input.billing_period, BillingPeriod::named, tenant.billing_period);
    tenant.subscription_status =
        chosen(input.subscription_status, SubscriptionStatus::named, tenant.subscription_status);
    tenant.search = tenant.searched();
}

fn chosen<T, E>(number: Option<i32>, named: fn(i32) -> Result<Option<T>, E>, present: T) -> T {
    number.and_then(|number| named(number).ok().flatten()).unwrap_or(present)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_zones_are_real() {
        for (name, ok) in
            [("Asia/Jakarta", true), ("UTC", true), ("Asia/Djakarta", false), ("", false), ("+07:00", false)]
        {
            let mut input = TenantInput { time_zone: Some(name.to_owned()), ..TenantInput::default() };
            assert_eq!(check(&mut input, false).is_ok(), ok, "{name}");
        }
    }

    #[test]
    fn every_wrong_field_is_named() {
        let mut input = TenantInput {
            description: Some("a\nb".to_owned()),
            time_zone: Some("Mars".to_owned()),
            cost_model: Some(9),
            cost_per_device: Some(-1),
            cost_bundle: Some(AMOUNT_MAX + 1),
            currency: Some("rp".to_owned()),
            device_limit: Some(LIMIT_MAX + 1),
            billing_period: Some(-1),
            billing_day: Some(29),
            due_day: Some(91),
            subscription_status: Some(5),
            tax_number: Some("12.34".to_owned()),
            ..TenantInput::default()
        };
        let error = check(&mut input, true).unwrap_err();
        let fields = [
            ("name", "required"),
            ("time_zone", "invalid_time_zone"),
            ("cost_model", "invalid"),
            ("cost_per_device", "negative"),
            ("cost_bundle", "too_large"),
            ("currency", "unknown_currency"),
            ("device_limit", "too_large"),
            ("billing_period", "invalid"),
            ("billing_day", "billing_day_range"),
            ("due_day", "due_day_range"),
            ("subscription_status", "invalid"),
            ("tax_number", "invalid_tax_number"),
        ];
        assert_eq!(error.fields, fields.map(|(name, code)| (name.to_owned(), code.to_owned())).into());
    }

    #[test]
    fn the_edges_are_accepted() {
        for (billing_day, due_day) in [(1, 0), (28, 90)] {
            let mut input = TenantInput {
                billing_day: Some(billing_day),
                due_day: Some(due_day),
                cost_per_device: Some(0),
                cost_bundle: Some(AMOUNT_MAX),
                currency: Some(" idr ".to_owned()),
                ..TenantInput::default()
            };
            check(&mut input, false).unwrap();
            assert_eq!(input.currency.as_deref(), Some("IDR"));
        }
        let mut zero = TenantInput { billing_day: Some(0), ..TenantInput::default() };
        assert_eq!(check(&mut zero, false).unwrap_err().fields["billing_day"], "billing_day_range");
    }
}
