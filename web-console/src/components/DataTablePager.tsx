import { Group, Pagination, Select, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '@/i18n/useFormats';
import { useTotal } from '@/i18n/useTotal';
import { PAGE_SIZES, type ListParams } from '@/lib/listParams';
import classes from './DataTable.module.css';

interface PagerProps {
  total: number;
  /** There are more than that: how many, nobody counted. */
  more?: boolean;
  /** There is another page after this one. */
  next?: boolean;
  /** Rows on this page; as many as it can have, if nothing is said. */
  present?: number;
  params: ListParams;
  /** On a phone the way to the first and the last page has no room. */
  phone: boolean;
  onParams: (change: Partial<ListParams>) => void;
}

/** Which rows of how many, and the way to the others. */
export function DataTablePager({ total, more = false, next = false, present, params, phone, onParams }: PagerProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const totalText = useTotal();
  const from = total === 0 ? 0 : (params.page - 1) * params.pageSize + 1;
  const to = more ? from + (present ?? params.pageSize) - 1 : Math.min(total, params.page * params.pageSize);
  const counted = Math.max(1, Math.ceil(total / params.pageSize));
  // Beyond what is counted one goes from page to page.
  const pages = more && params.page >= counted ? params.page + (next ? 1 : 0) : counted;
  return (
    <Group justify="space-between" className={classes.pager} gap="sm">
      <Text size="sm" c="dimmed" className="tabular">
        {t('table.range', { from: formats.number(from), to: formats.number(to), total: totalText(total, more) })}
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
          total={pages}
          value={params.page}
          onChange={(page) => onParams({ page })}
        />
      </Group>
    </Group>
  );
}
