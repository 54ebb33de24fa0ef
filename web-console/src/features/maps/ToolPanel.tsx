import { Button, CloseButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { VehicleStateMark } from '@/components/VehicleStateMark';
import { TimeAgo } from '@/components/TimeAgo';
import { useFormats } from '@/i18n/useFormats';
import { readPlace, writePlace } from '@/lib/coordinates';
import { compassPoint, metresAlong, type Place } from '@/lib/greatCircle';
import type { LatLng } from '@/map/FleetMap';
import type { MapToolState } from './useMapTool';
import { useNearestVehicles } from './useNearestVehicles';
import classes from './ToolPanel.module.css';

interface ToolPanelProps {
  state: MapToolState;
  /** The middle of the free part of the map: the keyboard's way to a place. */
  centre: () => LatLng | undefined;
  onSelect: (deviceId: string) => void;
}

/** What the tool in hand says, and how it is shown a place without a mouse. */
export function ToolPanel({ state, centre, onSelect }: ToolPanelProps) {
  const { t } = useTranslation(['maps', 'common']);
  const { tool, places, take, add } = state;
  if (tool === null) return null;
  return (
    <section aria-label={t(`tools.${tool}`)} className={classes.panel} data-testid="tool-panel">
      <Group justify="space-between" wrap="nowrap">
        <h2 className={classes.title}>{t(`tools.${tool}`)}</h2>
        <CloseButton size="sm" onClick={() => take(null)} aria-label={t('common:action.close')} />
      </Group>
      <Stack gap="xs">
        <PlaceForm key={tool} onPlace={add} centre={centre} />
        {tool === 'ruler' ? <RulerResult state={state} /> : <NearestResult place={places[0]} onSelect={onSelect} />}
      </Stack>
    </section>
  );
}

/** A place that is typed or pasted, or the middle of the map; a click on the map is the other way. */
function PlaceForm({ onPlace, centre }: { onPlace: (place: LatLng) => void; centre: () => LatLng | undefined }) {
  const { t } = useTranslation('maps');
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const place = text.trim() === '' ? centre() : readPlace(text);
    if (!place) return setWrong(true);
    onPlace([place[0], place[1]]);
    setText('');
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        size="sm"
        label={t('place.label')}
        description={t('place.help')}
        placeholder="-6.20314, 106.85525"
        value={text}
        error={wrong && t('place.wrong')}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setWrong(false);
        }}
      />
      <Button type="submit" variant="default" size="compact-sm" mt="xs">
        {text.trim() === '' ? t('place.centre') : t('place.use')}
      </Button>
    </form>
  );
}

function RulerResult({ state: { places, undo, clear } }: { state: MapToolState }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const total = metresAlong(places).at(-1) ?? 0;
  return (
    <>
      <p role="status" className={classes.result}>
        {places.length < 2 ? (
          t('ruler.begin')
        ) : (
          <>
            <strong>{formats.distance(total)}</strong>{' '}
            {t('ruler.places', { count: places.length, formatted: formats.number(places.length) })}
          </>
        )}
      </p>
      {places.length > 0 && (
        <Group gap="xs">
          <Button variant="default" size="compact-sm" onClick={undo}>
            {t('ruler.undo')}
          </Button>
          <Button variant="default" size="compact-sm" onClick={clear}>
            {t('ruler.clear')}
          </Button>
        </Group>
      )}
    </>
  );
}

function NearestResult({ place, onSelect }: { place: Place | undefined; onSelect: (deviceId: string) => void }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const vehicles = useNearestVehicles(place);
  if (!place) return <Text size="sm">{t('nearest.begin')}</Text>;
  return (
    <div aria-busy={vehicles === null}>
      <Text size="xs" c="dimmed">
        {t('nearest.straight', { place: writePlace(place) })}
      </Text>
      {vehicles?.length === 0 && <Text size="sm">{t('nearest.none')}</Text>}
      <ol className={classes.vehicles}>
        {vehicles?.map(({ id, name, state, metres, bearing, recordedAt }) => (
          <li key={id}>
            <button type="button" className={classes.vehicle} onClick={() => onSelect(id)}>
              <VehicleStateMark state={state} />
              <span className={classes.text}>
                <span className={classes.name}>{name}</span>
                <span className={classes.detail}>
                  {t(`state.${state}`)} · <TimeAgo at={recordedAt} />
                </span>
              </span>
              <span className={classes.distance}>
                {formats.distance(metres)}
                <span className={classes.detail}>{t(`compass.${compassPoint(bearing)}`)}</span>
              </span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
