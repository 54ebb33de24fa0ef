import { Tabs } from '@mantine/core';
import { useLocation, useNavigate } from 'react-router';
import { TabRow } from './TabRow';

/** A tab that leads to a screen. */
export interface ScreenTab {
  /** By what it is chosen: the path of the screen, or the part of it. */
  value: string;
  label: string;
}

interface ScreenTabsProps {
  /** What they lead through. */
  label: string;
  tabs: readonly ScreenTab[];
  /** That in front. */
  value: string;
  onChange: (value: string | null) => void;
}

/** Tabs above a screen, which is what they show: it stands below them, and in no panel of theirs. */
export const ScreenTabs = ({ label, tabs, value, onChange }: ScreenTabsProps) => (
  <Tabs value={value} onChange={onChange} activateTabWithKeyboard={false}>
    <TabRow label={label} value={value}>
      {tabs.map((tab) => (
        <Tabs.Tab key={tab.value} value={tab.value}>
          {tab.label}
        </Tabs.Tab>
      ))}
    </TabRow>
    {/* What a tab controls has to be there; what is below is the screen itself. */}
    {tabs.map((tab) => (
      <Tabs.Panel key={tab.value} value={tab.value} hidden>
        {null}
      </Tabs.Panel>
    ))}
  </Tabs>
);

/** Tabs from one screen to another, by their paths. */
export function PathTabs(props: Omit<ScreenTabsProps, 'value' | 'onChange'>) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return <ScreenTabs {...props} value={pathname} onChange={(path) => path && void navigate(path)} />;
}
