import { Tabs } from '@mantine/core';
import { use, useState, type ReactNode } from 'react';
import { useSelector } from 'react-redux';
import { useLocation } from 'react-router';
import { Part } from '@/components/Part';
import { DrawerDepth } from '@/components/unsaved';
import { useTabParam } from '@/lib/drawerParam';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { idOf, type Resource } from './defineResource';
import classes from './DrawerTabs.module.css';
import { EDIT, isOfForm } from './drawerTab';
import type { Row } from './fields';
import { mayDo, REGISTRY } from './registry';
import { useResourceTexts } from './texts';

const NOW = 'now';
const MORE = 'more';

interface DrawerTabsProps<T extends Row> {
  resource: Resource<T>;
  row: T;
  /** The form of the thing, which stays once it is there: what was typed is not lost by looking at something else. */
  form: ReactNode;
}

/** What a thing does now, what else there is to see of it, and its form behind that. */
export function DrawerTabs<T extends Row>({ resource, row, form }: DrawerTabsProps<T>) {
  const { t } = useResourceTexts(resource.key);
  const mayEdit = mayDo(resource.key, 'update', useSelector(selectPerson));
  const { parts, apart } = useParts(resource, row);
  const [tab, setTab] = useTab(resource, row);
  const isNamed = (value: string) => parts.some((part) => part.value === value);
  const isApart = apart.some(({ value }) => value === tab);
  const front = tab === null ? NOW : isOfForm(resource, tab) ? EDIT : isApart ? MORE : isNamed(tab) ? tab : NOW;
  const [wasEdited, setWasEdited] = useState(front === EDIT);
  if (front === EDIT && !wasEdited) setWasEdited(true);
  const { Part: Now } = resource.now ?? {};
  const tabs = [
    { value: NOW, label: t('tab.now'), content: Now && <Now row={row} /> },
    ...parts,
    { value: EDIT, label: mayEdit ? t('page.edit') : t('page.details'), content: form },
    ...(apart.length > 0
      ? [{ value: MORE, label: t('tab.more'), content: <More parts={apart} {...{ tab, setTab }} /> }]
      : []),
  ];
  const show = (value: string | null) =>
    setTab(value === NOW ? null : value === MORE ? (apart[0]?.value ?? null) : value);
  return (
    // The arrows only lead along them: what opens may ask for the keyboard.
    <Tabs
      value={front}
      onChange={show}
      activateTabWithKeyboard={false}
      keepMountedMode="display-none"
      className={classes.tabs}
    >
      <Tabs.List aria-label={t('page.parts')} className={classes.list}>
        {tabs.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value} px="sm">
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ value, content }) => (
        <Tabs.Panel key={value} value={value} className={value === EDIT ? classes.form : classes.panel}>
          {(front === value || (value === EDIT && wasEdited)) && <Part>{content}</Part>}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

interface Content {
  value: string;
  label: string;
  content: ReactNode;
}

/** The parts that this person may see: those with a tab of their own, and the others. */
function useParts<T extends Row>({ key, parts = {}, now }: Resource<T>, row: T): Record<'parts' | 'apart', Content[]> {
  const { t } = useResourceTexts(key);
  const person = useSelector(selectPerson);
  const all = Object.entries(parts)
    .filter(([, { ability, when }]) => (!ability || can(ability, person)) && (when?.(row) ?? true))
    .map(([value, { Part: Shown }]) => ({ value, label: t(`tab.${value}`), content: <Shown row={row} /> }));
  const isInFront = ({ value }: Content) => !now?.tabs || now.tabs.includes(value);
  return { parts: all.filter(isInFront), apart: all.filter((part) => !isInFront(part)) };
}

/** The tab in the address is that of the lowest drawer. Over the page of the thing itself its form is what is missing there. */
function useTab<T extends Row>(resource: Resource<T>, row: T) {
  const addressed = useTabParam();
  const { pathname } = useLocation();
  const isOnItsPage = pathname === `${REGISTRY[resource.key].path}/${encodeURIComponent(idOf(resource, row))}`;
  const own = useState(isOnItsPage ? EDIT : null);
  return use(DrawerDepth) === 0 ? addressed : own;
}

interface MoreProps {
  parts: Content[];
  tab: string | null;
  setTab: (tab: string | null) => void;
}

/** What is looked at less often. */
function More({ parts, tab, setTab }: MoreProps) {
  return (
    <Tabs value={tab} onChange={setTab} variant="pills" keepMounted={false}>
      <Tabs.List className={classes.more}>
        {parts.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {parts.map(({ value, content }) => (
        <Tabs.Panel key={value} value={value}>
          <Part>{content}</Part>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
