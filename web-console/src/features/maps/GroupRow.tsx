import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { CSSProperties, KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { useFormats } from '@/i18n/useFormats';
import type { GroupHead } from '@/live/protocol';
import { VEHICLE_STATES } from '@/live/vehicleState';
import classes from './VehicleList.module.css';

interface GroupRowProps {
  head: GroupHead;
  tabIndex: number;
  onTurn: (groupId: string) => void;
}

/** A group in the list, with how many of its vehicles are in each state; pressed, it opens or closes. */
export function GroupRow({ head, tabIndex, onTurn }: GroupRowProps) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const { id, depth, isOpen, total } = head;
  const name = id === '' ? t('groups.none') : head.name;
  const counts = VEHICLE_STATES.map((state) => ({ state, count: head.counts[state] })).filter(({ count }) => count > 0);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === (isOpen ? 'ArrowLeft' : 'ArrowRight')) onTurn(id);
  };
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const depthOf = { '--depth': depth } as CSSProperties;
  return (
    <div className={classes.line} data-group style={depthOf}>
      <button
        type="button"
        className={classes.row}
        tabIndex={tabIndex}
        aria-expanded={isOpen}
        aria-label={[
          `${name}, ${formats.number(total)}`,
          ...counts.map(({ state, count }) => `${t(`state.${state}`)} ${formats.number(count)}`),
        ].join(', ')}
        onKeyDown={onKeyDown}
        onClick={() => onTurn(id)}
      >
        <Chevron size={16} aria-hidden="true" className={classes.chevron} />
        <span className={classes.text}>
          <span className={classes.name}>{name}</span>
          <span className={classes.counts}>
            {counts.map(({ state, count }) => (
              <span key={state} className={classes.count} title={t(`state.${state}`)}>
                <VehicleStateMark state={state} />
                {formats.number(count)}
              </span>
            ))}
          </span>
        </span>
        <span className={classes.age}>{formats.number(total)}</span>
      </button>
    </div>
  );
}
