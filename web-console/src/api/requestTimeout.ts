/**
 * A network that swallows everything is told of in the same words as one that is not there. The server itself gives up
 * after 30 seconds and says so: its words have to arrive before this.
 */
export const REQUEST_TIMEOUT_MS = 35_000;
