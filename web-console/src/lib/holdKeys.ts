/** For how long keys wait for a field that does not come: its code may take long on a poor line. */
const HELD_MS = 30_000;

/** Fields of plain text; others have no place in them to write at. */
const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && ['text', 'search'].includes(target.type));

let letGo: (() => void) | undefined;

/**
 * What is typed while a field is about to open is meant for that field, and no shortcut of the screen that still stands
 * there: it waits until a field has the keyboard. Escape, Tab and a click end that.
 */
export function holdKeys(): void {
  letGo?.();
  const over = new AbortController();
  const listen = { capture: true, signal: over.signal };
  let typed = '';
  const end = () => over.abort();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' || event.key === 'Tab') return end();
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if (event.key.length === 1) typed += event.key;
  };
  const onFocusIn = ({ target }: FocusEvent) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) end();
    if (!isField(target) || typed === '') return;
    target.setRangeText(typed, target.selectionStart ?? 0, target.selectionEnd ?? 0, 'end');
    target.dispatchEvent(new InputEvent('input', { bubbles: true, data: typed, inputType: 'insertText' }));
  };
  window.addEventListener('keydown', onKeyDown, listen);
  window.addEventListener('focusin', onFocusIn, listen);
  window.addEventListener('pointerdown', end, listen);
  const timer = setTimeout(end, HELD_MS);
  over.signal.addEventListener('abort', () => clearTimeout(timer));
  letGo = end;
}
