import { useListDriverAssignmentsQuery } from '@/api/calls/drivers';
import type { DriverAssignment } from '@/api/generated';

/** Of a driver's vehicles the newest; few drive more at a time. */
const NEWEST = 10;
/** As many as one answer holds. */
const ALL = 500;
/** Seconds for which an answer is good enough for the rows of a list. */
const GOOD_FOR = 30;

interface PresentVehicles {
  /** None while that is not known. */
  vehicles: DriverAssignment[] | undefined;
  error: unknown;
  retry: () => void;
}

const present = (items: DriverAssignment[] | undefined) => items?.filter(({ assigned_until: until }) => !until);

/** What a driver drives now, as it is set at the vehicles. */
export function usePresentVehicles(driverId: string): PresentVehicles {
  const { currentData, error, refetch } = useListDriverAssignmentsQuery(
    { driverId, page: 1, pageSize: NEWEST },
    { refetchOnMountOrArgChange: true },
  );
  return {
    vehicles: present(currentData?.items),
    error: currentData ? undefined : error,
    retry: () => void refetch(),
  };
}

/** The same for a row of a list: all rows ask once for all of them, and each for its own only where these are too many. */
export function useListedVehicles(driverId: string): DriverAssignment[] | undefined {
  const fresh = { refetchOnMountOrArgChange: GOOD_FOR };
  const { currentData: all } = useListDriverAssignmentsQuery({ page: 1, pageSize: ALL }, fresh);
  const isWhole = all !== undefined && all.total <= all.items.length;
  const own = useListDriverAssignmentsQuery(
    { driverId, page: 1, pageSize: NEWEST },
    { ...fresh, skip: all === undefined || isWhole },
  );
  if (!isWhole) return present(own.currentData?.items);
  return present(all.items.filter((each) => each.driver_id === driverId));
}
