import { crc32, deflateSync } from 'node:zlib';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEADER_BYTES = 127;
/** Degrees: west, south, east, north. */
const INDONESIA = [95, -11, 141, 6];

/** A PNG of one pixel. */
export function pixel(red: number, green: number, blue: number): Buffer {
  // One by one, eight bits for each of three colours.
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  const line = deflateSync(Buffer.from([0, red, green, blue]));
  return Buffer.concat([PNG, chunk('IHDR', head), chunk('IDAT', line), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PMTiles file with pictures: all of its tiles are the same PNG. */
export const pictureFile = (picture: Buffer, maxZoom: number, attribution: string): Buffer =>
  mapFile(picture, 2, maxZoom, { attribution });

/** A PMTiles file with shapes, as Protomaps' basemap has them: land, wherever one looks. */
export const landFile = (maxZoom: number): Buffer =>
  mapFile(land(), 1, maxZoom, {
    version: '4.1.0',
    vector_layers: ['earth', 'places', 'roads', 'water'].map((id) => ({ id, fields: {} })),
  });

/** A PMTiles file (version 3, nothing in it packed) whose tiles of all zooms down to one are the same. */
function mapFile(tile: Buffer, type: number, maxZoom: number, about: object): Buffer {
  const tiles = (4 ** (maxZoom + 1) - 1) / 3;
  // One entry: which tile, how many from it on, how long, and where, which is counted from 1.
  const directory = Buffer.from([1, 0, tiles, tile.length, 1].flatMap(varint));
  const metadata = Buffer.from(JSON.stringify(about));
  const metadataAt = HEADER_BYTES + directory.length;
  const tileAt = metadataAt + metadata.length;
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles', 'latin1');
  header[7] = 3;
  const places = [HEADER_BYTES, directory.length, metadataAt, metadata.length, tileAt, 0, tileAt, tile.length];
  // And how many tiles it answers for, with how many entries and contents.
  [...places, tiles, 1, 1].forEach((value, place) => header.writeBigUInt64LE(BigInt(value), 8 + 8 * place));
  // In order; directories and tiles as they are; what tiles are; the zooms.
  header.set([1, 1, 1, type, 0, maxZoom], 96);
  INDONESIA.forEach((degrees, place) => header.writeInt32LE(degrees * 1e7, 102 + 4 * place));
  return Buffer.concat([header, directory, metadata, tile]);
}

/** A vector tile (Mapbox Vector Tile 2.1) with one shape of the layer `earth`, which covers it. */
function land(): Buffer {
  const side = 4096;
  const zigzag = (value: number) => (value < 0 ? -2 * value - 1 : 2 * value);
  // To the corner of north and west, along three sides, and closed.
  const lines = [side, 0, 0, side, -side, 0].map(zigzag);
  const geometry = [9, 0, 0, 26, ...lines, 15].flatMap(varint);
  // The first key has the first value; it is a polygon.
  const feature = [...bytes(2, [0, 0]), 3 << 3, 3, ...bytes(4, geometry)];
  const layer = [
    ...bytes(1, text('earth')),
    ...bytes(2, feature),
    ...bytes(3, text('kind')),
    ...bytes(4, bytes(1, text('earth'))),
    ...[5 << 3, ...varint(side)],
    ...[15 << 3, 2],
  ];
  return Buffer.from(bytes(3, layer));
}

const text = (value: string): number[] => [...Buffer.from(value)];

/** A field of protobuf that says its length. */
const bytes = (field: number, content: number[]): number[] => [(field << 3) | 2, ...varint(content.length), ...content];

/** A number as protobuf writes it. */
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
