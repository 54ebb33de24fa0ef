import { Alert, UnstyledButton } from '@mantine/core';
import type { FieldValues } from 'react-hook-form';
import type { EntityForm } from '@/lib/useEntityForm';
import classes from './DrawerForm.module.css';

/** What is wrong, said once above the fields; each line leads to its field. */
export function ErrorSummary<V extends FieldValues>({ form }: { form: EntityForm<V> }) {
  if (!form.problem) return null;
  return (
    <Alert color="red" variant="outline" role="alert" className={classes.summary}>
      {form.problem}
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
