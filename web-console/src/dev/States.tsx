import { Button } from '@mantine/core';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import classes from './ComponentsPage.module.css';
import { LONG_NAME } from './samples';

const ERRORS = [
  { status: 0, message: 'Request failed' },
  { status: 403, message: 'Anda tidak memiliki hak untuk melihat ini.' },
  { status: 404, message: 'Perangkat tidak ditemukan.' },
  { status: 503, message: 'Basis data tidak tersedia.', requestId: '0193a1f2-7c4e-7a91-9d5e-2f6b1c0a8e44' },
];

/** What stands where rows would be. */
export function States() {
  return (
    <div className={classes.grid}>
      <div className={classes.frame}>
        <EmptyState
          title="Belum ada perangkat"
          text="Perangkat adalah pelacak GPS di sebuah kendaraan. Tambahkan yang pertama dengan IMEI-nya."
          action={<Button>Tambah perangkat</Button>}
        />
      </div>
      <div className={classes.frame}>
        <EmptyState
          title={`Tidak ada yang cocok dengan “${LONG_NAME}”`}
          action={<Button variant="default">Hapus pencarian</Button>}
        />
      </div>
      {ERRORS.map((error) => (
        <div key={error.status} className={classes.frame}>
          <ErrorState title="Gagal memuat daftar perangkat." error={error} onRetry={() => undefined} />
        </div>
      ))}
    </div>
  );
}
