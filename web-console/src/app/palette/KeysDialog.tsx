import { Kbd, Modal, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useOpened } from '@/lib/useOpened';
import { MOD } from '../shell/keys';
import type { Action } from '../shell/useActions';

interface KeysDialogProps {
  opened: boolean;
  onClose: () => void;
  actions: Action[];
}

/** The keys that work everywhere. */
export function KeysDialog({ opened, onClose, actions }: KeysDialogProps) {
  const { t } = useTranslation('palette');
  const shown = useOpened(opened);
  const keys: [string[], string][] = [
    [[MOD, 'K'], t('title')],
    [['/'], t('keys.search')],
    ...actions.flatMap(({ keys: own, section, label }): [string[], string][] =>
      own ? [[own, section === 'go' ? t('keys.goTo', { label }) : label]] : [],
    ),
    [['j', 'k'], t('keys.rows')],
    [['Enter'], t('keys.open')],
    [['Esc'], t('keys.close')],
  ];
  return (
    <Modal opened={shown} onClose={onClose} title={t('keys.title')} size="md">
      <Table withRowBorders={false}>
        <Table.Tbody>
          {keys.map(([strokes, what]) => (
            <Table.Tr key={what}>
              <Table.Td>{what}</Table.Td>
              <Table.Td ta="right">
                {strokes.map((stroke) => (
                  <Kbd key={stroke} size="sm" ml="2xs">
                    {stroke}
                  </Kbd>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
