/** Screens that anybody may open. */
export const PUBLIC_PATHS = ['/auth/login'] as const;

/** Screens behind the sign-in. Plain data, so that the router, the navigation and the tests in the browser share it. */
export const SCREEN_PATHS = ['/maps', '/devices', '/users', '/tenants', '/position-rejections'] as const;

/** What is printed stands alone in its window. */
export const PRINT_PATHS = ['/print/devices'] as const;

/** A screen behind the sign-in. */
export type ScreenPath = (typeof SCREEN_PATHS)[number];
