import { Group, Pagination, Select, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { PAGE_SIZES, type ListParams } from '@/lib/listParams';
import classes from './DataTable.module.css';

interface PagerProps {
  total: number;
  params: ListParams;
  /** On a phone the way to the first and the last page has no room. */
  phone: boolean;
  onParams: (change: Partial<ListParams>) => void;
}

/** Which rows of how many, and the way to the others. */
export function DataTablePager({ total, params, phone, onParams }: PagerProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const from = total === 0 ? 0 : (params.page - 1) * params.pageSize + 1;
  const to = Math.min(total, params.page * params.pageSize);
  return (
    <Group justify="space-between" className={classes.pager} gap="sm">
      <Text size="sm" c="dimmed" className="tabular">
        {t('table.range', { from: formats.number(from), to: formats.number(to), total: formats.number(total) })}
      </Text>
      <Group gap="xs">
        <Select
          aria-label={t('table.pageSize')}
          w={84}
          size="sm"
          allowDeselect={false}
          data={PAGE_SIZES.map(String)}
          value={String(params.pageSize)}
          onChange={(value) => onParams({ pageSize: Number(value) })}
        />
        <Pagination
          size="sm"
          siblings={0}
          boundaries={phone ? 0 : 1}
          total={Math.max(1, Math.ceil(total / params.pageSize))}
          value={params.page}
          onChange={(page) => onParams({ page })}
        />
      </Group>
    </Group>
  );
}
