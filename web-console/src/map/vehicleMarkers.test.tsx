import L from 'leaflet';
import { expect, it } from 'vitest';
import { VehicleMarkers, type PlacedVehicle } from './vehicleMarkers';

const at = (number: number, lng: number): PlacedVehicle => ({
  number,
  name: `Truk ${number}`,
  lat: -6.2,
  lng,
  course: 0,
  state: 'moving',
});

it('writes no name over another one, until one looks from nearer', () => {
  const map = L.map(document.createElement('div')).setView([-6.2, 106.8], 8);
  const markers = new VehicleMarkers(map);
  const vehicles = [at(1, 106.8), at(2, 106.81), at(3, 110)];
  const names = () =>
    [...(map.getPane('markerPane')?.querySelectorAll('span') ?? [])].map(({ textContent }) => textContent);
  markers.show(vehicles, null, () => undefined);
  expect(names()).toEqual(['Truk 1', 'Truk 3']);
  map.setZoom(16, { animate: false });
  expect(names()).toEqual(['Truk 1', 'Truk 2', 'Truk 3']);
  map.setZoom(8, { animate: false });
  // Whoever is chosen is named in any case.
  markers.show(vehicles, 2, () => undefined);
  expect(names()).toEqual(['Truk 1', 'Truk 2', 'Truk 3']);
  map.remove();
});
