import type { Resource } from './defineResource';
import type { ResourceKey } from './registry';

/** What each feature says of its resources, in files called by their keys, loaded when a screen first needs it. Known by name alone: features build on this kit. */
const files = import.meta.glob<{ default: unknown }>('../features/*/*.resource.tsx');

/** The definition of a resource. */
export async function loadResource(key: ResourceKey): Promise<Resource> {
  const [, load] = Object.entries(files).find(([path]) => path.endsWith(`/${key}.resource.tsx`)) ?? [];
  if (!load) throw new Error(`no definition of ${key}`);
  return (await load()).default as Resource;
}
