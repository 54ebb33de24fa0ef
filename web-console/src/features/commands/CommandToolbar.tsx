import { PeriodChooser } from '@/components/PeriodChooser';
import type { ToolbarProps } from '@/resource/defineResource';
import { CommandTabs } from './CommandTabs';

/** What was sent or what is kept, and the days to look at. */
export const CommandToolbar = (props: ToolbarProps) => (
  <>
    <CommandTabs />
    <PeriodChooser {...props} />
  </>
);
