/** Why a live connection ended. */
export type CloseReason =
  'network' | 'server_shutdown' | 'server_error' | 'protocol' | 'policy' | 'other' | 'manual' | 'user_switch';

/** Delay after the first drop; it doubles from there. */
const BASE_DELAY_MS = 1_000;
/** The doubling ends here. */
const MAX_DELAY_MS = 30_000;
/** After the network or the server failed. */
const FIXED_DELAY_MS = 5_000;
/** After somebody asked for it. */
export const MANUAL_DELAY_MS = 100;
/** More attempts than these are not made. */
export const MAX_ATTEMPTS = 1_000_000;

/** What a WebSocket close code means. */
export function closeReason(code: number): CloseReason {
  switch (code) {
    case 1006: // nothing was received: the network, or the process died
    case 1015: // no TLS
      return 'network';
    case 1001: // going away
    case 1012: // service restart
      return 'server_shutdown';
    case 1011: // unexpected condition
    case 1013: // try again later
    case 1014: // bad gateway
      return 'server_error';
    case 1002: // protocol error
    case 1003: // unsupported data
    case 1007: // invalid payload
    case 1009: // too large
    case 1010: // missing extension
      return 'protocol';
    case 1008:
      return 'policy';
    default:
      return 'other';
  }
}

/**
 * Milliseconds to wait before attempt number `attempt` (from 1), or null when there is to be none: after a close that
 * was asked for, and after the last attempt. The doubling delay is a quarter shorter to a quarter longer, or all whom one server
 * has dropped would come back at once.
 */
export function reconnectDelay(reason: CloseReason, attempt: number): number | null {
  if (attempt > MAX_ATTEMPTS) return null;
  switch (reason) {
    case 'manual':
    case 'user_switch':
      return null;
    case 'network':
    case 'server_shutdown':
    case 'server_error':
      return FIXED_DELAY_MS;
    default:
      return Math.min(BASE_DELAY_MS * 2 ** Math.min(attempt - 1, 30), MAX_DELAY_MS) * (0.75 + Math.random() / 2);
  }
}
