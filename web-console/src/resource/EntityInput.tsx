import { useWatch } from 'react-hook-form';
import { EntityField } from '@/components/form/EntityField';
import type { FieldProps } from '@/components/form/field';
import { lazyPart } from '@/lib/lazyPart';
import type { ResourceForm, Values } from './defineResource';
import type { EntityField as EntityFieldOf, Query } from './fields';
import { useFormContext } from './formContext';
import { emptyOthers, fillOthers } from './otherFields';
import { ResourceSelect, type Within } from './ResourceSelect';
import { whereOf } from './useResourceView';

// Most forms have none.
const ResourcesField = lazyPart(async () => (await import('./ResourcesField')).ResourcesField);

/** Another thing, or several of them, chosen from those that fit what else stands in the form. */
export function EntityInput({ field, ...props }: FieldProps<Values> & { field: EntityFieldOf }) {
  const { form } = props;
  const { resource } = useFormContext();
  const within = useWithin(form, field);
  if (field.kind === 'entities') return <ResourcesField {...props} {...within} of={field.of} />;
  return (
    <EntityField {...props}>
      {(given) => (
        <ResourceSelect
          {...given}
          {...within}
          of={field.of}
          clearable={field.clearable}
          onChange={(value) => {
            given.onChange(value);
            emptyOthers(resource, form, field);
          }}
          onChoose={(thing) => fillOthers(resource, form, field, thing)}
        />
      )}
    </EntityField>
  );
}

const NONE: Query = {};

/** What of the form says which things there are to choose from. */
function useWithin(form: ResourceForm, field: EntityFieldOf): Within {
  const { split } = useFormContext().resource;
  const { within, narrowedBy = NONE } = field;
  const part = typeof field.where === 'function' ? split?.by : undefined;
  const names = [within, part, ...Object.values(narrowedBy)].filter((name) => name !== undefined);
  const present = useWatch({ control: form.control, name: names, disabled: names.length === 0 }) as unknown[];
  const valueOf = (name: string) => String((names.length > 0 && present[names.indexOf(name)]) || '');
  const narrowing = Object.entries(narrowedBy).map(([parameter, name]) => [parameter, valueOf(name)] as const);
  return {
    tenantId: within && valueOf(within),
    where: {
      ...whereOf(field, part ? valueOf(part) : ''),
      ...Object.fromEntries(narrowing.filter(([, value]) => value !== '')),
    },
  };
}
