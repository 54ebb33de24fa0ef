import { ActionIcon, Button } from '@mantine/core';
import { IconMap2 } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog, type ConfirmDialogProps } from '@/components/ConfirmDialog';
import { DetailDrawer } from '@/components/DetailDrawer';
import { DrawerForm } from '@/components/form/DrawerForm';
import { FormTabs } from '@/components/form/FormTabs';
import { NumberField } from '@/components/form/NumberField';
import { TextField } from '@/components/form/TextField';
import { useDrawerParam } from '@/lib/drawerParam';
import { toastError, toastSuccess, toastWarning } from '@/lib/toast';
import classes from './ComponentsPage.module.css';
import { SampleFields } from './SampleFields';
import { useSampleForm, type Outcome } from './sampleForm';
import { LONG_NAME } from './samples';

interface Close {
  onClose: () => void;
}

/** What opens over a screen; each has an address: `?open=…`. */
const OVERLAYS: Record<string, (props: Close) => ReactNode> = {
  'drawer-form': ({ onClose }) => <FormDrawer outcome="saved" onClose={onClose} />,
  'drawer-refused': ({ onClose }) => <FormDrawer outcome="refused" asks={false} onClose={onClose} />,
  'drawer-tabs': ({ onClose }) => <TabsDrawer onClose={onClose} />,
  'drawer-loading': ({ onClose }) => (
    <DetailDrawer title="Perangkat" load={{ failure: '', error: undefined, onRetry: onClose }} onClose={onClose} />
  ),
  'drawer-error': ({ onClose }) => (
    <DetailDrawer
      title="Perangkat"
      load={{
        failure: 'Perangkat ini tidak dapat dibuka.',
        error: { status: 404, message: 'Perangkat tidak ditemukan.' },
        onRetry: () => undefined,
      }}
      onClose={onClose}
    />
  ),
  'dialog-plain': (close) => <Dialog {...close} />,
  'dialog-delete': (close) => (
    <Dialog
      {...close}
      destructive
      title={`Hapus ${LONG_NAME}?`}
      text="Semua posisinya ikut dihapus. Ini tidak dapat dibatalkan."
      typeName="B 1234 KZX"
      confirmLabel="Hapus"
    />
  ),
  'dialog-failed': (close) => (
    <Dialog
      {...close}
      destructive
      confirmLabel="Hapus"
      problem="Gagal menghapus perangkat. Basis data tidak tersedia."
    />
  ),
  'dialog-busy': (close) => <Dialog {...close} busy />,
};

/** Drawers, dialogs and toasts. */
export function Overlays() {
  const [open, setOpen] = useDrawerParam();
  const overlay = open ? OVERLAYS[open] : undefined;
  return (
    <>
      <div className={classes.row}>
        {Object.keys(OVERLAYS).map((name) => (
          <Button key={name} variant="default" onClick={() => setOpen(name)}>
            {name}
          </Button>
        ))}
      </div>
      <div className={classes.row}>
        <Button variant="default" onClick={() => toastSuccess('Perangkat berhasil diperbarui.')}>
          toast-success
        </Button>
        <Button variant="default" onClick={() => toastWarning('Angka pemeriksa IMEI tidak cocok.')}>
          toast-warning
        </Button>
        <Button variant="default" onClick={() => toastError('Gagal menghapus perangkat. Basis data tidak tersedia.')}>
          toast-error
        </Button>
      </div>
      {overlay?.({ onClose: () => setOpen(null) })}
    </>
  );
}

function Dialog({ onClose, ...props }: Close & Partial<ConfirmDialogProps>) {
  return (
    <ConfirmDialog
      opened
      title="Ubah Truk Satu?"
      text="Perubahan langsung berlaku bagi semua yang melihat perangkat ini."
      confirmLabel="Simpan"
      {...props}
      onConfirm={onClose}
      onCancel={onClose}
    />
  );
}

function FormDrawer({ outcome, asks = true, onClose }: Close & { outcome: Outcome; asks?: boolean }) {
  const form = useSampleForm({ outcome, asks, onSaved: onClose });
  const [row, setRow] = useState(1);
  return (
    <DetailDrawer
      title={LONG_NAME}
      subtitle="B 1234 KZX · 356938035643809"
      actions={
        <ActionIcon aria-label="Lihat di peta">
          <IconMap2 size={18} aria-hidden="true" />
        </ActionIcon>
      }
      previous={row > 0 ? () => setRow(row - 1) : null}
      next={row < 1 ? () => setRow(row + 1) : null}
      onClose={onClose}
    >
      <DrawerForm
        form={form}
        submitLabel="Simpan perubahan"
        onClose={onClose}
        actions={
          <Button variant="subtle" color="red">
            Hapus
          </Button>
        }
      >
        <SampleFields form={form} />
      </DrawerForm>
    </DetailDrawer>
  );
}

function TabsDrawer({ onClose }: Close) {
  const form = useSampleForm({ outcome: 'saved', values: { name: '', imei: '' }, onSaved: onClose });
  return (
    <DetailDrawer title="Perangkat baru" size={720} onClose={onClose}>
      <DrawerForm form={form} submitLabel="Tambah perangkat" onClose={onClose}>
        <FormTabs
          form={form}
          label="Bagian"
          tabs={[
            {
              value: 'basic',
              label: 'Info dasar',
              content: <TextField form={form} name="name" label="Nama" required first />,
            },
            {
              value: 'gps',
              label: 'GPS & perangkat',
              content: <TextField form={form} name="imei" label="IMEI" required />,
            },
            {
              value: 'limits',
              label: 'Konfigurasi',
              content: <NumberField form={form} name="limit" label="Batas parkir" />,
            },
          ]}
        />
      </DrawerForm>
    </DetailDrawer>
  );
}
