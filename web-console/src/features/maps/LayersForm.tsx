import { Button, Radio, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isTileTemplate, type TileSource } from '@/map/tileSource';

/** What lies below the vehicles: the bundled map, or tiles of a server that the operator may use. */
export function LayersForm(props: { tiles: TileSource | null; onTiles: (source: TileSource | null) => void }) {
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
