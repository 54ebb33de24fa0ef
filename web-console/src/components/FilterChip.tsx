import { CloseButton, Combobox, Loader, UnstyledButton, useCombobox } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusOnMount } from '@/lib/useFocusOnMount';
import type { Option } from './EntitySelect';
import classes from './FilterBar.module.css';
import type { EntityFilter, Filter } from './filters';

interface FilterChipProps {
  filter: Filter;
  values: string[];
  /** Opens at once: it has just been added. */
  fresh: boolean;
  onChange: (values: string[]) => void;
  onClear: () => void;
}

/** How many values a chip names before it counts them. */
const NAMED = 2;
const TYPING_MS = 250;

/** A filter in force: says its values, changes them on a click, goes with its cross. */
export function FilterChip({ filter, values, fresh, onChange, onClear }: FilterChipProps) {
  const { t } = useTranslation(['common', 'lists']);
  const id = useId();
  const chip = useFocusOnMount<HTMLElement>();
  const box = useCombobox({
    defaultOpened: fresh,
    onDropdownOpen: () => box.selectFirstOption(),
    // What was added and never given a value is no filter.
    onDropdownClose: () => values.length === 0 && onClear(),
  });
  const pick = (value: string) => {
    if (!filter.multiple) {
      box.closeDropdown();
      return onChange([value]);
    }
    const next = values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
    onChange(next);
  };
  return (
    <span className={classes.chip}>
      <Combobox store={box} onOptionSubmit={pick} position="bottom-start" width={260} shadow="md" withinPortal={false}>
        <Combobox.Target ref={fresh ? chip : undefined} targetType="button" withExpandedAttribute>
          <UnstyledButton
            // The combobox that this becomes is not named by what stands in it, unless it says so.
            aria-labelledby={id}
            className={classes.chipText}
            onClick={() => box.toggleDropdown()}
          >
            <span id={id} className={classes.chipWords}>
              <span className={classes.chipLabel}>{filter.label}</span> <ChipValues filter={filter} values={values} />
            </span>
          </UnstyledButton>
        </Combobox.Target>
        <Combobox.Dropdown>
          {filter.kind === 'entity' ? (
            <EntityOptions filter={filter} values={values} />
          ) : (
            <Options label={filter.label} options={filter.options} values={values} />
          )}
        </Combobox.Dropdown>
      </Combobox>
      <CloseButton size="sm" aria-label={t('lists:filter.clearOne', { name: filter.label })} onClick={onClear} />
    </span>
  );
}

function ChipValues({ filter, values }: Pick<FilterChipProps, 'filter' | 'values'>) {
  const { t } = useTranslation(['common', 'lists']);
  if (values.length === 0) return <span>…</span>;
  if (values.length > NAMED) return <span>{t('lists:filter.several', { count: values.length })}</span>;
  return values.map((value, index) => (
    <span key={value} className={classes.chipValue} data-cut>
      {filter.kind === 'entity' ? <EntityName filter={filter} id={value} /> : nameOf(filter.options, value)}
      {index < values.length - 1 && ','}
    </span>
  ));
}

const nameOf = (options: Option[], value: string) => options.find((option) => option.value === value)?.label ?? value;

const EntityName = ({ filter, id }: { filter: EntityFilter; id: string }) => filter.useName(id) ?? '…';

function EntityOptions({ filter, values }: { filter: EntityFilter; values: string[] }) {
  const { t } = useTranslation(['common', 'lists']);
  const [typed, setTyped] = useState('');
  const [q, setQ] = useState('');
  const search = useDebouncedCallback(setQ, TYPING_MS);
  const listId = useId();
  const field = useFocusOnMount<HTMLInputElement>();
  const { options, loading, failure } = filter.useOptions(q);
  return (
    <>
      <Combobox.Search
        ref={field}
        // The keyboard stays here while it chooses among the options, which come later than this.
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls={options.length > 0 ? listId : undefined}
        aria-label={t('lists:filter.searchIn', { name: filter.label })}
        placeholder={t('lists:filter.searchIn', { name: filter.label })}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          search(event.currentTarget.value.trim());
        }}
        rightSection={loading ? <Loader size={16} /> : undefined}
      />
      {options.length > 0 ? (
        <Options id={listId} label={filter.label} options={options} values={values} />
      ) : (
        !loading && <Combobox.Empty>{failure ?? t('table.nothingFound')}</Combobox.Empty>
      )}
    </>
  );
}

interface OptionsProps {
  id?: string;
  label: string;
  options: Option[];
  values: string[];
}

function Options({ id, label, options, values }: OptionsProps) {
  return (
    <Combobox.Options id={id} aria-label={label} mah={280} className={classes.options}>
      {options.map(({ value, label: name }) => (
        <Combobox.Option key={value} value={value} active={values.includes(value)} className={classes.option}>
          <IconCheck
            size={16}
            aria-hidden="true"
            className={classes.check}
            data-on={values.includes(value) || undefined}
          />
          {name}
        </Combobox.Option>
      ))}
    </Combobox.Options>
  );
}
