import { Alert, Anchor, Skeleton, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useUserDecisionsQuery } from '@/api/calls/roles';
import type { Decision, DecisionReason } from '@/api/generated';
import { ErrorState } from '@/components/ErrorState';
import { FilterChips } from '@/components/FilterChips';
import { SearchInput } from '@/components/SearchInput';
import { StatusBadge } from '@/components/StatusBadge';
import { usePermissionTexts } from '@/i18n/usePermissionTexts';
import { EffectMark } from './EffectMark';
import table from '@/components/PlainTable.module.css';
import classes from './Explanation.module.css';

/** Reasons that hold for everything that somebody does, so that roles do not count. */
const FOR_ALL: DecisionReason[] = ['platform_owner', 'tenant_admin', 'user_inactive', 'tenant_inactive'];
const VERDICTS = ['all', 'allowed', 'refused'] as const;
type Verdict = (typeof VERDICTS)[number];

/** What a user may do, and for each permission why the answer is what it is. */
export function Explanation({ user }: { user: { id: string; name: string } }) {
  const { t } = useTranslation('roles');
  const { currentData, error, refetch } = useUserDecisionsQuery({ id: user.id }, { refetchOnMountOrArgChange: true });
  if (error && !currentData) {
    return <ErrorState title={t('explain.failed')} error={error} onRetry={() => void refetch()} />;
  }
  if (!currentData) {
    return (
      <div aria-busy="true">
        {[0, 1, 2, 3, 4].map((row) => (
          <Skeleton key={row} height={36} mb="xs" />
        ))}
      </div>
    );
  }
  return <Decisions decisions={currentData.items} name={user.name} />;
}

function Decisions({ decisions, name }: { decisions: Decision[]; name: string }) {
  const { t } = useTranslation('roles');
  const { t: common } = useTranslation('common');
  const texts = usePermissionTexts();
  const [q, setQ] = useState('');
  const [verdict, setVerdict] = useState<Verdict>('all');
  const allowed = decisions.filter((decision) => decision.allowed).length;
  const counts = { all: decisions.length, allowed, refused: decisions.length - allowed };
  const forAll = FOR_ALL.find((reason) => decisions.every((decision) => decision.reason === reason));
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = decisions.filter((decision) => {
    if (verdict !== 'all' && decision.allowed !== (verdict === 'allowed')) return false;
    const searchText = [decision.key, texts.name(decision.key), texts.text(decision.key)].join(' ').toLowerCase();
    return words.every((word) => searchText.includes(word));
  });
  return (
    <div className={classes.explanation}>
      <Alert variant="light" color={forAll ? 'brand' : 'gray'}>
        {forAll ? <Reason reason={forAll} name={name} roles="" /> : t('explain.rule')}
      </Alert>
      <div className={classes.bar}>
        <SearchInput label={t('matrix.search')} value={q} onChange={setQ} />
        <FilterChips
          label={t('matrix.filter')}
          chips={VERDICTS.map((value) => ({ value, label: t(`explain.${value}`), count: counts[value] }))}
          isPressed={(each) => each === verdict}
          onPress={setVerdict}
        />
      </div>
      {found.length === 0 && <p className={classes.nothing}>{common('table.nothingFound')}</p>}
      <ul className={classes.decisions}>
        {found.map((decision) => (
          <DecisionLine key={decision.key} decision={decision} name={name} />
        ))}
      </ul>
    </div>
  );
}

function DecisionLine({ decision, name }: { decision: Decision; name: string }) {
  const { t } = useTranslation('roles');
  const texts = usePermissionTexts();
  const id = useId();
  const [open, setOpen] = useState(false);
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const called = texts.name(decision.key);
  return (
    <li className={classes.decision}>
      <UnstyledButton className={classes.line} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <Chevron size={16} aria-hidden="true" className={classes.chevron} />
        <span className={classes.called}>
          {called}
          {called !== decision.key && <code className={classes.key}>{decision.key}</code>}
        </span>
        <StatusBadge tone={decision.allowed ? 'positive' : 'negative'}>
          {decision.allowed ? t('explain.may') : t('explain.mayNot')}
        </StatusBadge>
      </UnstyledButton>
      <div id={id} className={classes.why} hidden={!open}>
        {open && <Why decision={decision} name={name} />}
      </div>
    </li>
  );
}

function Why({ decision, name }: { decision: Decision; name: string }) {
  const { t } = useTranslation('roles');
  const texts = usePermissionTexts();
  const deciding = decision.reason === 'role_denies' ? 'deny' : 'allow';
  const roles = decision.roles.filter(({ effect }) => effect === deciding).map(({ role_name }) => role_name);
  return (
    <>
      <p className={classes.reason}>
        <Reason reason={decision.reason} name={name} roles={roles.join(', ')} />
      </p>
      {decision.roles.length === 0 ? (
        <p className={classes.reason}>{t('explain.noRoles')}</p>
      ) : (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t('explain.role')}</th>
              <th scope="col">{t('explain.says')}</th>
            </tr>
          </thead>
          <tbody>
            {decision.roles.map(({ role_id, role_name, effect, through }) => (
              <tr key={role_id}>
                <th scope="row">
                  <Anchor component={Link} to={`/roles/${role_id}`} size="sm">
                    {role_name}
                  </Anchor>
                </th>
                <td>
                  <EffectMark effect={effect === 'unspecified' ? 'none' : effect} />
                  {through && <> {t('explain.through', { name: texts.name(through) })}</>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** Why the answer is what it is, in a sentence. */
function Reason({ reason, name, roles }: { reason: DecisionReason; name: string; roles: string }) {
  const { t } = useTranslation('roles');
  return reason === 'unspecified' ? null : t(`explain.because.${reason}`, { name, roles });
}
