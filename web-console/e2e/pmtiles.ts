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

/** A PMTiles file (version 3, nothing in it packed) whose tiles of all zooms down to one are the same PNG. */
export function pictureFile(picture: Buffer, maxZoom: number, attribution: string): Buffer {
  const tiles = (4 ** (maxZoom + 1) - 1) / 3;
  // One entry: which tile, how many from it on, how long, and where, which is counted from 1.
  const directory = Buffer.from([1, 0, tiles, picture.length, 1].flatMap(varint));
  const metadata = Buffer.from(JSON.stringify({ attribution }));
  const metadataAt = HEADER_BYTES + directory.length;
  const pictureAt = metadataAt + metadata.length;
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles', 'latin1');
  header[7] = 3;
  const places = [HEADER_BYTES, directory.length, metadataAt, metadata.length, pictureAt, 0, pictureAt, picture.length];
  // And how many tiles it answers for, with how many entries and pictures.
  [...places, tiles, 1, 1].forEach((value, place) => header.writeBigUInt64LE(BigInt(value), 8 + 8 * place));
  // In order; directories and tiles as they are; PNG; the zooms.
  header.set([1, 1, 1, 2, 0, maxZoom], 96);
  INDONESIA.forEach((degrees, place) => header.writeInt32LE(degrees * 1e7, 102 + 4 * place));
  return Buffer.concat([header, directory, metadata, picture]);
}

/** A number as protobuf writes it. */
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
