import * as z from 'zod/mini';
import { RULES } from '@/api/generatedRules';
import { inUnits } from '@/lib/perUnit';
import { callsOf } from './calls';
import type { Resource, Values } from './defineResource';
import type { Field, Rules } from './fields';
import { cleaned, formFields, isWanted } from './values';

/** What is wrong with a field: a key of the texts, with the limit that it is about. */
export interface Wrong {
  rule: keyof Rules | 'number' | 'email';
  limit?: number;
}

/** What may be typed into a field: the contract's word, and what the resource itself says. */
export function rulesOf(resource: Resource, name: string, values: Values, isNew: boolean): Rules {
  const { input } = callsOf(resource.key);
  const contract = input ? (RULES as Record<string, Record<string, Rules>>)[input]?.[name] : undefined;
  const { required, min, max, minLength, maxLength, minItems, maxItems, pattern, integer, format } =
    resource.fields[name]?.form ?? {};
  const needed = typeof required === 'function' ? required(values, isNew) : required;
  const own = { required: needed, min, max, minLength, maxLength, minItems, maxItems, pattern, integer, format };
  return { ...contract, ...Object.fromEntries(Object.entries(own).filter(([, rule]) => rule !== undefined)) };
}

const EMAIL = z.email();

/** What a text has against rules; empty texts are only asked whether they may be. */
function wrongText(text: string, rules: Rules): Wrong | undefined {
  const length = [...text].length;
  if (text === '') return (rules.required ?? rules.minLength) ? { rule: 'required' } : undefined;
  if (rules.minLength !== undefined && length < rules.minLength) return { rule: 'minLength', limit: rules.minLength };
  if (rules.maxLength !== undefined && length > rules.maxLength) return { rule: 'maxLength', limit: rules.maxLength };
  if (rules.pattern && !new RegExp(rules.pattern, 'u').test(text)) return { rule: 'pattern' };
  return rules.format === 'email' && !EMAIL.safeParse(text).success ? { rule: 'email' } : undefined;
}

function wrongNumber(value: number, rules: Rules, per = 1): Wrong | undefined {
  if (rules.integer && !Number.isInteger(value)) return { rule: 'integer' };
  if (rules.min !== undefined && value < rules.min) return { rule: 'min', limit: inUnits(rules.min, per) };
  return rules.max !== undefined && value > rules.max ? { rule: 'max', limit: inUnits(rules.max, per) } : undefined;
}

function wrongValue(field: Field, value: unknown, rules: Rules): Wrong | undefined {
  switch (field.kind) {
    case 'number':
    case 'money':
      if (value === '' && field.kind === 'number' && field.optional)
        return rules.required ? { rule: 'required' } : undefined;
      return typeof value === 'number'
        ? wrongNumber(value, rules, field.kind === 'number' ? field.per : undefined)
        : { rule: 'number' };
    case 'tags': {
      const { length } = value as unknown[];
      if (length < (rules.required ? 1 : (rules.minItems ?? 0)))
        return { rule: 'minItems', limit: rules.minItems ?? 1 };
      return rules.maxItems !== undefined && length > rules.maxItems
        ? { rule: 'maxItems', limit: rules.maxItems }
        : undefined;
    }
    case 'flag':
      return undefined;
    default: {
      return wrongText(cleaned(field, String(value ?? '')), rules);
    }
  }
}

/** The schema of a resource's form: of the fields that are asked for. Messages say which rule was broken, as `Wrong`. */
export function schemaOf(resource: Resource, isNew: boolean, asked: (field: Field) => boolean) {
  const fields = formFields(resource).filter(([, field]) => asked(field));
  const checked = z.looseObject({}).check(
    z.superRefine((values: Values, context) => {
      for (const [name, field] of fields) {
        if (!isWanted(field, values)) continue;
        const wrong = wrongValue(field, values[name], rulesOf(resource, name, values, isNew));
        if (wrong)
          context.addIssue({ code: 'custom', path: [name], message: JSON.stringify(wrong), input: values[name] });
      }
    }),
  );
  return checked as unknown as z.ZodMiniType<Values, Values>;
}
