import type { ReactNode } from 'react';
import { Controller, type FieldValues } from 'react-hook-form';
import type { EntityFieldProps } from '../EntitySelect';
import { useField, type FieldProps } from './field';

interface EntityFieldComponentProps<V extends FieldValues> extends FieldProps<V> {
  /** The select of that kind of thing, e.g. `(field) => <UserSelect {...field} tenantId={tenant} />`. */
  children: (field: EntityFieldProps) => ReactNode;
}

/** Another thing that the server knows, by its id. */
export function EntityField<V extends FieldValues>({ children, ...props }: EntityFieldComponentProps<V>) {
  const own = useField(props);
  return (
    <Controller
      control={props.form.control}
      name={props.name}
      render={({ field }) => <>{children({ ...own, ...field })}</>}
    />
  );
}
