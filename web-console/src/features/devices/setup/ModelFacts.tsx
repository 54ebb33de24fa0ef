import { Anchor, Text } from '@mantine/core';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router';
import type { MasterDataEntry } from '@/api/generated';
import { Fact, Facts } from '@/components/Facts';
import type { ResourceForm } from '@/resource/defineResource';
import { mayDo, REGISTRY } from '@/resource/registry';
import { selectPerson } from '@/session/sessionSlice';
import classes from './Setup.module.css';
import { useTracker } from './useTracker';

/** What a GPS model reports besides where it is, as the master data writes it. */
export const reportsOf = (model: Pick<MasterDataEntry, 'reports'> | undefined): string[] =>
  (model?.reports ?? '')
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter(Boolean);

/** What is known of the chosen tracker: what it reports, and where it has to connect. */
export function ModelFacts({ form }: { form: ResourceForm }) {
  const { t, i18n } = useTranslation('setup');
  const [modelId, protocolId] = useWatch({
    control: form.control,
    name: ['gps_model_id', 'gps_protocol_id'],
  }) as string[];
  const { model, protocol, port } = useTracker(modelId, protocolId);
  if (!model && !protocol) return null;
  // What a company wrote itself stays as it is.
  const inWords = (word: string) => (i18n.exists(`setup:reports.${word}`) ? t(`reports.${word as 'ignition'}`) : word);
  return (
    <section className={classes.card} aria-label={t('model.title')}>
      <h3 className={classes.cardTitle}>{t('model.title')}</h3>
      <Facts>
        {model && (
          <Fact label={t('model.reports')}>{reportsOf(model).map(inWords).join(', ') || t('model.unknown')}</Fact>
        )}
        <Fact label={t('model.protocol')}>{protocol?.name ?? model?.protocol}</Fact>
        <Fact label={t('model.port')}>{port ? <span className="tabular">{port}</span> : t('model.unknown')}</Fact>
      </Facts>
      <WhereTo />
    </section>
  );
}

/** How what a tracker sends comes here: through a gateway. */
export function WhereTo() {
  const { t } = useTranslation('setup');
  const mayLook = mayDo('gateways', 'list', useSelector(selectPerson));
  return (
    <Text size="sm" c="dimmed">
      {t('model.whereTo')}{' '}
      {mayLook && (
        <Anchor component={Link} to={REGISTRY.gateways.path} inherit>
          {t('model.gateways')}
        </Anchor>
      )}
    </Text>
  );
}
