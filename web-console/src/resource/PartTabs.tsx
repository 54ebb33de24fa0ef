import { ScreenTabs } from '@/components/ScreenTabs';
import { useAddress } from '@/lib/address';
import { choiceText } from './cells';
import type { Resource } from './defineResource';
import type { Field, Row } from './fields';
import { useWords } from './texts';

interface PartTabsProps<T extends Row> {
  resource: Resource<T>;
  /** That in front. */
  part: string;
}

/** Leads from one part of a resource to the other. */
export function PartTabs<T extends Row>({ resource, part }: PartTabsProps<T>) {
  const words = useWords(resource.key);
  const show = useShowPart(resource);
  const { by, values } = resource.split ?? { by: '', values: [] };
  const field = resource.fields[by] as Field | undefined;
  const parts = values.map((value) => ({
    value,
    label: field?.kind === 'choice' ? choiceText(by, field, value, words) : value,
  }));
  const label = words.t('split');
  const onChange = (value: string | null) => value && value !== part && show(value);
  return <ScreenTabs label={label} tabs={parts} value={part} onChange={onChange} />;
}

/** Shows another part from its first page on. Only what narrows all parts alike stays. */
function useShowPart<T extends Row>({ split, fields }: Pick<Resource<T>, 'split' | 'fields'>): (part: string) => void {
  const { change } = useAddress();
  return (part) =>
    change((search) => {
      const stays = Object.entries(fields).flatMap(([name, { filter }]) => {
        if (!filter) return [];
        return filter === true ? [name] : filter.of ? [] : [filter.name ?? name];
      });
      for (const name of new Set(search.keys())) if (!stays.includes(name)) search.delete(name);
      if (split) search.set(split.by, part);
    }, 'push');
}
