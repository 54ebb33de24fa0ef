import { useFormats } from '@/i18n/useFormats';
import type { ResourceKey } from '../registry';
import { useResourceTexts } from '../texts';
import classes from './Import.module.css';
import type { ImportReport } from './importCalls';

const COUNTS = ['creates', 'updates', 'deletes', 'failed'] as const;

/** How many rows of a file do what. */
export function Counts({ of, report }: { of: ResourceKey; report: ImportReport }) {
  const { t } = useResourceTexts(of);
  const formats = useFormats();
  return (
    <dl className={classes.counts}>
      {COUNTS.map((name) => (
        <div key={name} data-wrong={(name === 'failed' && report.failed > 0) || undefined}>
          <dt>{t(`import.count.${name}`)}</dt>
          <dd className="tabular">{formats.number(report[name])}</dd>
        </div>
      ))}
    </dl>
  );
}
