/** How long an alarm's ring takes to go out. */
export const PULSE_MS = 1_600;
/** Frames of one are so far apart. */
export const PULSE_FRAME_MS = 40;
