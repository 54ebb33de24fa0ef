/** Toasts of every kind vanish after this long. */
export const TOAST_MS = 8_000;
/** One that is being read or worked with is looked at again after this long. */
const RECHECK_MS = 1_000;

/** What the pointer was moved onto. */
let pointed: Element | null = null;

// A toast that comes to lie under a resting pointer is not meant by it: browsers report no movement then.
document.addEventListener('pointermove', ({ target, pointerType, movementX, movementY }) => {
  if (movementX === 0 && movementY === 0) return;
  pointed = pointerType !== 'touch' && target instanceof Element ? target : null;
});
document.documentElement.addEventListener('pointerleave', () => (pointed = null));

function isAttendedTo(toast: Element): boolean {
  return toast.contains(document.activeElement) || (pointed !== null && toast.contains(pointed));
}

/** Calls `hide` when a toast has been there long enough and nobody points at it or has the keyboard in it. */
export function keepToastUntilDone(id: string, hide: () => void): void {
  const look = () => {
    const toast = document.getElementById(id);
    if (toast && isAttendedTo(toast)) setTimeout(look, RECHECK_MS);
    else hide();
  };
  setTimeout(look, TOAST_MS);
}
