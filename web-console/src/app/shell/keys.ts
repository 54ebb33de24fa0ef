/** What the key is called that stands for `Ctrl` on most keyboards. */
export const MOD = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl';
