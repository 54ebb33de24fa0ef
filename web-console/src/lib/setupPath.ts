/** Where the guided way to a device begins for something that is known already: the device itself, another like it, or an IMEI. */
export function setupPath(
  known: { device_id?: string; like?: string; imei?: string; tenant_id?: string } = {},
): string {
  const search = new URLSearchParams(Object.entries(known).filter(([, value]) => value !== '')).toString();
  return `/devices/setup${search && `?${search}`}`;
}
