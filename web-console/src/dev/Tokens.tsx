import { Badge, Box, Button, Text } from '@mantine/core';
import classes from './ComponentsPage.module.css';

const SURFACES = ['surface', 'surface-raised', 'surface-sunken', 'surface-hover', 'surface-selected', 'border'];
const STATES = ['moving', 'idle', 'parked', 'offline', 'no-data', 'alarm'].map((state) => `state-${state}`);

/** Type, colours and buttons. */
export function Tokens() {
  return (
    <>
      <div>
        <Text fz="1.75rem" fw={600}>
          Armada 28
        </Text>
        <Text size="xl" fw={600}>
          Perangkat 20
        </Text>
        <Text size="lg" fw={500}>
          Kendaraan 16
        </Text>
        <Text>Posisi terakhir 14</Text>
        <Text size="xs" c="dimmed">
          3 menit lalu 12
        </Text>
        <Text className="tabular">B 1234 KZX · 356938035643809 · 14.05.59</Text>
      </div>
      <div className={classes.row}>
        {[...SURFACES, ...STATES].map((name) => (
          <Box key={name} className={classes.swatch} bg={`var(--armada-${name})`}>
            <span>{name}</span>
          </Box>
        ))}
      </div>
      <div className={classes.row}>
        <Button>Utama</Button>
        <Button variant="default">Kedua</Button>
        <Button variant="subtle">Halus</Button>
        <Button color="red.8">Hapus</Button>
        <Button disabled>Memproses...</Button>
        <Badge color="brand.8">Admin tenant</Badge>
      </div>
    </>
  );
}
