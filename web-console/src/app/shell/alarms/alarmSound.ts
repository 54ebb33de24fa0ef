import type { AlarmSeverity } from '@/api/generated';

/** Two tones in turn, in hertz, and how long each of them is, in seconds. */
const TONES = [880, 660] as const;
const TONE_S = 0.18;
const LOUDNESS = 0.2;
/** How often they sound for what asks most. */
const TIMES = 3;
/** A browser that does not allow sound leaves the question open. */
const ANSWER_TIMEOUT_MS = 500;

let context: AudioContext | null = null;
let silenced = false;
/** What sounds last. */
let last: Promise<unknown> = Promise.resolve();
const listeners = new Set<() => void>();

/** For `useSyncExternalStore`: whether the browser has refused a sound, which it allows once somebody has pressed something. */
export const isSilenced = (): boolean => silenced;

/** The same. */
export function subscribeSilenced(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function setSilenced(is: boolean): void {
  if (silenced === is) return;
  silenced = is;
  for (const each of listeners) each();
}

/** Asks the browser for sound, best while somebody presses something; whether it allows it. */
async function openSound(): Promise<AudioContext | null> {
  if (typeof AudioContext === 'undefined') return null;
  context ??= new AudioContext();
  const asked = context.resume().catch(() => undefined);
  await Promise.race([asked, new Promise((late) => setTimeout(late, ANSWER_TIMEOUT_MS))]);
  const allowed = (context.state as AudioContextState) === 'running';
  setSilenced(!allowed);
  return allowed ? context : null;
}

/** Once somebody has pressed something, alarms may be heard from then on. Returns what stops waiting for it. */
export function allowSoundOnPress(): () => void {
  const events = ['pointerdown', 'keydown'] as const;
  const stop = () => events.forEach((name) => document.removeEventListener(name, allow, true));
  const allow = () => {
    stop();
    // What nobody hears now keeps no loudspeaker busy.
    void openSound().then((sound) => sound?.suspend());
  };
  events.forEach((name) => document.addEventListener(name, allow, true));
  return stop;
}

/** Sounds for an alarm, if the browser lets it. Of several tabs of a browser one does. */
export function soundAlarm(severity: AlarmSeverity): Promise<unknown> {
  last = last.then(() => sounded(severity === 'critical' ? TIMES : 1));
  return last;
}

async function sounded(times: number): Promise<void> {
  const sound = await openSound();
  if (!sound) return;
  const play = () => playTones(sound, times);
  if ('locks' in navigator)
    await navigator.locks.request('alarm-sound', { ifAvailable: true }, (lock) => (lock ? play() : undefined));
  else await play();
}

async function playTones(sound: AudioContext, times: number): Promise<void> {
  const volume = new GainNode(sound, { gain: LOUDNESS });
  volume.connect(sound.destination);
  const tone = new OscillatorNode(sound, { type: 'triangle' });
  const count = times * TONES.length;
  for (let step = 0; step < count; step++) {
    tone.frequency.setValueAtTime(TONES[step % TONES.length] ?? 0, sound.currentTime + step * TONE_S);
  }
  tone.connect(volume);
  const ended = new Promise((end) => tone.addEventListener('ended', end));
  tone.start();
  tone.stop(sound.currentTime + count * TONE_S);
  await ended;
  volume.disconnect();
  await sound.suspend();
}
