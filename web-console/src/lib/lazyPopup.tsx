import {
  Suspense,
  cloneElement,
  useEffect,
  useState,
  type ComponentType,
  type KeyboardEvent,
  type ReactElement,
} from 'react';
import { useTranslation } from 'react-i18next';
import { toastError } from './toast';

/** The button that opens a menu or a panel. */
type Control = ReactElement<Record<string, unknown>>;

/** What a menu or a panel is given. */
export interface PopupProps {
  control: Control;
  opened: boolean;
  onChange: (opened: boolean) => void;
}

/**
 * A menu or a panel whose code comes when somebody comes near its button, with the pointer or the keyboard, and at the latest
 * when they press it. The button stands from the beginning; until then it is nothing but a button.
 */
export function lazyPopup<P extends object>(
  kind: 'menu' | 'dialog',
  load: () => Promise<ComponentType<P & PopupProps>>,
): ComponentType<P & { control: Control }> {
  let loaded: ComponentType<P & PopupProps> | undefined;
  const come = async () => (loaded ??= await load());
  // Whoever presses it is told if it does not come.
  const prepare = () => void come().catch(() => undefined);
  return function Popup({ control, ...props }: P & { control: Control }) {
    const { t } = useTranslation();
    const [Loaded, setLoaded] = useState<ComponentType<P & PopupProps>>();
    const [opened, setOpened] = useState(false);
    // It opens after it is there: what opens remembers where the keyboard was.
    useEffect(() => {
      if (Loaded) setOpened(true);
    }, [Loaded]);
    const closed = cloneElement(control, { 'aria-haspopup': kind, 'aria-expanded': false });
    if (!Loaded) {
      const open = () =>
        void come().then(
          (popup) => setLoaded(() => popup),
          () => toastError(t('error.partNotLoaded')),
        );
      const first = { onPointerEnter: prepare, onFocus: prepare, onClick: open, ...(kind === 'menu' && onArrow(open)) };
      return cloneElement(closed, first);
    }
    const own =
      kind === 'menu' ? onArrow(() => setOpened(true)) : { 'aria-expanded': opened, onClick: () => setOpened(!opened) };
    const button = cloneElement(control, { autoFocus: true, ...own });
    const popup = { ...(props as unknown as P), control: button, opened, onChange: setOpened };
    return (
      <Suspense fallback={closed}>
        <Loaded {...popup} />
      </Suspense>
    );
  };
}

/** The arrow that leads into a menu opens it, too. */
const onArrow = (open: () => void) => ({
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    open();
  },
});
