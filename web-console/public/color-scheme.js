// Sets the colour scheme before the first paint. A file of its own, because the content security policy allows no inline
// script.
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem('color_scheme');
  } catch {
    // Storage may be switched off; then the system decides.
  }
  var dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
