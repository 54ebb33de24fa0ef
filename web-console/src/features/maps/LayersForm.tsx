import { Button, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isTileTemplate, type TileSource } from '@/map/tileSource';
import type { MapLayers } from './mapLayers';

interface LayersFormProps {
  layers: MapLayers;
  /** Called at once with each change. */
  onLayers: (layers: MapLayers) => void;
  tiles: TileSource | null;
  onTiles: (source: TileSource | null) => void;
}

/** What is drawn besides vehicles, and what lies below them: the bundled map, or tiles of a server that the operator may use. */
export function LayersForm(props: LayersFormProps) {
  const { t } = useTranslation('maps');
  const [kind, setKind] = useState(props.tiles ? 'tiles' : 'schematic');
  const [url, setUrl] = useState(props.tiles?.url ?? '');
  const [attribution, setAttribution] = useState(props.tiles?.attribution ?? '');
  const [wrong, setWrong] = useState(false);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (kind === 'schematic') return props.onTiles(null);
    if (!isTileTemplate(url.trim())) return setWrong(true);
    props.onTiles({ url: url.trim(), attribution: attribution.trim() });
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {(['names', 'trails'] as const).map((layer) => (
          <Switch
            key={layer}
            label={t(`layers.${layer}`)}
            checked={props.layers[layer]}
            onChange={(event) => props.onLayers({ ...props.layers, [layer]: event.currentTarget.checked })}
          />
        ))}
        <Radio.Group value={kind} onChange={setKind} label={t('layers.base')}>
          <Stack gap="xs" mt="xs">
            <Radio value="schematic" label={t('layers.schematic')} description={t('layers.schematicHelp')} />
            <Radio value="tiles" label={t('layers.tiles')} description={t('layers.tilesHelp')} />
          </Stack>
        </Radio.Group>
        {kind === 'tiles' && (
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
