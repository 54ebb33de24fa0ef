import { ActionIcon, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusReturn } from '@/lib/useFocusReturn';
import classes from './DetailDrawer.module.css';
import { ErrorState } from './ErrorState';
import { Part } from './Part';

/** What a drawer has to wait for. */
export interface DrawerLoad {
  /** What to say when it cannot be had. */
  failure: string;
  /** Undefined while it is on its way. */
  error: unknown;
  onRetry: () => void;
}

/** One thing in a drawer at the side. */
export interface DetailDrawerProps {
  title: string;
  subtitle?: ReactNode;
  /** Acts on the thing, beside its name. */
  actions?: ReactNode;
  /** Leads to the row before or after in the list behind; an end of the list is null. */
  previous?: (() => void) | null;
  next?: (() => void) | null;
  /** 560 for forms of one column, 720 for what has tabs or tables. */
  size?: 560 | 720;
  /** Set until the thing is there. */
  load?: DrawerLoad;
  onClose: () => void;
  /** A `DrawerForm`, or whatever else there is to read. */
  children?: ReactNode;
}

/** Shows one thing beside the list it comes from. It opens at once and fills when the thing arrives. */
export function DetailDrawer(props: DetailDrawerProps) {
  const content = useRef<HTMLDivElement>(null);
  useFocusReturn();
  const close = () => {
    // A question above has the keyboard, and Escape is meant for it alone.
    const above = document.activeElement?.closest('[role=dialog]');
    if (!above || above === content.current) props.onClose();
  };
  return (
    <Drawer.Root
      opened
      onClose={close}
      position="right"
      size={props.size ?? 560}
      // The page itself never scrolls, and locking it would inject a style element, which the policy forbids.
      lockScroll={false}
      classNames={drawerClasses}
    >
      <Drawer.Overlay />
      <Drawer.Content ref={content}>
        <Drawer.Header role="none">
          <div className={classes.names}>
            <Drawer.Title>{props.title}</Drawer.Title>
            {props.subtitle && (
              <Text size="sm" c="dimmed" className={classes.subtitle}>
                {props.subtitle}
              </Text>
            )}
          </div>
          <Group gap="2xs" wrap="nowrap">
            <Part height={0}>{props.actions}</Part>
            <Neighbours previous={props.previous} next={props.next} />
            <Drawer.CloseButton />
          </Group>
        </Drawer.Header>
        <Drawer.Body>
          {props.load ? <Arriving {...props.load} /> : <Part height={36}>{props.children}</Part>}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

const drawerClasses = {
  content: classes.content,
  header: classes.header,
  title: classes.title,
  body: classes.body,
};

function Neighbours({ previous, next }: Pick<DetailDrawerProps, 'previous' | 'next'>) {
  const { t } = useTranslation();
  if (previous === undefined && next === undefined) return null;
  return (
    <>
      <ActionIcon aria-label={t('drawer.previous')} disabled={!previous} onClick={() => previous?.()}>
        <IconChevronLeft size={18} aria-hidden="true" />
      </ActionIcon>
      <ActionIcon aria-label={t('drawer.next')} disabled={!next} onClick={() => next?.()}>
        <IconChevronRight size={18} aria-hidden="true" />
      </ActionIcon>
    </>
  );
}

/** What comes sooner needs no skeleton: it would only flicker. */
const SKELETON_DELAY_MS = 250;

function Arriving({ failure, error, onRetry }: DrawerLoad) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  if (error) return <ErrorState title={failure} error={error} onRetry={onRetry} />;
  return (
    <Stack aria-busy="true" className={classes.arriving} data-late={late || undefined}>
      {[0, 1, 2, 3, 4].map((row) => (
        <Stack key={row} gap={6}>
          <Skeleton height={12} width="30%" />
          <Skeleton height={36} />
        </Stack>
      ))}
    </Stack>
  );
}
