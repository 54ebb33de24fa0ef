/** Reads the protobuf wire format: only what the binary messages of the console need, since a library would weigh more. */
export class Reader {
  private at: number;
  private readonly end: number;
  private readonly view: DataView;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Whether anything is left. */
  get more(): boolean {
    return this.at < this.end;
  }

  /** What is left. */
  get rest(): Uint8Array {
    return this.bytes.subarray(this.at, this.end);
  }

  /** Whether the next field is there as a whole: of a message that comes in parts the last one may not be. */
  get hasField(): boolean {
    const start = this.at;
    try {
      this.skip(this.uint() & 7);
      return this.at <= this.end;
    } catch {
      return false;
    } finally {
      this.at = start;
    }
  }

  /** Calls back for each field with its number; the callback reads or skips its value. */
  fields(read: (field: number, wire: number) => void): void {
    while (this.at < this.end) this.field(read);
  }

  /** The same for the next field alone. */
  field(read: (field: number, wire: number) => void): void {
    const tag = this.uint();
    read(tag >>> 3, tag & 7);
  }

  /** An unsigned varint. Exact up to 2^53. */
  uint(): number {
    // Most are small.
    const first = this.bytes[this.at] ?? 0;
    if (first < 0x80 && this.at < this.end) {
      this.at += 1;
      return first;
    }
    let value = 0;
    let scale = 1;
    for (;;) {
      if (this.at >= this.end) throw new RangeError('a message ends within a number');
      const byte = this.bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }

  /** A zigzag varint. Exact up to 2^52. */
  sint(): number {
    const value = this.uint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A message or a packed column, to be read by a reader of its own. */
  nested(): Reader {
    const start = this.span();
    return new Reader(this.bytes, start, this.at);
  }

  /** A text. */
  text(): string {
    const start = this.span();
    return this.shortText(start) ?? TEXT.decode(this.bytes.subarray(start, this.at));
  }

  /** 16 bytes as a UUID is written. */
  uuid(): string {
    const start = this.span();
    let text = '';
    for (let at = start; at < this.at; at++) {
      const place = at - start;
      if (place === 4 || place === 6 || place === 8 || place === 10) text += '-';
      text += HEX[this.bytes[at] ?? 0];
    }
    return text;
  }

  /** The rest as varints. */
  uints(): number[] {
    const values: number[] = [];
    while (this.at < this.end) values.push(this.uint());
    return values;
  }

  /** The rest as zigzag varints. */
  sints(): number[] {
    const values: number[] = [];
    while (this.at < this.end) values.push(this.sint());
    return values;
  }

  /** The rest as signed 32-bit numbers. */
  fixed32s(): Int32Array {
    const values = new Int32Array((this.end - this.at) >> 2);
    for (let place = 0; place < values.length; place++) values[place] = this.view.getInt32(this.at + 4 * place, true);
    this.at = this.end;
    return values;
  }

  /** The rest as unsigned 64-bit numbers. Exact up to 2^53. */
  fixed64s(): number[] {
    const values: number[] = [];
    for (; this.at + 8 <= this.end; this.at += 8) values.push(Number(this.view.getBigUint64(this.at, true)));
    return values;
  }

  /** Passes over a value. */
  skip(wire: number): void {
    if (wire === 0) this.uint();
    else if (wire === 1) this.at += 8;
    else if (wire === 2) this.span();
    else if (wire === 5) this.at += 4;
    else throw new RangeError(`no wire type ${wire}`);
  }

  /** A text that is short and of nothing but ASCII, as most are: to call the decoder would take longer than to read it. */
  private shortText(start: number): string | null {
    if (this.at - start > SHORT_TEXT) return null;
    let text = '';
    for (let at = start; at < this.at; at++) {
      const byte = this.bytes[at] ?? 0x80;
      if (byte >= 0x80) return null;
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** Moves behind a value with a length; returns where it begins. */
  private span(): number {
    const length = this.uint();
    const start = this.at;
    this.at += length;
    if (this.at > this.end) throw new RangeError('a message ends within a field');
    return start;
  }
}

const TEXT = new TextDecoder();
const SHORT_TEXT = 32;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
