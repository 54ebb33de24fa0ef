import type { AuditEntry } from '@/api/generated';
import { resourceOfKind } from '@/resource/registry';
import type { ResourceTexts } from '@/resource/texts';
import { SHARED_ACTS } from './auditActs';

/** What an act is called; one that the console has no words for is shown as the server names it. */
export function actText(act: string, { t, has, nouns }: ResourceTexts): string {
  const [kind = '', does = ''] = act.split(':');
  if (does === '*') return t('everythingOf', { kind: kindText(kind, { t, has, nouns }) });
  const own = `act.${kind}.${does}`;
  if (has(own)) return t(own);
  const of = resourceOfKind(kind);
  return of && SHARED_ACTS.some((each) => each === does) ? t(`act.${does}`, nouns(of)) : act;
}

/** What one of a kind of things is called. */
export function kindText(kind: string, { t, has, nouns }: Pick<ResourceTexts, 't' | 'has' | 'nouns'>): string {
  const of = resourceOfKind(kind);
  return has(`kind.${kind}`) ? t(`kind.${kind}`) : of ? nouns(of).One : kind;
}

/** What something was done to. */
export const objectText = ({ object_kind, object_name }: AuditEntry, texts: ResourceTexts): string =>
  [kindText(object_kind, texts), object_name].filter(Boolean).join(': ');
