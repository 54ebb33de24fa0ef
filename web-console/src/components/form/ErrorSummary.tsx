import { Alert, Button, UnstyledButton } from '@mantine/core';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { EntityForm } from '@/lib/useEntityForm';
import classes from './DrawerForm.module.css';

/** What is wrong, said once above the fields; each line leads to its field. */
export function ErrorSummary<V extends FieldValues>({ form }: { form: EntityForm<V> }) {
  const { t } = useTranslation();
  if (!form.problem) return null;
  return (
    <Alert color="red" variant="outline" role="alert" className={classes.summary}>
      {form.problem}
      {form.loadTheirs && (
        <Button variant="default" size="compact-sm" mt="xs" display="block" onClick={form.loadTheirs}>
          {t('form.loadTheirs')}
        </Button>
      )}
      {form.wrong.length > 0 && (
        <ul className={classes.wrong}>
          {form.wrong.map(({ name, label, message }) => (
            <li key={name}>
              <UnstyledButton className={classes.jump} onClick={() => form.goTo(name)}>
                {label ? `${label}: ${message}` : message}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
