import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Part } from '@/components/Part';
import { DrawerDepth } from '@/components/unsaved';
import { useStackedDrawers, type StackedDrawer } from '@/lib/drawerParam';
import { toastError } from '@/lib/toast';
import type { Resource } from './defineResource';
import { loadResource } from './loadResource';
import { REGISTRY, type ResourceKey } from './registry';
import { ResourceDrawer } from './ResourceDrawer';

/** The drawers over that of the page, one over the other: what a form speaks of, without leaving the form. */
export function StackedDrawers() {
  const { over, closeTo } = useStackedDrawers();
  return over
    .filter(({ of }) => of in REGISTRY)
    .map((each, place) => (
      <DrawerDepth key={`${place} ${each.of} ${each.id}`} value={place + 1}>
        <Part height={0}>
          <DrawerLayer {...each} onClose={() => closeTo(place)} />
        </Part>
      </DrawerDepth>
    ));
}

function DrawerLayer({ of, id, onClose }: StackedDrawer & { onClose: () => void }) {
  const { t } = useTranslation();
  const [resource, setResource] = useState<Resource | null>(null);
  useEffect(() => {
    let gone = false;
    void loadResource(of as ResourceKey).then(
      (loaded) => {
        if (!gone) setResource(loaded);
      },
      // What it lies over stays, with all that is typed there.
      () => {
        toastError(t('error.partNotLoaded'));
        onClose();
      },
    );
    return () => {
      gone = true;
    };
  }, [of, onClose, t]);
  return resource && <ResourceDrawer resource={resource} open={id} onClose={onClose} />;
}
