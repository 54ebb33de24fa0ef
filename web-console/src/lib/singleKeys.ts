import { readLocalStorageValue, useLocalStorage } from '@mantine/hooks';

const OPTIONS = { key: 'single_keys', defaultValue: true };

/** Whether single characters are shortcuts, kept in this browser: whoever speaks to the computer types them without meaning to. */
export const useSingleKeys = (): [boolean, (on: boolean) => void] => {
  const [on, set] = useLocalStorage({ ...OPTIONS, getInitialValueInEffect: false });
  return [on, set];
};

/** The choice at this moment, for whoever hears a key. */
export const singleKeysOn = (): boolean => readLocalStorageValue(OPTIONS);
