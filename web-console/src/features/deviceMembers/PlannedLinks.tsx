import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LinkDevicesReport, LinkDevicesRequest } from '@/api/generated';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useFormats } from '@/i18n/useFormats';
import { useFocusOnMount } from '@/lib/useFocusOnMount';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { useNames } from '@/resource/names';
import { LinkReport } from './LinkReport';
import type { Plan } from './linkReport';
import { roleIn } from './memberRoles';
import { useLinkDevices } from './useLinkDevices';

/**
 * What was seen is what is done: the devices of the preview, although those whom they were found by may own others by now.
 * First in a report are those to link, then those whose links go.
 */
function seen({ request, report }: Plan): LinkDevicesRequest {
  const links = report.items.length - new Set(request.unlinked_device_ids).size;
  const device_ids = report.items.slice(0, links).map(({ device_id: id }) => id);
  return { ...request, device_ids, from_user_ids: undefined };
}

interface PlannedLinksProps {
  plan: Plan;
  onBack: () => void;
  /** It has been done. */
  onDone: () => void;
  onAgain: () => void;
}

/** What would come of what was chosen, the question whether to do it, and what came of it then. */
export function PlannedLinks({ plan, onBack, onDone, onAgain }: PlannedLinksProps) {
  const { t } = useTranslation('deviceMembers');
  const [done, setDone] = useState<LinkDevicesReport | null>(null);
  const heading = useFocusOnMount<HTMLHeadingElement>(done ? 'done' : 'planned');
  const fromUsers = (plan.request.from_user_ids?.length ?? 0) > 0;
  return (
    <Stack gap="md">
      <Title order={2} ref={heading} tabIndex={-1}>
        {done ? t('report.title') : t('manager.previewTitle')}
      </Title>
      <Between request={plan.request} />
      {!done && plan.report.succeeded === 0 && <Text>{t('manager.nothingToDo')}</Text>}
      <LinkReport
        key={done ? 'done' : 'planned'}
        report={done ?? plan.report}
        isPreview={!done}
        fromUsers={fromUsers}
      />
      {done ? (
        <div>
          <Button onClick={onAgain}>{t('manager.again')}</Button>
        </div>
      ) : (
        <Group gap="xs">
          <Button variant="default" leftSection={<IconArrowLeft size={16} aria-hidden="true" />} onClick={onBack}>
            {t('manager.back')}
          </Button>
          {plan.report.succeeded > 0 && (
            <Apply
              plan={plan}
              onDone={(report) => {
                setDone(report);
                onDone();
              }}
            />
          )}
        </Group>
      )}
    </Stack>
  );
}

/** For whom, and as what, until when. */
function Between({ request: { user_id: userId, role, ends_on: day } }: { request: LinkDevicesRequest }) {
  const { t } = useTranslation('deviceMembers');
  const formats = useFormats();
  const name = useNames('users', [userId])[userId] ?? '…';
  const facts = [
    `${t('field.destination')}: ${name}`,
    role && `${t('field.roleOfNew')}: ${t(`role.${roleIn(role)}`)}`,
    day && t('until', { day: formats.date(day) }),
  ];
  return <Text c="dimmed">{facts.filter(Boolean).join(' · ')}</Text>;
}

function Apply({ plan, onDone }: { plan: Plan; onDone: (report: LinkDevicesReport) => void }) {
  const { t } = useTranslation('deviceMembers');
  const formats = useFormats();
  const [asking, setAsking] = useState(false);
  const { link } = useLinkDevices();
  const { act, busy, problem, clearProblem } = useMutationFeedback({ failure: t('message.failed'), failsIn: 'place' });
  const { user_id: userId } = plan.request;
  const name = useNames('users', [userId])[userId] ?? '…';
  const countOf = (outcome: string) =>
    formats.number(plan.report.items.filter((item) => item.outcome === outcome).length);
  const replaces = plan.report.items.some(({ replaced_owner_id: owner }) => owner);
  const counts = t('manager.confirmText', { added: countOf('linked'), removed: countOf('unlinked') });
  const apply = async () => {
    const answer = await act(() => link(seen(plan)));
    if (!answer) return;
    setAsking(false);
    onDone(answer.data);
  };
  return (
    <>
      <Button
        onClick={() => {
          clearProblem();
          setAsking(true);
        }}
      >
        {t('manager.apply')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('manager.confirmTitle', { name })}
        text={replaces ? `${counts} ${t('owner.replaced')}` : counts}
        confirmLabel={t('manager.apply')}
        busy={busy}
        problem={problem}
        onCancel={() => setAsking(false)}
        onConfirm={() => void apply()}
      >
        <Text role="status" size="sm" c="dimmed" mt="sm">
          {busy && t('manager.applying', { formatted: formats.number(plan.report.succeeded) })}
        </Text>
      </ConfirmDialog>
    </>
  );
}
