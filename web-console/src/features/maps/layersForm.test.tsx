import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { i18n } from '@/i18n/i18n';
import { LANGUAGES } from '@/i18n/languages';
import type { BaseChoice, MapSource } from '@/map/tileSource';
import { renderAt } from '@/testing/render';
import { setUpTestServer } from '@/testing/server';
import { LayersForm } from './LayersForm';

setUpTestServer();

const file = (id: string, rest: Partial<MapSource>): MapSource => ({
  id,
  name: id,
  kind: 'pmtiles_raster',
  url: `/api/v1/map-sources/${id}/file`,
  attribution: '',
  min_zoom: 0,
  max_zoom: 14,
  ...rest,
});
const OFFERED = [
  file('Jalan', { kind: 'raster_tiles', attribution: '© OpenStreetMap' }),
  file('Jawa', { kind: 'pmtiles_vector', attribution: '© OSM', size: 230 * 1024 * 1024 }),
  file('Rusak', { size: 2_048, problem: 'not_pmtiles' }),
  file('Tua', { size: 2_048, problem: 'version' }),
  file('Lain', { size: 2_048, problem: 'tile_type' }),
  file('Asing', { kind: 'pmtiles_vector', size: 2_048, problem: 'schema' }),
];

function show(choice: BaseChoice | undefined, offered: readonly MapSource[] | undefined) {
  const onChoose = vi.fn();
  const layers = { names: true, trails: true };
  const form = <LayersForm layers={layers} onLayers={vi.fn()} offered={offered} choice={choice} onChoose={onChoose} />;
  renderAt(form, '/maps');
  return onChoose;
}
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });
const apply = () => userEvent.click(screen.getByRole('button', { name: 'Terapkan' }));

describe('the choice of a base map', () => {
  it('has what the server offers, with the one that is shown, and what is to be known of each', () => {
    show({ kind: 'server', id: 'Jawa' }, OFFERED);
    expect(screen.getAllByRole('radio')).toHaveLength(OFFERED.length + 2);
    expect(radio('Jawa').checked).toBe(true);
    expect(screen.getByText('© OpenStreetMap')).toBeTruthy();
    expect(screen.getByText('berkas, 230 MB · © OSM')).toBeTruthy();
  });

  it('says why a file cannot be shown, and does not take it', () => {
    show({ kind: 'schematic' }, OFFERED);
    for (const name of ['Rusak', 'Tua', 'Lain', 'Asing']) expect(radio(name).disabled).toBe(true);
    expect(screen.getByText('berkas, 2 kB · Bukan berkas PMTiles, atau tidak dapat dibaca.')).toBeTruthy();
    expect(screen.getByText(/bukan versi 3/)).toBeTruthy();
  });

  it('shows another one', async () => {
    const onChoose = show({ kind: 'server', id: 'Jawa' }, OFFERED);
    await userEvent.click(radio('Jalan'));
    expect(onChoose).not.toHaveBeenCalled();
    await apply();
    expect(onChoose).toHaveBeenCalledExactlyOnceWith({ kind: 'server', id: 'Jalan' });
  });

  it('takes an address of somebody else, when tiles can be asked for by it', async () => {
    const onChoose = show({ kind: 'server', id: 'Jawa' }, OFFERED);
    await userEvent.click(radio('Alamat sendiri'));
    await userEvent.click(screen.getByLabelText('Templat URL'));
    await userEvent.paste('https://tiles.example/{z}/{x}.png');
    await apply();
    expect(screen.getByText(/Mulai dengan https/)).toBeTruthy();
    expect(onChoose).not.toHaveBeenCalled();
    await userEvent.clear(screen.getByLabelText('Templat URL'));
    await userEvent.click(screen.getByLabelText('Templat URL'));
    await userEvent.paste('https://tiles.example/{z}/{x}/{y}.png');
    await userEvent.type(screen.getByLabelText('Atribusi'), '© Contoh');
    await apply();
    const url = 'https://tiles.example/{z}/{x}/{y}.png';
    expect(onChoose).toHaveBeenCalledExactlyOnceWith({ kind: 'own', url, attribution: '© Contoh' });
  });

  it('has the bundled map as well, even while nobody knows what is offered', async () => {
    const onChoose = show(undefined, undefined);
    expect(screen.getAllByRole('radio')).toHaveLength(2);
    await userEvent.click(radio('Peta skema'));
    await apply();
    expect(onChoose).toHaveBeenCalledExactlyOnceWith({ kind: 'schematic' });
  });

  it('has words in every language', async () => {
    try {
      for (const language of LANGUAGES) {
        await i18n.changeLanguage(language);
        show({ kind: 'own', url: '', attribution: '' }, OFFERED);
        expect(document.body.textContent).not.toMatch(/\blayers\.[a-z]+/);
        cleanup();
      }
    } finally {
      await i18n.changeLanguage('id');
    }
  });
});
