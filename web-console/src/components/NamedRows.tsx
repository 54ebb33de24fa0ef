import { Text } from '@mantine/core';

/** So many are named. */
const MOST = 5;

/** Which things a question is about, the first of them by name. */
export function NamedRows({ names }: { names: readonly string[] | undefined }) {
  const different = [...new Set(names)].filter(Boolean);
  if (different.length === 0) return null;
  const others = different.length - MOST;
  return (
    <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
      {different.slice(0, MOST).join(', ')}
      {others > 0 && `, +${others}`}
    </Text>
  );
}
