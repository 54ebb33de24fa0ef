/** What is told to whatever is live, by who does not bring it onto the page. */
interface Live {
  /** Drops the connection and makes a new one. */
  reconnect: () => void;
  /** Tries again at once, if it waits to. */
  retryNow: () => void;
  /** Ends the connection and forgets what it told. */
  end: () => void;
}

let present: Live | null = null;

/** Says that there is something live from now on. */
export const announceLive = (live: Live): void => void (present = live);

/** The live session of this page; null until a screen has loaded it: the sign-in does without. */
export const presentLive = (): Live | null => present;
