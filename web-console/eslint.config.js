import js from '@eslint/js';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Leaflet's React binding is not permissively licensed: it stays in one folder, so that it can be replaced. */
const leaflet = {
  group: ['react-leaflet', '@react-leaflet/*', 'leaflet', 'leaflet/*'],
  message: 'Only src/map knows the map library.',
};
const app = { group: ['@/app/*'], message: 'Imports go one way: shared, features, app.' };
const features = { group: ['@/features/*'], message: 'Imports go one way: shared, features, app.' };
const otherFeatures = {
  // What somebody may do is explained where people are listed, too.
  group: ['@/features/*/*', '!@/features/roles/ExplainDialog', '../*/**'],
  message: 'A feature does not import another one.',
};

const restrict = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });

export default defineConfig(
  globalIgnores(['dist', 'src/api/generated*.ts', 'src/api/calls', 'test-results', 'playwright-report']),
  js.configs.recommended,
  tseslint.configs.strict,
  tseslint.configs.stylistic,
  {
    files: ['src/**/*.tsx'],
    extends: [jsxA11y.flatConfigs.recommended],
    settings: {
      'jsx-a11y': {
        components: { Box: 'div', Flex: 'div', Group: 'div', Image: 'img', Paper: 'div', Stack: 'div', Text: 'p' },
        polymorphicPropName: 'component',
      },
    },
    rules: {
      // What scrolls must be reachable by keyboard, and says by this role what it is.
      'jsx-a11y/no-noninteractive-tabindex': ['error', { roles: ['tabpanel', 'region'] }],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute Property[key.name='base']",
          message: 'Props by width write a style element, which the policy of the page refuses: use a style sheet.',
        },
      ],
      // Speaks to the React compiler, which is not used here.
      'react-hooks/incompatible-library': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-invalid-void-type': 'off',
    },
  },
  {
    files: ['src/{api,components,i18n,lib,live,session,share,theme}/**/*.{ts,tsx}'],
    rules: restrict(app, features, leaflet),
  },
  { files: ['src/map/**/*.{ts,tsx}'], rules: restrict(app, features) },
  { files: ['src/features/**/*.{ts,tsx}'], rules: restrict(app, otherFeatures, leaflet) },
  // A screen is tried out in the frame that it stands in.
  { files: ['src/{app/**/*,features/**/*.test}.{ts,tsx}'], rules: restrict(leaflet) },
  { files: ['src/dev/**/*.{ts,tsx}'], rules: restrict(app, leaflet) },
  { files: ['src/testing/**/*.{ts,tsx}'], rules: restrict(app, features, leaflet) },
  {
    files: ['public/*.js', '*.js'],
    languageOptions: {
      globals: {
        URL: 'readonly',
        localStorage: 'readonly',
        matchMedia: 'readonly',
        document: 'readonly',
      },
    },
  },
);
