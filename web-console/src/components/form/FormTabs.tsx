import { Badge, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { EntityForm } from '@/lib/useEntityForm';
import { TabRow } from '../TabRow';
import { FormTab } from './field';
import classes from './DrawerForm.module.css';

/** Fields that belong together. */
export interface FormTabContent {
  value: string;
  label: string;
  content: ReactNode;
}

interface FormTabsProps<V extends FieldValues> {
  form: EntityForm<V>;
  label: string;
  tabs: FormTabContent[];
}

/** For forms of more than ten fields. A tab says how many of its fields are wrong. */
export function FormTabs<V extends FieldValues>({ form, label, tabs }: FormTabsProps<V>) {
  const wrongOn = (tab: string) => form.wrong.filter((field) => field.tab === tab).length;
  return (
    <Tabs
      value={form.tab ?? tabs[0]?.value ?? null}
      onChange={form.showTab}
      // Fields on other tabs are there as well: they may be wrong.
      keepMountedMode="display-none"
      className={classes.tabs}
    >
      <TabRow label={label} value={form.tab ?? null}>
        {tabs.map((tab) => (
          <Tabs.Tab
            key={tab.value}
            value={tab.value}
            px="sm"
            rightSection={
              wrongOn(tab.value) > 0 && (
                <Badge circle color="red.8">
                  {wrongOn(tab.value)}
                </Badge>
              )
            }
          >
            {tab.label}
          </Tabs.Tab>
        ))}
      </TabRow>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.value} value={tab.value} className={classes.panel}>
          <FormTab value={tab.value}>{tab.content}</FormTab>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
