import { createHmac } from 'node:crypto';

const STEP_MS = 30_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function bytesOf(secret: string): Buffer {
  const bits = [...secret.replace(/[\s=]/g, '')]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}

/** An authenticator (RFC 6238, SHA-1, six digits, 30 s). Each code holds once, and so it never shows one twice. */
export class Authenticator {
  private last = 0;
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = bytesOf(secret);
  }

  /** The present code, or the next one if that was shown before: the server takes those beside the present one as well. */
  code(): string {
    this.last = Math.max(Math.floor(Date.now() / STEP_MS), this.last + 1);
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(this.last));
    const hash = createHmac('sha1', this.key).update(counter).digest();
    const offset = (hash.at(-1) ?? 0) & 15;
    return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
  }
}
