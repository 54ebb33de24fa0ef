import { Button } from '@mantine/core';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import { mayDo, REGISTRY } from '@/resource/registry';
import { useNouns } from '@/resource/texts';
import { selectPerson } from '@/session/sessionSlice';
import { SecretHost } from './SecretDialog';

/** Leads to the trackers that came through gateways and that nobody has; and the place where a new secret is shown. */
export function GatewaysToolbar() {
  const nouns = useNouns();
  const mayListHeardImeis = mayDo('heard-imeis', 'list', useSelector(selectPerson));
  return (
    <>
      <SecretHost />
      {mayListHeardImeis && (
        <div>
          <Button component={Link} to={REGISTRY['heard-imeis'].path} variant="default" size="compact-sm">
            {nouns('heard-imeis').Many}
          </Button>
        </div>
      )}
    </>
  );
}
