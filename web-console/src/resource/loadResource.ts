import type { Resource } from './defineResource';
import { REGISTRY, type ResourceKey } from './registry';

/** What each feature says of its resources, loaded when a screen first needs it. Known by name alone: features build on this kit. */
const files = import.meta.glob<{ default: unknown }>('../features/*/*.resource.tsx');

/** The definition of a resource. */
export async function loadResource(key: ResourceKey): Promise<Resource> {
  const load = files[`../features/${REGISTRY[key].file}.resource.tsx`];
  if (!load) throw new Error(`no definition of ${key}`);
  return (await load()).default as Resource;
}
