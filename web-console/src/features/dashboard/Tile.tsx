import { Anchor } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import classes from './Dashboard.module.css';
import type { TileKey } from './tiles';

interface TileProps {
  tile: TileKey;
  /** Where all of it stands. */
  more?: string;
  children: ReactNode;
}

/** A part of the dashboard under its heading. */
export function Tile({ tile, more, children }: TileProps) {
  const { t } = useTranslation('dashboard');
  const id = useId();
  return (
    <section className={classes.tile} data-tile={tile} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.title}>
          {t(`tile.${tile}`)}
        </h2>
        {more && (
          <Anchor component={Link} to={more} size="sm" className={classes.more} aria-describedby={id}>
            {t('showAll')}
          </Anchor>
        )}
      </div>
      {children}
    </section>
  );
}
