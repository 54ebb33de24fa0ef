import { Button, Group, Modal, Radio, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChangedField } from '@/lib/useEntityForm';

interface MergeDialogProps {
  fields: ChangedField[];
  /** The fields whose own version holds; null when nothing is decided. */
  onDone: (mine: string[] | null) => void;
}

type Side = 'theirs' | 'mine';

/** Both versions of what somebody else has changed meanwhile, field by field, to choose from. */
export function MergeDialog({ fields, onDone }: MergeDialogProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Record<string, Side>>({});
  // What was changed here as well stays as it was typed, unless theirs is chosen.
  const sideOf = ({ name, both }: ChangedField): Side => chosen[name] ?? (both ? 'mine' : 'theirs');
  const mine = fields.filter((field) => sideOf(field) === 'mine').map(({ name }) => name);
  return (
    <Modal opened onClose={() => onDone(null)} title={t('form.merge.title')} zIndex={300} size="lg">
      <Stack>
        <Text>{t('form.merge.text')}</Text>
        <Table borderColor="var(--armada-border)" aria-label={t('form.merge.title')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('form.merge.field')}</Table.Th>
              <Table.Th>{t('form.merge.theirs')}</Table.Th>
              <Table.Th>{t('form.merge.mine')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map((field) => (
              <Table.Tr key={field.name}>
                <Table.Th scope="row">{field.label}</Table.Th>
                {(['theirs', 'mine'] as const).map((side) => (
                  <Table.Td key={side}>
                    <Radio
                      name={`merge.${field.name}`}
                      label={field[side]}
                      aria-label={`${field.label}, ${t(`form.merge.${side}`)}: ${field[side]}`}
                      checked={sideOf(field) === side}
                      onChange={() => setChosen({ ...chosen, [field.name]: side })}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => onDone(null)}>
            {t('action.cancel')}
          </Button>
          <Button onClick={() => onDone(mine)} data-autofocus>
            {t('form.merge.apply')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
