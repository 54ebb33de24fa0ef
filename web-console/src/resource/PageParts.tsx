import { Tabs } from '@mantine/core';
import { useSelector } from 'react-redux';
import { Part } from '@/components/Part';
import { TabRow } from '@/components/TabRow';
import { useTabParam } from '@/lib/drawerParam';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { AuditOf } from './AuditOf';
import type { Resource } from './defineResource';
import type { Row } from './fields';
import { mayDo } from './registry';
import classes from './ResourcePage.module.css';
import { useResourceTexts } from './texts';

interface PagePartsProps<T extends Row> {
  resource: Resource<T>;
  row: T;
  id: string;
}

/** The parts of a thing, one at a time, the one in front kept in the address. */
export function PageParts<T extends Row>({ resource, row, id }: PagePartsProps<T>) {
  const { t } = useResourceTexts(resource.key);
  const person = useSelector(selectPerson);
  const [tab, setTab] = useTabParam();
  const { before, after } = resource.page ?? {};
  const declared: Resource<T>['parts'] = {
    ...(resource.now && { now: resource.now }),
    ...before,
    ...resource.parts,
    ...after,
  };
  const parts = Object.entries(declared)
    .filter(([, { ability, when }]) => (!ability || can(ability, person)) && (when?.(row) ?? true))
    .map(([value, { Part }]) => ({ value, content: <Part row={row} /> }));
  if (mayDo('audit', 'list', person)) parts.push({ value: 'audit', content: <AuditOf of={resource.key} id={id} /> });
  const first = parts[0]?.value ?? null;
  const front = parts.find(({ value }) => value === tab)?.value ?? first;
  const show = (value: string | null) => setTab(value === first ? null : value);
  return (
    <Tabs value={front} onChange={show}>
      <TabRow label={t('page.parts')} value={front}>
        {parts.map(({ value }) => (
          <Tabs.Tab key={value} value={value} px="sm">
            {t(`tab.${value}`)}
          </Tabs.Tab>
        ))}
      </TabRow>
      {parts.map(({ value, content }) => (
        <Tabs.Panel key={value} value={value} className={classes.panel}>
          <Part>{front === value && content}</Part>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
