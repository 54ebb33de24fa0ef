import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceMeters } from '@/api/generated';
import { useFormats } from '@/i18n/useFormats';
import { longest } from './figures';
import classes from './Meters.module.css';
import { useMeterWords } from './useMeterWords';

const FIRST = 7;

/** What a device came to on each of the last days, the newest first. */
export function MeterDays({ meters }: { meters: DeviceMeters }) {
  const { t } = useTranslation('meters');
  const formats = useFormats();
  const words = useMeterWords();
  const [all, setAll] = useState(false);
  const { days, days_asked: asked } = meters;
  const title = t('days.title', { count: asked, formatted: formats.number(asked) });
  const most = longest(meters);
  return (
    <section aria-label={title}>
      <div className={classes.head}>
        <h3 className={classes.title}>{title}</h3>
        {days.length > 0 && (
          <Text size="sm" c="dimmed">
            {t('days.average', {
              distance: words.distance(meters.average_distance),
              hours: words.hours(meters.average_engine_seconds),
            })}
          </Text>
        )}
      </div>
      {days.length === 0 ? (
        <Text c="dimmed">{t('days.none')}</Text>
      ) : (
        <table className={classes.days}>
          <thead>
            <tr>
              <th scope="col">{t('days.day')}</th>
              <th scope="col" className={classes.bars} aria-hidden="true" />
              <th scope="col" data-number>
                {t('days.distance')}
              </th>
              <th scope="col" data-number>
                {t('engineHours')}
              </th>
              <th scope="col" data-number>
                {t('days.idle')}
              </th>
            </tr>
          </thead>
          <tbody>
            {days
              .slice(0, all ? days.length : FIRST)
              .map(({ day, distance, engine_seconds: engine, idle_seconds: idle, trips }) => (
                <tr key={day}>
                  <th scope="row">
                    {formats.date(day)}
                    {typeof trips === 'number' && trips > 0 && (
                      <span className={classes.trips}>
                        {t('days.trips', { count: trips, formatted: formats.number(trips) })}
                      </span>
                    )}
                  </th>
                  <td className={classes.bars} aria-hidden="true">
                    <div className={classes.track}>
                      <div
                        className={classes.bar}
                        style={{ width: `${most > 0 ? (100 * (distance ?? 0)) / most : 0}%` }}
                      />
                    </div>
                  </td>
                  <td className="tabular" data-number>
                    {words.distance(distance)}
                  </td>
                  <td className="tabular" data-number>
                    {words.hours(engine)}
                  </td>
                  <td className="tabular" data-number>
                    {words.hours(idle)}
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
      {!all && days.length > FIRST && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
          {t('days.all')}
        </Button>
      )}
    </section>
  );
}
