import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Command } from '@/api/generated';
import { useCommandText } from '@/components/commands/useCommandText';
import { DrawerText, Fact, Facts } from '@/components/Facts';
import { useFormats } from '@/i18n/useFormats';
import { useStackedDrawers } from '@/lib/drawerParam';
import { EntityName } from '@/resource/names';
import { useResourceTexts } from '@/resource/texts';
import { CommandActs } from './CommandActs';
import { outcomeOf } from './CommandCells';

/** Everything there is to know of a command, and what a person can still do about it. */
export function CommandDetails({ row: command }: { row: Command }) {
  const { t } = useTranslation('commands');
  const texts = useResourceTexts('commands');
  const formats = useFormats();
  const say = useCommandText();
  const { open } = useStackedDrawers();
  const at = (instant: string | undefined) => instant && formats.dateTime(instant);
  const link = (of: string, id: string, name: string) => (
    <Anchor component="button" type="button" ta="start" onClick={() => open(of, id)}>
      {name}
    </Anchor>
  );
  return (
    <DrawerText>
      <Facts>
        <Fact label={t('field.device_id')}>{link('devices', command.device_id, command.device_name)}</Fact>
        <Fact label={t('field.kind')}>{say(command)}</Fact>
        <Fact label={t('field.outcome')}>{outcomeOf(command, texts)}</Fact>
        <Fact label={t('field.reason')}>{command.reason}</Fact>
        <Fact label={t('field.user')}>
          <EntityName of="users" id={command.user_id} />
        </Fact>
        {command.decided_by && (
          <Fact label={t('field.decided_by')}>
            <EntityName of="users" id={command.decided_by} />
          </Fact>
        )}
        <Fact label={t('field.created_at')}>{at(command.created_at)}</Fact>
        <Fact label={t('field.expires_at')}>{at(command.expires_at)}</Fact>
        <Fact label={t('field.sent_at')}>{at(command.sent_at)}</Fact>
        <Fact label={t('field.answered_at')}>{at(command.answered_at)}</Fact>
        <Fact label={t('field.gateway')}>{command.gateway}</Fact>
        <Fact label={t('field.imei')}>
          <span className="tabular">{command.imei}</span>
        </Fact>
        {command.repeats && <Fact label={t('field.repeats')}>{link('commands', command.repeats, t('earlier'))}</Fact>}
      </Facts>
      <CommandActs command={command} />
    </DrawerText>
  );
}
