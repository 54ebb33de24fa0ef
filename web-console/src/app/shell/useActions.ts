import { useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import {
  IconAntennaBars5,
  IconArrowsMinimize,
  IconBaselineDensityMedium,
  IconBellRinging,
  IconDeviceDesktop,
  IconEye,
  IconKeyboard,
  IconLanguage,
  IconListCheck,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSun,
  IconUserCircle,
  type Icon,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useDispatch, useSelector } from 'react-redux';
import { useNavigate } from 'react-router';
import { LANGUAGES, LANGUAGE_NAMES, languageOf } from '@/i18n/languages';
import { useDensity, type Density } from '@/lib/density';
import { holdKeys } from '@/lib/holdKeys';
import { useAlarmSound } from '@/lib/useAlarmSound';
import { PAGE_KEYS, mayDo, REGISTRY, RESOURCE_ENTRIES } from '@/resource/registry';
import { useNouns } from '@/resource/texts';
import { can } from '@/session/abilities';
import { ended, selectPerson, selectSession } from '@/session/sessionSlice';
import { signOut } from '@/session/signOut';
import { unlessLost } from '@/components/unsaved';
import { allowedOf, useNavigation } from './navigation';

/** Something that can be done from anywhere. */
export interface Action {
  id: string;
  section: 'go' | 'create' | 'scheme' | 'density' | 'sound' | 'language' | 'session';
  label: string;
  /** Further words by which it is found. */
  keywords: string;
  icon: Icon;
  /** The keys that do it, one after the other. */
  keys?: string[];
  /** It is a choice, and the present one. */
  current?: boolean;
  run: () => void;
}

const SCHEMES = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
] as const satisfies [MantineColorScheme, Icon][];

const DENSITIES = [
  ['comfortable', IconBaselineDensityMedium],
  ['compact', IconArrowsMinimize],
] as const satisfies [Density, Icon][];

/** Dialogs of the shell. */
interface Dialogs {
  showKeys: () => void;
  showUsers: () => void;
}

/** What the signed-in person can do from anywhere, defined once for menus, palette and keys. */
export function useActions({ showKeys, showUsers }: Dialogs): Action[] {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const person = useSelector(selectPerson);
  const navigation = useNavigation(person);
  const nouns = useNouns();
  const { t: words } = useTranslation('resource');
  // Switching transitions off for the change would need an inline style element, which the policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const [density, setDensity] = useDensity();
  const sound = useSoundAction();
  const leave = useSignOut();
  const language = languageOf(i18n.language);
  return [
    ...allowedOf(navigation, person).flatMap(({ entries }) =>
      entries.map(({ label, path, icon, key }): Action => ({
        id: `go.${path}`,
        section: 'go',
        label,
        keywords: path,
        icon,
        keys: ['g', key],
        run: () => void navigate(path),
      })),
    ),
    // Platform owners find it beside claims, others have no screen that leads there by itself.
    ...(mayDo('heard-imeis', 'list', person) && !person?.mustSetUpTotp
      ? [
          {
            id: 'go.heard',
            section: 'go' as const,
            label: nouns('heard-imeis').Many,
            keywords: REGISTRY['heard-imeis'].path,
            icon: IconAntennaBars5,
            run: () => void navigate(REGISTRY['heard-imeis'].path),
          },
        ]
      : []),
    ...RESOURCE_ENTRIES.flatMap(([key, { path, offersNew }]): Action[] =>
      offersNew && mayDo(key, 'create', person) && !person?.mustSetUpTotp
        ? [
            {
              id: `create.${key}`,
              section: 'create',
              label: words('add', nouns(key)),
              keywords: t('act.createWords'),
              icon: IconPlus,
              run: () => {
                holdKeys();
                void navigate(`${path}?open=new`);
              },
            },
          ]
        : [],
    ),
    ...(mayDo('devices', 'create', person) && !person?.mustSetUpTotp
      ? [
          {
            id: 'create.setup',
            section: 'create' as const,
            label: t('act.setUpDevice'),
            keywords: t('act.setUpWords'),
            icon: IconListCheck,
            run: () => void navigate('/devices/setup'),
          },
        ]
      : []),
    ...SCHEMES.map(([scheme, icon]): Action => ({
      id: `scheme.${scheme}`,
      section: 'scheme',
      label: t(`shell.scheme.${scheme}`),
      keywords: t('shell.colorScheme'),
      icon,
      current: scheme === colorScheme,
      run: () => setColorScheme(scheme),
    })),
    ...DENSITIES.map(([value, icon]): Action => ({
      id: `density.${value}`,
      section: 'density',
      label: t(`shell.densities.${value}`),
      keywords: t('shell.density'),
      icon,
      current: value === density,
      run: () => setDensity(value),
    })),
    ...(can('alarm:list', person) ? [sound] : []),
    ...LANGUAGES.map((value): Action => ({
      id: `language.${value}`,
      section: 'language',
      label: LANGUAGE_NAMES[value],
      keywords: t('shell.language'),
      icon: IconLanguage,
      current: value === language,
      run: () => void i18n.changeLanguage(value),
    })),
    {
      id: 'account',
      section: 'session',
      label: t('shell.account'),
      keywords: '/account',
      icon: IconUserCircle,
      keys: ['g', PAGE_KEYS.account],
      run: () => void navigate('/account'),
    },
    ...(person?.mustSetUpTotp
      ? []
      : [
          {
            id: 'jobs',
            section: 'session' as const,
            label: words('jobs.title'),
            keywords: '/jobs',
            icon: IconListCheck,
            keys: ['g', PAGE_KEYS.jobs],
            run: () => void navigate('/jobs'),
          },
        ]),
    ...(can('user:list', person) && !person?.mustSetUpTotp
      ? [
          {
            id: 'select_user',
            section: 'session' as const,
            label: t('selectUser.open'),
            keywords: t('selectUser.words'),
            icon: IconEye,
            run: showUsers,
          },
        ]
      : []),
    {
      id: 'keys',
      section: 'session',
      label: t('shell.keys'),
      keywords: '?',
      icon: IconKeyboard,
      keys: ['?'],
      run: showKeys,
    },
    { id: 'logout', section: 'session', label: t('shell.logout'), keywords: 'logout', icon: IconLogout, run: leave },
  ];
}

/** Switches the sound of alarms; who switches it on hears what it is like. */
function useSoundAction(): Action {
  const { t } = useTranslation();
  const [isOn, setOn] = useAlarmSound();
  return {
    id: 'sound',
    section: 'sound',
    label: t('shell.alarmSound'),
    keywords: t('shell.alarmSoundWords'),
    icon: IconBellRinging,
    current: isOn,
    run: () => {
      setOn(!isOn);
      if (!isOn) void import('./alarms/parts').then(({ soundAlarm }) => soundAlarm('warning'));
    },
  };
}

function useSignOut(): () => void {
  const dispatch = useDispatch();
  const { token } = useSelector(selectSession);
  return () => unlessLost(() => void signOut(token).then(() => dispatch(ended('signed_out'))));
}
