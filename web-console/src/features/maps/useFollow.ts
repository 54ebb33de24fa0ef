import { useState } from 'react';

/** Whether the map stays with the chosen vehicles: others begin without. */
export function useFollow(chosen: string[]) {
  const [followed, setFollowed] = useState<string | null>(null);
  const all = chosen.join();
  const following = all !== '' && followed === all;
  return {
    following,
    /** Stays with the vehicles that are chosen, or leaves them. */
    toggle: () => setFollowed(following ? null : all),
    /** Stays with one, which is chosen alone with this. */
    follow: (deviceId: string) => setFollowed(deviceId),
    end: () => setFollowed(null),
  };
}
