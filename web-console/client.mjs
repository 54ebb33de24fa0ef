// How the API client is made of openapi.json: the types of what is sent and answered in src/api/generated.ts, and the calls of
// each subject of the contract in a file of src/api/calls/, so that a page loads the calls that it makes and no others. Both
// are committed, so that a change of the contract shows in review.
import { generateEndpoints } from '@rtk-query/codegen-openapi';
import ts from 'typescript';

// What the page of the sign-in calls: it is small, and does not wait for what else there is of accounts.
const SIGN_IN = ['login', 'finishOidcWithCode', 'signInOptions'];

// Street maps are asked for in src/map/useMapSources.ts, and their pictures and files by the map library.
const MAPS = ['listMapSources', 'mapTile', 'mapFile'];
// Addresses of places are asked for many at once, in src/api/addressBook.ts.
const ADDRESSES = ['lookupAddresses'];
// Files and sockets are no calls that a cache could hold, the browser itself goes to a provider and back, and the page of
// share links speaks for itself.
const NO_CALLS = /^export|^import|^previewImport|^getJobUndo$|^(live|shared)Socket$|^openSharedView$|Oidc$/;

/** Whether an operation is a call of the client. */
export const isCall = (name) => !MAPS.includes(name) && !ADDRESSES.includes(name) && !NO_CALLS.test(name);

/** The file of `src/api/calls` that an operation is in. */
export const fileOf = ({ name, subject }) => (SIGN_IN.includes(name) ? 'signIn' : subject);

const generated = (names, exportName) =>
  generateEndpoints({
    schemaFile: './openapi.json',
    apiFile: './api.ts',
    apiImport: 'api',
    exportName,
    hooks: true,
    encodePathParams: true,
    // They follow from what calls do, by id.
    tag: false,
    // One type for what is read and for what is written: the server passes over what is not for it.
    mergeReadWriteOnly: true,
    filterEndpoints: names,
    endpointOverrides: [
      // Only looks, though it asks with POST to keep the token out of logs.
      { pattern: 'getLink', type: 'query' },
      // Each act is sent with a key, by src/api/idempotency.ts.
      { pattern: /./, parameterFilter: (name) => name !== 'Idempotency-Key' },
    ],
  });

const parsed = (code) => ts.createSourceFile('client.ts', code, ts.ScriptTarget.Latest);
const isOfCall = ({ name }) => /Api(Response|Arg)$/.test(name.text);
/** A type of the contract itself, rather than of one call. */
const isShared = (statement) => ts.isTypeAliasDeclaration(statement) && !isOfCall(statement);

/** The types of the contract that calls use, directly or not. */
export async function typesOf(names) {
  const source = parsed(await generated(names, 'generatedApi'));
  const types = source.statements.filter(isShared);
  return types.map((statement) => statement.getFullText(source)).join('');
}

/** The names of all types that something speaks of. */
function referencedTypes(node, names = new Set()) {
  if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) names.add(node.typeName.text);
  ts.forEachChild(node, (child) => void referencedTypes(child, names));
  return names;
}

/** The calls of one file. `effects` says of each what it does to which things, where that is to be said. */
export async function callsOf(file, names, effects) {
  const source = parsed(await generated(names, `${file}Api`));
  const shared = new Set(source.statements.filter(isShared).map(({ name }) => name.text));
  const own = source.statements.filter((statement) => !ts.isImportDeclaration(statement) && !isShared(statement));
  const used = [...new Set(own.flatMap((statement) => [...referencedTypes(statement)]))].filter((name) =>
    shared.has(name),
  );
  const tagged = Object.keys(effects).length > 0;
  return [
    `import { api } from '../api';\n`,
    used.length > 0 ? `import type { ${used.sort().join(', ')} } from '../generated';\n` : '',
    tagged ? `import { tagCalls } from '../tags';\n` : '',
    ...own.map((statement) => statement.getFullText(source)),
    tagged ? `\ntagCalls(${JSON.stringify(effects)});\n` : '',
  ].join('');
}
