import { Button, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { isTileTemplate, type BaseChoice, type MapSource } from '@/map/tileSource';
import type { MapLayers } from './mapLayers';

interface LayersFormProps {
  layers: MapLayers;
  /** Called at once with each change. */
  onLayers: (layers: MapLayers) => void;
  /** The street maps of the server; undefined while they are on their way. */
  offered: readonly MapSource[] | undefined;
  /** What is shown; undefined while nobody knows. */
  choice: BaseChoice | undefined;
  onChoose: (choice: BaseChoice) => void;
}

/** What is drawn besides vehicles, and what lies below them: one of the server's street maps, other tiles, or the bundled map. */
export function LayersForm({ layers, onLayers, offered, choice, onChoose }: LayersFormProps) {
  const { t } = useTranslation('maps');
  const own = choice?.kind === 'own' ? choice : undefined;
  const [picked, setPicked] = useState<string | null>(null);
  const [url, setUrl] = useState(own?.url ?? '');
  const [attribution, setAttribution] = useState(own?.attribution ?? '');
  const [wrong, setWrong] = useState(false);
  const value = picked ?? (choice ? radioOf(choice) : null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (value === 'schematic') return onChoose({ kind: 'schematic' });
    const source = offered?.find(({ id }) => value === radioOf({ kind: 'server', id }));
    if (source) return onChoose({ kind: 'server', id: source.id });
    if (value !== 'own') return;
    if (!isTileTemplate(url.trim())) return setWrong(true);
    onChoose({ kind: 'own', url: url.trim(), attribution: attribution.trim() });
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {(['names', 'trails'] as const).map((layer) => (
          <Switch
            key={layer}
            label={t(`layers.${layer}`)}
            checked={layers[layer]}
            onChange={(event) => onLayers({ ...layers, [layer]: event.currentTarget.checked })}
          />
        ))}
        <Radio.Group value={value} onChange={setPicked} label={t('layers.base')}>
          <Stack gap="xs" mt="xs">
            {offered?.map((source) => (
              <SourceRadio key={source.id} source={source} />
            ))}
            <Radio value="own" label={t('layers.own')} description={t('layers.ownHelp')} />
            <Radio value="schematic" label={t('layers.schematic')} description={t('layers.schematicHelp')} />
          </Stack>
        </Radio.Group>
        {value === 'own' && (
          <>
            <TextInput
              label={t('layers.url')}
              placeholder="https://…/{z}/{x}/{y}.png"
              value={url}
              error={wrong && t('layers.urlWrong')}
              onChange={(event) => {
                setUrl(event.currentTarget.value);
                setWrong(false);
              }}
            />
            <TextInput
              label={t('layers.attribution')}
              description={t('layers.attributionHelp')}
              value={attribution}
              onChange={(event) => setAttribution(event.currentTarget.value)}
            />
          </>
        )}
        <Button type="submit">{t('layers.apply')}</Button>
      </Stack>
    </form>
  );
}

/** The value of the radio of a choice. */
const radioOf = (choice: BaseChoice) => (choice.kind === 'server' ? `server ${choice.id}` : choice.kind);

/** A street map of the server. One that cannot be shown is there as well: whoever put it there sees why. */
function SourceRadio({ source: { id, name, attribution, size, problem } }: { source: MapSource }) {
  const { t } = useTranslation('maps');
  const formats = useFormats();
  const file = size !== undefined && t('layers.file', { size: formats.bytes(size) });
  const facts = [file, attribution, problem && t(`layers.problem.${problem}`)];
  return (
    <Radio
      value={radioOf({ kind: 'server', id })}
      label={name}
      description={facts.filter(Boolean).join(' · ')}
      disabled={problem !== undefined}
    />
  );
}
