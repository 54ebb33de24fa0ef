import { EntitySelect } from '@/components/EntitySelect';
import { EntityField } from '@/components/form/EntityField';
import { NumberField } from '@/components/form/NumberField';
import { PasswordField } from '@/components/form/PasswordField';
import { SelectField } from '@/components/form/SelectField';
import { SwitchField } from '@/components/form/SwitchField';
import { TextAreaField } from '@/components/form/TextAreaField';
import { TextField } from '@/components/form/TextField';
import type { SampleForm } from './sampleForm';

const OWNERS = [
  { value: '1', label: 'Sari (sari@example.test)' },
  { value: '2', label: 'Budi (budi@example.test)' },
];

/** One of each kind of field. */
export function SampleFields({ form }: { form: SampleForm }) {
  return (
    <>
      <TextField form={form} name="name" label="Nama" required first />
      <TextField
        form={form}
        name="imei"
        label="IMEI"
        description="15 angka, tertera pada pelacak."
        required
        inputMode="numeric"
      />
      <TextAreaField form={form} name="note" label="Catatan" />
      <PasswordField form={form} name="password" label="Kata sandi" description="8 sampai 128 karakter." />
      <NumberField form={form} name="limit" label="Batas waktu parkir" unit="detik" />
      <SelectField
        form={form}
        name="status"
        label="Status"
        data={[
          { value: 'active', label: 'Aktif' },
          { value: 'inactive', label: 'Nonaktif' },
        ]}
      />
      <EntityField form={form} name="owner" label="Pemilik">
        {(field) => <EntitySelect {...field} clearable options={OWNERS} loading={false} onSearch={() => undefined} />}
      </EntityField>
      <SwitchField form={form} name="alarms" label="Kirim peringatan" description="Lewat email dan di konsol." />
    </>
  );
}
