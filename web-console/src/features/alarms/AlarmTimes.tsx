import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Alarm } from '@/api/generated';
import { Fact, Facts } from '@/components/Facts';
import { useFormats } from '@/i18n/useFormats';
import { writePlace } from '@/lib/coordinates';
import { EntityName } from '@/resource/names';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Alarms.module.css';

/** What is asked for afterwards, and stands folded until then. */
export function AlarmTimes({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation('alarms');
  const formats = useFormats();
  const person = useSelector(selectPerson);
  const { lat, lng } = alarm;
  return (
    <details className={classes.times}>
      <summary>{t('details')}</summary>
      <Facts>
        <Fact label={t('field.first_at')}>{formats.dateTime(alarm.first_at)}</Fact>
        <Fact label={t('field.last_at')}>{formats.dateTime(alarm.last_at)}</Fact>
        <Fact label={t('field.count')}>{formats.number(alarm.count)}</Fact>
        {lat !== undefined && lng !== undefined && (
          <Fact label={t('coordinates')}>
            <span className="tabular">{writePlace([lat, lng])}</span>
          </Fact>
        )}
        {alarm.acknowledged_at && (
          <Fact label={t('field.acknowledged_at')}>{formats.dateTime(alarm.acknowledged_at)}</Fact>
        )}
        {alarm.reaction_seconds !== undefined && (
          <Fact label={t('field.reaction')}>{formats.duration(alarm.reaction_seconds)}</Fact>
        )}
        {can('platform_owner', person) && (
          <Fact label={t('field.tenant_id')}>
            <EntityName of="tenants" id={alarm.tenant_id} />
          </Fact>
        )}
      </Facts>
    </details>
  );
}
