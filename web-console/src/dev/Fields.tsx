import { DrawerForm } from '@/components/form/DrawerForm';
import classes from './ComponentsPage.module.css';
import { SampleFields } from './SampleFields';
import { useSampleForm, type Outcome } from './sampleForm';

/** Fields of forms: as they are, as the server refuses them, and where nothing may be changed. */
export function Fields() {
  return (
    <div className={classes.grid}>
      <Sample outcome="never" label="Simpan perubahan" />
      <Sample outcome="refused" label="Simpan, ditolak" />
      <Sample outcome="saved" label="Lihat" readOnly />
    </div>
  );
}

function Sample({ outcome, label, readOnly }: { outcome: Outcome; label: string; readOnly?: boolean }) {
  const form = useSampleForm({ outcome, readOnly });
  return (
    <div className={`${classes.frame} ${classes.form}`}>
      <DrawerForm form={form} submitLabel={label} onClose={() => form.reset()}>
        <SampleFields form={form} />
      </DrawerForm>
    </div>
  );
}
