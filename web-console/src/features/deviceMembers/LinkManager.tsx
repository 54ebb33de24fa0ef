import { Alert, Checkbox, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { DeviceMember, LinkDevicesRequest } from '@/api/generated';
import { BusyButton } from '@/components/BusyButton';
import { useUnsaved } from '@/components/unsaved';
import { useFormats } from '@/i18n/useFormats';
import { useMutationFeedback } from '@/lib/useMutationFeedback';
import { useNames } from '@/resource/names';
import { mayDo } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './DeviceMembers.module.css';
import { DeviceSide, useMembers, type Chosen } from './DeviceSide';
import type { Plan } from './linkReport';
import { roleIn } from './memberRoles';
import { PlannedLinks } from './PlannedLinks';
import { useLinkDevices } from './useLinkDevices';
import type { ManagerChoice } from './useManagerAddress';

/** Devices of one request, as the server takes them. */
const DEVICES_MAX = 10_000;

interface BetweenProps {
  choice: ManagerChoice;
  tenantId: string | undefined;
}

interface LinkManagerProps extends BetweenProps {
  /** Told when what would come of it takes the place of the choice, and when the choice is back. */
  onPlan: (shown: boolean) => void;
}

/** What is chosen on both sides, and what becomes of it. */
export function LinkManager({ choice, tenantId, onPlan }: LinkManagerProps) {
  const { t } = useTranslation('deviceMembers');
  const [added, setAdded] = useState<Chosen>(NOTHING);
  const [removed, setRemoved] = useState<Chosen>(NOTHING);
  const [all, setAll] = useState(false);
  const [plan, setPlan] = useState<Plan | null>(null);
  const [isDone, setDone] = useState(false);
  const { preview } = useLinkDevices();
  const { act, busy, problem } = useMutationFeedback({ failure: t('message.failed'), failsIn: 'place' });
  const chosen = all || added.size + removed.size > 0;
  useUnsaved({ saving: false, holdsChanges: () => chosen && !isDone, inDrawer: false });

  const put = (next: Plan | null) => {
    setPlan(next);
    onPlan(next !== null);
  };
  const show = async () => {
    const { to, from, role, until } = choice;
    const links = all || added.size > 0;
    const request: LinkDevicesRequest = {
      user_id: to,
      ...(links && { role, ends_on: role === 'owner' ? '' : until }),
      ...(all ? { from_user_ids: from } : { device_ids: [...added.keys()] }),
      unlinked_device_ids: [...removed.keys()],
    };
    const answer = await act(() => preview(request));
    if (answer) put({ request, report: answer.data });
  };
  const begin = () => {
    setAdded(NOTHING);
    setRemoved(NOTHING);
    setAll(false);
    put(null);
    setDone(false);
  };
  if (plan) return <PlannedLinks plan={plan} onBack={() => put(null)} onDone={() => setDone(true)} onAgain={begin} />;
  return (
    <>
      <Sides {...{ choice, tenantId, added, setAdded, removed, setRemoved, all, setAll }} />
      {problem && (
        <Alert color="red" variant="outline" role="alert">
          {problem}
        </Alert>
      )}
      <Bar choice={choice} tenantId={tenantId} added={added} removed={removed} all={all} busy={busy} onShow={show} />
    </>
  );
}

const NOTHING: Chosen = new Map();

/** What is listed of the users whose devices there are to link. */
const ownedBy = (from: string[], tenantId: string | undefined) =>
  from.length > 0 ? { user_id: from, role: ['owner'], tenant_id: tenantId } : null;

interface SidesProps extends BetweenProps {
  added: Chosen;
  setAdded: (chosen: Chosen) => void;
  removed: Chosen;
  setRemoved: (chosen: Chosen) => void;
  all: boolean;
  setAll: (all: boolean) => void;
}

function Sides({ choice, tenantId, added, setAdded, removed, setRemoved, all, setAll }: SidesProps) {
  const { t } = useTranslation('deviceMembers');
  const formats = useFormats();
  const { from, to } = choice;
  const mayRemove = mayDo('device-members', 'delete', useSelector(selectPerson));
  const owners = useNames('users', from);
  const facts = ({ vehicle_code: code }: DeviceMember) => [code];
  const [owned, linked] = useMemo(
    () => [ownedBy(from, tenantId), to ? { user_id: [to], tenant_id: tenantId } : null],
    [from, to, tenantId],
  );
  return (
    <div className={classes.sides}>
      <DeviceSide
        title={t('manager.owned')}
        query={owned}
        waiting={t('manager.chooseSources')}
        empty={t('manager.ownsNothing')}
        chosen={added}
        onChosen={setAdded}
        everything={all}
        say={(member) => [...facts(member), from.length > 1 && owners[member.user_id]]}
      >
        {(total, formatted) => (
          <Checkbox
            label={t('manager.all', { count: total, formatted })}
            checked={all}
            onChange={(event) => setAll(event.currentTarget.checked)}
          />
        )}
      </DeviceSide>
      <DeviceSide
        title={t('manager.linked')}
        query={linked}
        waiting={t('manager.chooseDestination')}
        empty={t('manager.linkedToNothing')}
        chosen={removed}
        onChosen={setRemoved}
        readOnly={!mayRemove}
        say={(member) => [
          ...facts(member),
          t(`role.${roleIn(member.role)}`),
          member.status === 'ended'
            ? t('status.ended')
            : member.ends_on && t('until', { day: formats.date(member.ends_on) }),
        ]}
      />
    </div>
  );
}

interface BarProps extends BetweenProps {
  added: Chosen;
  removed: Chosen;
  all: boolean;
  busy: boolean;
  onShow: () => Promise<void>;
}

/** How much is chosen, what is missing, and the way to see what would come of it. */
function Bar({ choice: { from, to, role }, tenantId, added, removed, all, busy, onShow }: BarProps) {
  const { t } = useTranslation('deviceMembers');
  const formats = useFormats();
  const owned = useMembers(all ? ownedBy(from, tenantId) : null);
  const adds = all ? (owned.data?.total ?? 0) : added.size;
  const isTooMany = adds + removed.size > DEVICES_MAX;
  const ownedOfRemoved = [...removed.values()].filter((member) => member.role === 'owner').length;
  const counts = t('manager.chosen', { added: formats.number(adds), removed: formats.number(removed.size) });
  const consequence = () => {
    if (!to) return t('manager.chooseDestination');
    if (adds + removed.size === 0) return t('manager.chooseDevices');
    if (isTooMany) return t('manager.tooMany', { limit: formats.number(DEVICES_MAX) });
    if (role === 'owner' && adds > 0) return `${counts} ${t('owner.replaced')}`;
    if (ownedOfRemoved > 0)
      return `${counts} ${t('manager.leavesNoOwner', { count: ownedOfRemoved, formatted: formats.number(ownedOfRemoved) })}`;
    return counts;
  };
  return (
    <div className={classes.bar}>
      <Text role="status" size="sm">
        {consequence()}
      </Text>
      <BusyButton
        busy={busy}
        disabled={!to || adds + removed.size === 0 || isTooMany}
        onClick={() => {
          if (!busy) void onShow();
        }}
      >
        {t('manager.preview')}
      </BusyButton>
    </div>
  );
}
