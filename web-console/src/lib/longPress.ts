import type { MouseEvent, PointerEvent } from 'react';

/** As long as phones take a press for a long one. */
const PRESS_MS = 500;
/** Whoever moves farther scrolls. */
const MOVED_PX = 10;

/** Handlers that tell one thing from another when it is pressed for long; the click that ends such a press is swallowed. */
export function longPress<T>(onLong: (pressed: T) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let start = { x: 0, y: 0 };
  let wasLong = false;
  let byFinger = false;
  const end = () => clearTimeout(timer);
  return (pressed: T) => ({
    onPointerDown: ({ button, pointerType, clientX: x, clientY: y }: PointerEvent) => {
      end();
      [start, wasLong, byFinger] = [{ x, y }, false, pointerType !== 'mouse'];
      if (button !== 0) return;
      timer = setTimeout(() => {
        wasLong = true;
        onLong(pressed);
      }, PRESS_MS);
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - start.x, clientY - start.y) > MOVED_PX) end();
    },
    onPointerUp: end,
    // The finger scrolls.
    onPointerCancel: end,
    onPointerLeave: end,
    onClickCapture: (event: MouseEvent) => {
      if (!wasLong) return;
      wasLong = false;
      event.preventDefault();
      event.stopPropagation();
    },
    // The browser's own menu would come in between.
    onContextMenu: (event: MouseEvent) => {
      if (byFinger) event.preventDefault();
    },
  });
}
