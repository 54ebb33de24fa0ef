import type { Icon } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { GROUPS, mayDo, RESOURCE_ENTRIES, SCREENS } from '@/resource/registry';
import { useNouns } from '@/resource/texts';
import { can } from '@/session/abilities';
import type { Person } from '@/session/claims';

/** A screen in the sidebar. */
export interface NavigationEntry {
  path: string;
  label: string;
  icon: Icon;
  /** Pressed after `g`, leads there. */
  key: string;
  allowed: boolean;
}

/** Screens that belong together. */
export interface NavigationGroup {
  /** Key of its name under `nav.group`. */
  name: (typeof GROUPS)[number];
  entries: NavigationEntry[];
}

/** The sidebar: the registry's screens and resources, group by group. */
export function useNavigation(person: Person | null): NavigationGroup[] {
  const { t } = useTranslation();
  const nouns = useNouns();
  return useMemo(() => {
    const all = [
      ...SCREENS.map(({ name, ability, ...place }) => ({
        ...place,
        label: t(`nav.${name}`),
        allowed: !ability || can(ability, person),
      })),
      ...RESOURCE_ENTRIES.flatMap(([key, { path, place }]) =>
        place
          ? [{ ...place, path, label: nouns(key).menu, allowed: place.forAll === true || mayDo(key, 'list', person) }]
          : [],
      ),
    ];
    return GROUPS.map((name) => ({
      name,
      entries: all.filter(({ group }) => group === name).sort((a, b) => a.order - b.order),
    }));
  }, [t, nouns, person]);
}

/** The groups with the screens that this person may open. */
export const allowedOf = (groups: NavigationGroup[], person: Person | null): NavigationGroup[] =>
  person?.mustSetUpTotp
    ? []
    : groups
        .map((group) => ({ ...group, entries: group.entries.filter(({ allowed }) => allowed) }))
        .filter(({ entries }) => entries.length > 0);
