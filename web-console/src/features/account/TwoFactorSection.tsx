import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Profile } from '@/api/generated';
import { Section } from './Section';
import { TwoFactorDialog, type TwoFactorJob } from './TwoFactorDialog';

/** With so few recovery codes left it is time for new ones. */
const FEW = 3;

interface TwoFactorSectionProps {
  profile: Profile;
  /** The second factor holds, and its recovery codes are kept. */
  onSetUp: () => void;
}

/** The second factor: whether there is one, and what can be done about it. */
export function TwoFactorSection({ profile, onSetUp }: TwoFactorSectionProps) {
  const { t } = useTranslation('account');
  const [job, setJob] = useState<TwoFactorJob | null>(null);
  const left = profile.recovery_codes_left;
  const close = (done: boolean) => {
    setJob(null);
    if (done && job === 'setup') onSetUp();
  };
  return (
    <Section
      title={t('factor.title')}
      text={t('factor.text')}
      mark={
        <Badge color={profile.has_totp ? 'green.8' : 'gray.7'}>
          {profile.has_totp ? t('factor.on') : t('factor.off')}
        </Badge>
      }
    >
      {profile.has_totp ? (
        <>
          <Text c={left <= FEW ? 'red.8' : undefined} fw={left <= FEW ? 600 : undefined}>
            {t('factor.left', { count: left })} {left <= FEW && t('factor.few')}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={() => setJob('renew')}>
              {t('factor.renew')}
            </Button>
            <Button variant="default" onClick={() => setJob('setup')}>
              {t('factor.replace')}
            </Button>
            <Button variant="subtle" color="red" onClick={() => setJob('remove')}>
              {t('factor.remove')}
            </Button>
          </Group>
        </>
      ) : (
        <Button mr="auto" onClick={() => setJob('setup')}>
          {t('factor.setup')}
        </Button>
      )}
      {job && <TwoFactorDialog key={job} job={job} profile={profile} onClose={close} />}
    </Section>
  );
}
