import { useTranslation } from 'react-i18next';
import { stateShape } from '@/components/VehicleStateMark';
import { prefersReducedMotion } from '@/map/reducedMotion';
import { VEHICLE_COLORS } from '@/theme/tokens';
import outline from './indonesia.svg?url';
import classes from './Picture.module.css';
import { onPicture, PICTURE_SIZE, ROUTES, thereAndBack, type Route } from './routes';

/** As large as a mark is drawn, of what it is on the map. */
const MARK_SCALE = 0.8;
/** When a mark goes, stands, goes back and stands again, in parts of its round. */
const TIMES = '0;.42;.5;.92;1';
const POINTS = '0;.5;.5;1;1';
/** Whether the arrow is seen at these times, and with it that it goes. */
const GOES = { keyTimes: '0;.41;.42;.5;.51;.91;.92;1', values: '1;1;0;0;1;1;0;0' };
const STANDS = { keyTimes: GOES.keyTimes, values: '0;0;1;1;0;0;1;1' };

/** What stands beside the sign-in: the country, and vehicles that are on their way in it. */
export default function Picture() {
  const { t } = useTranslation('auth');
  const still = prefersReducedMotion();
  return (
    <>
      <svg viewBox={`0 0 ${PICTURE_SIZE.join(' ')}`} className={classes.map} aria-hidden="true">
        <image href={outline} width={PICTURE_SIZE[0]} height={PICTURE_SIZE[1]} />
        {ROUTES.map((route, place) =>
          still ? <StandingMark key={place} route={route} /> : <GlidingMark key={place} route={route} place={place} />,
        )}
      </svg>
      <p className={classes.promise}>{t('promise')}</p>
    </>
  );
}

/** Where it sets out. */
function StandingMark({ route }: { route: Route }) {
  const [x, y] = onPicture(route.towns[0]);
  return <g transform={`translate(${x} ${y})`}>{mark(route.stop)}</g>;
}

/** Goes to the end of its route and back, and stands a while at both. Each begins somewhere else on it. */
function GlidingMark({ route, place }: { route: Route; place: number }) {
  const round = { dur: `${route.seconds}s`, begin: `-${place * 5}s`, repeatCount: 'indefinite' };
  const way = { path: thereAndBack(route), keyTimes: TIMES, keyPoints: POINTS, calcMode: 'linear', ...round };
  return (
    <>
      <g>
        <animateMotion {...way} rotate="auto" />
        <animate attributeName="opacity" calcMode="linear" {...GOES} {...round} />
        {/* It is drawn as going to the north, and the way begins in the east. */}
        <g transform="rotate(90)">{mark('moving')}</g>
      </g>
      <g>
        <animateMotion {...way} />
        <animate attributeName="opacity" calcMode="linear" {...STANDS} {...round} />
        {mark(route.stop)}
      </g>
    </>
  );
}

const mark = (state: Route['stop'] | 'moving') => (
  <g transform={`scale(${MARK_SCALE})`} color={VEHICLE_COLORS.dark[state]}>
    {stateShape(state)}
  </g>
);
