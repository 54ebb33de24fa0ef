import { Button, Menu } from '@mantine/core';
import { PageHeader } from '@/components/PageHeader';
import { LONG_NAME } from './samples';

/** Heads of screens. */
export function Headers() {
  return (
    <>
      <PageHeader
        title="Perangkat"
        count={12_345}
        action={<Button>Tambah perangkat</Button>}
        menu={<Menu.Item>Impor dari berkas</Menu.Item>}
      />
      <PageHeader
        title="Posisi ditolak"
        text="Posisi yang tidak dapat diterima, menurut sebabnya, selama tiga hari terakhir."
      />
      <PageHeader title={LONG_NAME} count={3} action={<Button variant="default">Segarkan</Button>} />
    </>
  );
}
