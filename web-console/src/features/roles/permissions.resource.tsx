import type { Permission } from '@/api/generated';
import { permissionTexts } from '@/i18n/usePermissionTexts';
import { defineResource } from '@/resource/defineResource';
import { choice, text } from '@/resource/fields';
import { useResourceTexts } from '@/resource/texts';
import { BackToRoles } from './BackToRoles';
import { modulesOf, PERMISSION_KEY } from './matrix';

/** A permission with what the console says of it. */
interface CatalogueRow extends Permission {
  name: string;
  module: string;
  kind: 'built_in' | 'added';
}

/** Everything that can be allowed or denied; platform owners add to it. */
export default defineResource<CatalogueRow>({
  key: 'permissions',
  fields: {
    name: text({ column: { fixed: true, width: 240 } }),
    module: text({ column: { width: 150 } }),
    key: text({
      column: { width: 180, Cell: ({ row }) => <code>{row.key}</code> },
      form: { newOnly: true, first: true, pattern: PERMISSION_KEY },
    }),
    description: text({ column: { width: 380, phone: 'below' }, form: { multiline: true } }),
    kind: choice({
      values: ['built_in', 'added'],
      tones: { built_in: 'neutral', added: 'info' },
      column: { width: 140, phone: 'beside' },
      filter: { own: true },
    }),
  },
  form: { readOnly: ({ is_built_in }) => is_built_in },
  idOf: ({ key }) => key,
  // The whole catalogue comes at once, module by module.
  whole: (all, { q, filters }, texts) => {
    const { name, text: about, module: called } = permissionTexts(texts);
    const words = q.toLowerCase().split(/\s+/).filter(Boolean);
    return modulesOf(all)
      .flatMap(({ module, permissions }) =>
        permissions.map((each): CatalogueRow => ({
          ...each,
          name: name(each.key),
          module: called(module),
          kind: each.is_built_in ? 'built_in' : 'added',
          description: about(each.key, each.description),
        })),
      )
      .filter((row) => {
        const searchText = [row.key, row.name, row.description, row.module].join(' ').toLowerCase();
        return (filters.kind ?? [row.kind]).includes(row.kind) && words.every((word) => searchText.includes(word));
      });
  },
  remove: { allowed: ({ is_built_in }) => !is_built_in },
  Subtitle: KeyAndKind,
  Toolbar: BackToRoles,
});

function KeyAndKind({ row }: { row: CatalogueRow }) {
  const { t } = useResourceTexts('permissions');
  return (
    <>
      <code>{row.key}</code> {row.is_built_in && <span>{t('builtInText')}</span>}
    </>
  );
}
