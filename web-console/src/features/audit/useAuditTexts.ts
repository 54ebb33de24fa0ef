import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { resourceOfKind } from '@/resource/registry';
import { useNouns } from '@/resource/texts';
import { OTHER_KINDS, OWN_ACTS, SHARED_ACTS } from './auditActs';

/** Words for the audit; what the console has none for is shown as the server names it. */
export interface AuditTexts {
  act: (act: string) => string;
  kind: (kind: string) => string;
}

/** What acts and things are called in the language of the screen. */
export function useAuditTexts(): AuditTexts {
  const { t } = useTranslation(['audit', 'resource']);
  const nouns = useNouns();
  return useMemo(
    () => ({
      act: (act) => {
        const own = OWN_ACTS.find((each) => each === act.replace(':', '.'));
        if (own) return t(`act.${own}`);
        const [kind = '', does] = act.split(':');
        const shared = SHARED_ACTS.find((each) => each === does);
        const of = resourceOfKind(kind);
        return shared && of ? t(`resource:act.${shared}`, nouns(of)) : act;
      },
      kind: (kind) => {
        const own = OTHER_KINDS.find((each) => each === kind);
        if (own) return t(`kind.${own}`);
        const of = resourceOfKind(kind);
        return of ? nouns(of).One : kind;
      },
    }),
    [t, nouns],
  );
}
