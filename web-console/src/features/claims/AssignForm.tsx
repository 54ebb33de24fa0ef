import { Button, Table } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useAssignImeisMutation } from '@/api/calls/imeis';
import type { ImeiAssignmentLines } from '@/api/generated';
import { DrawerForm } from '@/components/form/DrawerForm';
import { EntityField } from '@/components/form/EntityField';
import { SwitchField } from '@/components/form/SwitchField';
import { TextAreaField } from '@/components/form/TextAreaField';
import { ResourceSelect } from '@/resource/ResourceSelect';
import { useFormats } from '@/i18n/useFormats';
import { toastSuccess } from '@/lib/toast';
import { DrawerText } from '@/components/Facts';
import { useEntityForm } from '@/lib/useEntityForm';

const LINES_MAX = 1000;
const linesOf = (text: string) =>
  text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter(Boolean);

/** What may be typed; messages are keys of texts. */
const schema = z.object({
  tenant_id: z.string().min(1, 'validation.tenant_id_required'),
  imeis: z
    .string()
    .refine((text) => linesOf(text).length > 0, 'validation.imeis')
    .refine((text) => linesOf(text).length <= LINES_MAX, 'validation.tooMany'),
  accept_wrong_check_digits: z.boolean(),
});
type Values = z.infer<typeof schema>;

/** Promises a pasted list of IMEIs to a tenant, and then tells what became of each line. */
export function AssignForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('claims');
  const formats = useFormats();
  const [assign] = useAssignImeisMutation();
  const [done, setDone] = useState<ImeiAssignmentLines | null>(null);
  const form = useEntityForm<ImeiAssignmentLines, Values>({
    schema,
    values: { tenant_id: '', imeis: '', accept_wrong_check_digits: false },
    namespace: 'claims',
    failure: t('assignments.saveFailed'),
    send: ({ imeis, ...rest }) => assign({ imeiAssignmentInput: { ...rest, imeis: linesOf(imeis) } }),
    onSaved: (lines) => {
      const { assigned } = lines;
      toastSuccess(t('assignments.saved', { count: assigned, formatted: formats.number(assigned) }));
      setDone(lines);
    },
  });
  if (done) return <Results lines={done} onClose={onClose} />;
  return (
    <DrawerForm form={form} submitLabel={t('assignments.create')} onClose={onClose}>
      <EntityField form={form} name="tenant_id" label={t('field.tenant_id')} required first>
        {(field) => <ResourceSelect {...field} of="tenants" />}
      </EntityField>
      <TextAreaField form={form} name="imeis" label={t('field.imeis')} description={t('help.imeis')} required />
      <SwitchField
        form={form}
        name="accept_wrong_check_digits"
        label={t('field.anyCheckDigit')}
        description={t('help.anyCheckDigit')}
      />
    </DrawerForm>
  );
}

function Results({ lines, onClose }: { lines: ImeiAssignmentLines; onClose: () => void }) {
  const { t } = useTranslation('claims');
  return (
    <DrawerText>
      <Table borderColor="var(--armada-border)" aria-label={t('assignments.results')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('field.line')}</Table.Th>
            <Table.Th>{t('field.result')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.items.map(({ line, result }, index) => (
            <Table.Tr key={index}>
              <Table.Td className="tabular">{line}</Table.Td>
              <Table.Td>{result === 'unspecified' ? '–' : t(`result.${result}`)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <div>
        <Button onClick={onClose} data-autofocus>
          {t('close')}
        </Button>
      </div>
    </DrawerText>
  );
}
