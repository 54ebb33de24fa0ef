import { useResourceTexts } from '@/resource/texts';

/** What templates of roles are called, and for whom they are. */
export function useTemplateTexts(): { name: (key: string) => string; text: (key: string) => string } {
  const { t, has } = useResourceTexts('roles');
  const known = (key: string, part: string, otherwise: string) =>
    has(`template.${key}.${part}`) ? t(`template.${key}.${part}`) : otherwise;
  return { name: (key) => known(key, 'name', key), text: (key) => known(key, 'text', '') };
}
