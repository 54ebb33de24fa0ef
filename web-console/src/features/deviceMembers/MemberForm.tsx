import type { DeviceMember } from '@/api/generated';
import { lazyPart } from '@/lib/lazyPart';
import type { FormProps } from '@/resource/defineResource';
import { ResourceForm } from '@/resource/ResourceForm';

// Most who look at links make none.
const RelationForm = lazyPart(async () => (await import('./RelationForm')).RelationForm);

/** A link is changed by itself; new ones are made for several devices at once. */
export const MemberForm = (props: FormProps<DeviceMember>) =>
  props.row ? <ResourceForm {...props} /> : <RelationForm known={props.known} onClose={props.onClose} />;
