import { useTranslation } from 'react-i18next';

/** Templates that the console has words for. */
const TEMPLATES = ['manager', 'dispatcher', 'viewer', 'technician', 'finance'] as const;

/** What templates of roles are called, and for whom they are. */
export function useTemplateTexts(): { name: (key: string) => string; text: (key: string) => string } {
  const { t } = useTranslation('roles');
  const known = (key: string) => TEMPLATES.find((each) => each === key);
  return {
    name: (key) => {
      const own = known(key);
      return own ? t(`template.${own}.name`) : key;
    },
    text: (key) => {
      const own = known(key);
      return own ? t(`template.${own}.text`) : '';
    },
  };
}
