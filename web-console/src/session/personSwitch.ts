const KEY = 'person_switched';

/**
 * Leaves the page for a fresh one, where nothing in memory belongs to the person before. First the screen of that person
 * goes, and with it what would ask whether to leave.
 */
export function reloadForNewUser(): void {
  setTimeout(() => {
    try {
      sessionStorage.setItem(KEY, '1');
    } catch {
      // Then the fresh page says nothing of it.
    }
    window.location.replace('/');
  });
}

/** Whether this page began because another person signed in; true once. */
export function takePersonSwitch(): boolean {
  try {
    const switched = sessionStorage.getItem(KEY) !== null;
    sessionStorage.removeItem(KEY);
    return switched;
  } catch {
    return false;
  }
}
