import type { StatusTone } from '@/components/StatusBadge';

/** What a member may be to a device, from the most to the least. */
export const MEMBER_ROLES = ['owner', 'technician', 'viewer'] as const;
/** One of them. */
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** How each is marked. */
export const ROLE_TONES: Record<MemberRole, StatusTone> = {
  owner: 'positive',
  technician: 'info',
  viewer: 'neutral',
};

/** A role that a text names; `viewer`, which may least, where it names none. */
export const roleIn = (text: unknown): MemberRole => MEMBER_ROLES.find((role) => role === text) ?? 'viewer';
