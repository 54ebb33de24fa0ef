import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ACTS, KINDS } from './auditActs';

/** Words for the audit; what the console has none for is shown as the server names it. */
export interface AuditTexts {
  act: (act: string) => string;
  kind: (kind: string) => string;
}

/** What acts and things are called in the language of the screen. */
export function useAuditTexts(): AuditTexts {
  const { t } = useTranslation('audit');
  return useMemo(
    () => ({
      act: (act) => {
        const known = ACTS.find((each) => each === act.replace(':', '.'));
        return known ? t(`act.${known}`) : act;
      },
      kind: (kind) => {
        const known = KINDS.find((each) => each === kind);
        return known ? t(`kind.${known}`) : kind;
      },
    }),
    [t],
  );
}
