import { readFileSync, statSync } from 'node:fs';

// What a browser fetches before it shows a page, counted from what Vite wrote down about the build in dist/.
const manifest = JSON.parse(readFileSync(new URL('dist/.vite/manifest.json', import.meta.url), 'utf8'));

/** The files of a module and of everything that it imports at once. */
function files(module, seen = new Set()) {
  if (seen.has(module)) return [];
  seen.add(module);
  const { file, css = [], imports = [] } = manifest[module];
  return [file, ...css, ...imports.flatMap((imported) => files(imported, seen))];
}

const page = (...modules) => [...new Set(modules.flatMap((module) => files(module)))];
const texts = (...namespaces) => namespaces.flatMap((name) => files(`src/locales/id/${name}.json`));
const font = Object.values(manifest)
  .flatMap(({ assets = [] }) => assets)
  .filter((file) => /inter-latin-wght/.test(file));
const inDist = (names) => [...new Set(names)].map((file) => `dist/${file}`);

const isScript = (file) => file.endsWith('.js');
const signIn = [
  ...page('index.html', 'src/app/signInPage.tsx'),
  ...texts('common', 'auth'),
  ...font,
  'color-scheme.js',
];

/** The heaviest of what is loaded when it is needed; the others are below them. */
const weight = (file) => statSync(new URL(`dist/${file}`, import.meta.url)).size;
const heaviest = Object.values(manifest)
  .filter(({ file, isEntry }) => isScript(file) && !isEntry)
  .sort((a, b) => weight(b.file) - weight(a.file))
  .slice(0, 5);

export default [
  // The names of all files are in it: what their hashes compress to differs by some ten bytes from build to build.
  { name: 'sign-in: scripts and texts', path: inDist(signIn.filter(isScript)), limit: '137 kB', gzip: true },
  {
    name: 'sign-in: styles and font',
    path: inDist(signIn.filter((file) => !isScript(file))),
    limit: '57 kB',
    gzip: true,
  },
  {
    name: 'map',
    path: inDist([
      ...page('index.html', 'src/app/console.tsx', 'src/app/shell/Shell.tsx', 'src/features/maps/MapsPage.tsx'),
      ...texts('common', 'maps'),
    ]),
    // Of the calls it has those that it makes: what another resource adds is its entry in the registry.
    limit: '358 kB',
    gzip: true,
  },
  {
    name: 'dashboard',
    path: inDist([
      ...page(
        'index.html',
        'src/app/console.tsx',
        'src/app/shell/Shell.tsx',
        'src/features/dashboard/DashboardPage.tsx',
      ),
      ...texts('common', 'dashboard', 'documents', 'events', 'maintenance', 'maps'),
    ]),
    // What people see first: the shell, and no map. Each screen of the console adds some hundred bytes: where it is.
    limit: '326 kB',
    gzip: true,
  },
  {
    name: 'share link: scripts and texts',
    path: inDist([...page('share.html').filter(isScript), ...texts('share'), 'color-scheme.js']),
    limit: '150 kB',
    gzip: true,
  },
  ...heaviest.map(({ file, name }) => ({ name: `chunk ${name}`, path: inDist([file]), limit: '130 kB', gzip: true })),
];
