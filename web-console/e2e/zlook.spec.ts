import { test } from './armada';
import { demoTenant, enter, makeAdmin } from './accounts';
import { visit } from './steps';
test.use({ demo: true, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
test('zlook', async ({ page, request, armada }) => {
  await enter(page, '/devices', await makeAdmin(request, armada, 'Ratih', await demoTenant(request, armada)));
  for (const path of ['/devices', '/events', '/alarms', '/users', '/drivers']) {
    await visit(page, path);
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/dash/${path.slice(1)}.png` });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, '/events');
  await page.waitForTimeout(1500);
  await page.screenshot({ path: '/tmp/dash/events-desk.png' });
});
