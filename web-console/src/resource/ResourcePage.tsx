import { Anchor, Button, Skeleton, Stack } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useSelector } from 'react-redux';
import { Link, useLocation, useParams } from 'react-router';
import { ErrorState } from '@/components/ErrorState';
import { NoAccess } from '@/components/NoAccess';
import { Page } from '@/components/Page';
import { PageHeader } from '@/components/PageHeader';
import { Part } from '@/components/Part';
import type { EntryState } from '@/lib/address';
import { useStackedDrawers } from '@/lib/drawerParam';
import { usePolling } from '@/lib/usePolling';
import { useTitle } from '@/lib/useTitle';
import { selectPerson } from '@/session/sessionSlice';
import { useOneQuery } from './calls';
import { nameOf, type Resource } from './defineResource';
import type { Row } from './fields';
import { StackedDrawers } from './StackedDrawers';
import { PageParts } from './PageParts';
import { mayDo, REGISTRY } from './registry';
import classes from './ResourcePage.module.css';
import { useResourceTexts } from './texts';

/** One thing as a page of its own, for those who may see it: made of the same parts as its drawer. */
export function ResourcePage<T extends Row>({ resource }: { resource: Resource<T> }) {
  const { t } = useResourceTexts(resource.key);
  const { id = '' } = useParams();
  if (!mayDo(resource.key, 'list', useSelector(selectPerson))) return <NoAccess text={t('noAccess')} />;
  return <Loaded key={id} resource={resource} id={id} />;
}

function Loaded<T extends Row>({ resource, id }: { resource: Resource<T>; id: string }) {
  const texts = useResourceTexts(resource.key);
  const { t } = texts;
  const one = useOneQuery<T>(resource.key, id, {
    refetchOnMountOrArgChange: true,
    pollingInterval: usePolling(resource.pollSeconds),
  });
  const row = one.currentData;
  const title = row ? nameOf(resource, row, texts) : t('title');
  useTitle(title);
  return (
    <Page>
      <BackToList of={resource.key} />
      {row ? (
        <Shown resource={resource} row={row} id={id} title={title} />
      ) : (
        <>
          <PageHeader title={title} />
          {one.error && !one.isFetching ? (
            <ErrorState title={t('openFailed')} error={one.error} onRetry={() => void one.refetch()} />
          ) : (
            <Stack aria-busy="true">
              {[0, 1, 2, 3].map((line) => (
                <Skeleton key={line} height={56} />
              ))}
            </Stack>
          )}
        </>
      )}
      <StackedDrawers />
    </Page>
  );
}

interface ShownProps<T extends Row> {
  resource: Resource<T>;
  row: T;
  id: string;
  title: string;
}

function Shown<T extends Row>({ resource, row, id, title }: ShownProps<T>) {
  const { t } = useResourceTexts(resource.key);
  const { open } = useStackedDrawers();
  const { Head, Acts } = resource.page ?? {};
  const mayEdit = mayDo(resource.key, 'update', useSelector(selectPerson));
  return (
    <>
      <PageHeader
        title={title}
        action={
          <>
            <Part height={0}>{Acts && <Acts row={row} />}</Part>
            <Button
              variant="default"
              leftSection={<IconPencil size={16} aria-hidden="true" />}
              onClick={() => open(resource.key, id)}
            >
              {mayEdit ? t('page.edit') : t('page.details')}
            </Button>
          </>
        }
      />
      {Head && (
        <Part height={56}>
          <Head row={row} />
        </Part>
      )}
      <PageParts resource={resource} row={row} id={id} />
    </>
  );
}

/** Leads to the list as it was, for whoever came from there. */
function BackToList({ of }: { of: Resource['key'] }) {
  const { t } = useResourceTexts(of);
  const { list = '' } = (useLocation().state as EntryState | null) ?? {};
  return (
    <Anchor component={Link} to={{ pathname: REGISTRY[of].path, search: list }} size="sm" className={classes.back}>
      {t('page.back')}
    </Anchor>
  );
}
