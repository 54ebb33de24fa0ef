import { Skeleton, Stack } from '@mantine/core';

/** Stands where something will be in a moment. */
export const Loading = () => (
  <Stack gap="xs" aria-busy="true">
    <Skeleton height={40} />
    <Skeleton height={40} />
    <Skeleton height={40} />
  </Stack>
);
