import { ActionIcon, Button, Input, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState, type ClipboardEvent, type Ref } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useField, type FieldProps } from '@/components/form/field';
import { NumberEntry } from '@/components/NumberEntry';
import { FormSection } from '@/components/form/FormSection';
import { useFormats } from '@/i18n/useFormats';
import type { Values } from '@/resource/defineResource';
import classes from './Fuel.module.css';
import { FuelCurve } from './FuelCurve';
import { curveOf, pastedRows, POINTS_MAX, problemsOf, rowsOf, textOf, type FuelRow } from './fuelTable';

const BLANK: FuelRow = { raw: '', litres: '' };
/** Digits behind the point of what is typed. */
const DECIMALS = 3;

/** The calibration table of a fuel sensor: a row for each point, typed or pasted, and the curve that they make. */
export function FuelTableInput(props: FieldProps<Values>) {
  const { form, name } = props;
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { value, onChange, ref } }) => (
        <FuelTable {...props} text={String(value ?? '')} onText={onChange} addRef={ref} />
      )}
    />
  );
}

interface FuelTableProps extends FieldProps<Values> {
  text: string;
  onText: (text: string) => void;
  /** Where the keyboard goes when the table is refused. */
  addRef: Ref<HTMLButtonElement>;
}

function FuelTable({ text, onText, addRef, ...props }: FuelTableProps) {
  const { t } = useTranslation('devices');
  const { form, name, label } = props;
  const { error, readOnly, description } = useField(props);
  const source: unknown = useWatch({ control: form.control, name: 'fuel_source' });
  const { rows, change } = useRows(text, onText);
  const problems = problemsOf(rows);
  const isUseless = source === 'liter' && rows.length === 0;
  const curve = curveOf(rows);
  const add = () => change([...rows, ...(rows.length === 0 ? [BLANK, BLANK] : [BLANK])]);
  return (
    <FormSection title={label}>
      <Text size="xs" c="dimmed">
        {isUseless ? t('fuelTable.notNeeded') : description}
      </Text>
      {rows.length > 0 && (
        <div className={classes.rows}>
          {rows.map((row, place) => (
            <Row
              key={place}
              row={row}
              number={place + 1}
              problem={problems[place]}
              readOnly={readOnly}
              onChange={(part) => change(rows.with(place, { ...row, ...part }))}
              onPaste={(pasted) => change([...rows.slice(0, place), ...pasted, ...rows.slice(place + pasted.length)])}
              onRemove={() => change(rows.toSpliced(place, 1))}
            />
          ))}
        </div>
      )}
      {curve.length > 0 && <FuelCurve points={curve} label={t('fuelTable.curve')} />}
      {error && <Input.Error>{error}</Input.Error>}
      {!readOnly && (
        <div className={classes.acts}>
          <Button
            ref={addRef}
            name={name}
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            disabled={isUseless || rows.length >= POINTS_MAX}
            onClick={add}
          >
            {t('fuelTable.add')}
          </Button>
          {rows.length > 0 && (
            <Button variant="subtle" size="compact-sm" onClick={() => change([])}>
              {t('fuelTable.clear')}
            </Button>
          )}
        </div>
      )}
    </FormSection>
  );
}

/** The rows of the text in the form, with those that are blank yet, and what puts others in their place. */
function useRows(text: string, onText: (text: string) => void) {
  const [typed, setTyped] = useState(() => ({ text, rows: rowsOf(text) }));
  // Somebody else's version was taken over.
  const isOther = typed.text !== text;
  const rows = isOther ? rowsOf(text) : typed.rows;
  if (isOther) setTyped({ text, rows });
  const change = (changed: readonly FuelRow[]) => {
    const kept = changed.slice(0, POINTS_MAX);
    setTyped({ text: textOf(kept), rows: kept });
    onText(textOf(kept));
  };
  return { rows, change };
}

interface RowProps {
  row: FuelRow;
  number: number;
  problem: ReturnType<typeof problemsOf>[number];
  readOnly: boolean;
  onChange: (part: Partial<FuelRow>) => void;
  onPaste: (rows: FuelRow[]) => void;
  onRemove: () => void;
}

/** A point of the table. */
function Row({ row, number, problem, readOnly, onChange, onPaste, onRemove }: RowProps) {
  const { t } = useTranslation('devices');
  const { number: write, separators } = useFormats();
  const values = { number: write(number) };
  const wrong = problem && t(`fuelTable.wrong.${problem}`);
  const paste = (event: ClipboardEvent) => {
    const pasted = pastedRows(event.clipboardData.getData('text'), separators.decimals);
    if (!pasted) return;
    // It is not for this one field.
    event.preventDefault();
    event.stopPropagation();
    onPaste(pasted);
  };
  const input = {
    readOnly,
    variant: readOnly ? 'unstyled' : undefined,
    decimals: DECIMALS,
    onPasteCapture: readOnly ? undefined : paste,
  };
  return (
    <div className={classes.row} data-fixed={readOnly || undefined}>
      <NumberEntry
        {...input}
        aria-label={t('fuelTable.rawOf', values)}
        placeholder={t('fuelTable.raw')}
        value={row.raw}
        error={problem === 'litres' ? undefined : wrong}
        onChange={(raw) => onChange({ raw })}
      />
      <NumberEntry
        {...input}
        aria-label={t('fuelTable.litresOf', values)}
        placeholder={t('fuelTable.litres')}
        unit={t('unit.litres')}
        value={row.litres}
        error={problem === 'litres' ? wrong : problem === 'incomplete'}
        onChange={(litres) => onChange({ litres })}
      />
      {!readOnly && (
        <ActionIcon aria-label={t('fuelTable.remove', values)} title={t('fuelTable.remove', values)} onClick={onRemove}>
          <IconTrash size={18} aria-hidden="true" />
        </ActionIcon>
      )}
    </div>
  );
}
