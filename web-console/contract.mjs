// What the console is given of the contract: `npm run gen` reads openapi.json and writes the client (client.mjs), and what the
// kit of resources is made from: src/api/generatedKinds.ts, src/api/generatedResources.ts (which things can be listed, and what
// else can be done to them) and src/api/generatedRules.ts (what may be typed).
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { callsOf, fileOf, isCall, typesOf } from './client.mjs';

const HEAD = '// Made by contract.mjs from openapi.json. Do not edit.\n';
const FORMS = /^application\/json/;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const BASE = '/api/v1/';

const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
const schemas = document.components.schemas;
const camel = (name) => name.replace(/[_-](\w)/g, (_match, letter) => letter.toUpperCase());
const refName = (schema) => schema?.$ref?.split('/').at(-1);
/** The schema itself, whatever stands around it: a reference, or "or null". */
const resolved = (schema) => {
  const inner = [...(schema.oneOf ?? []), ...(schema.allOf ?? []), ...(schema.anyOf ?? [])].find(
    (each) => each.type !== 'null',
  );
  if (schema.$ref) return resolved(schemas[refName(schema)]);
  return inner ? { ...resolved(inner), ...schema } : schema;
};

function operations() {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const operation = item[method];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      const body = Object.entries(operation.requestBody?.content ?? {}).find(([type]) => FORMS.test(type))?.[1].schema;
      // What a new thing needs stands beside what all inputs share.
      const [shared, more] = body?.allOf ?? [body];
      return {
        path,
        method,
        parameters,
        name: camel(operation.operationId),
        subject: camel(operation.tags[0]),
        input: shared && refName(shared),
        required: more?.required ?? [],
      };
    }),
  );
}

const kindOf = ({ path }) => path.slice(BASE.length).split('/')[0];

/** What a call does to the things whose lists are at the first part of its path, and where it is about one, the argument that says which. */
function effectOf({ path, method, parameters }) {
  const kind = kindOf({ path });
  const id = parameters.findLast((parameter) => parameter.in === 'path')?.name;
  const one = id ? [id] : [];
  if (method === 'get') return [kind, id ? 'read' : 'list', ...one];
  if (method === 'delete' && path.endsWith('}')) return [kind, 'remove', ...one];
  return [kind, id ? 'change' : 'add', ...one];
}

/** What there is of one kind of things: its list, one of them, and what changes one. */
function resourceOf(kind, all) {
  const collection = BASE + kind;
  const at = (method, pattern) => all.find((each) => each.method === method && pattern.test(each.path));
  const one = new RegExp(`^${collection}/\\{(\\w+)\\}$`);
  const listed = at('get', new RegExp(`^${collection}$`));
  const add = at('post', new RegExp(`^${collection}$`));
  const change = at('put', one);
  const paged = listed?.parameters.some(({ name }) => name === 'page');
  if (!listed || (!paged && !(add && change))) return null;
  const get = at('get', one);
  const order = listed.parameters.find(({ name }) => name === 'sort')?.schema;
  const remove = at('delete', one);
  const keyed = get ?? change ?? remove;
  // What there is not is left out.
  const exists = (operation) => (operation ? true : undefined);
  return {
    path: collection,
    query: listed.parameters.map(({ name }) => name),
    sortable: order?.['x-sortable'],
    sort: order?.default,
    get: exists(get),
    create: exists(add),
    update: exists(change),
    remove: exists(remove),
    summary: exists(at('get', new RegExp(`^${collection}/summary$`))),
    exports: exists(at('get', new RegExp(`^${collection}/export$`))),
    imports: exists(at('post', new RegExp(`^${collection}/import$`))),
    id: keyed && one.exec(keyed.path)?.[1],
    input: change?.input ?? add?.input,
  };
}

const NUMBERS = {
  minimum: 'min',
  maximum: 'max',
  minLength: 'minLength',
  maxLength: 'maxLength',
  maxItems: 'maxItems',
  minItems: 'minItems',
};

function rulesOf(schema, required) {
  const rules = Object.entries(schema.properties ?? {}).map(([name, raw]) => {
    const property = resolved(raw);
    const rule = {};
    if (schema.required?.includes(name) || required.includes(name)) rule.required = true;
    for (const [from, to] of Object.entries(NUMBERS)) if (property[from] !== undefined) rule[to] = property[from];
    if (property.pattern) rule.pattern = property.pattern;
    if (property.format && !/^u?int/.test(property.format)) rule.format = property.format;
    if (property.enum) rule.values = property.enum.filter((value) => value !== 'unspecified');
    if ([property.type].flat().includes('integer')) rule.integer = true;
    return [name, rule];
  });
  return Object.fromEntries(rules.filter(([, rule]) => Object.keys(rule).length > 0));
}

async function write(file, text) {
  const options = await resolveConfig(file);
  writeFileSync(file, await format(HEAD + text, { ...options, filepath: file }));
}

const all = operations();
const ours = all.filter(({ path }) => path.startsWith(BASE));
const kinds = [...new Set(ours.map(kindOf))];
const resources = kinds.map((kind) => [kind, resourceOf(kind, all)]).filter(([, resource]) => resource);
const inputs = [...new Set(all.filter(({ method }) => method !== 'get').flatMap(({ input }) => input ?? []))].sort();
const requiredOf = (name) => all.flatMap(({ input, required }) => (input === name ? required : []));
const rules = Object.fromEntries(inputs.map((name) => [name, rulesOf(schemas[name], requiredOf(name))]));

const calls = all.filter(({ name }) => isCall(name));
const untagged = JSON.parse(readFileSync('src/api/untagged.json', 'utf8'));
const tagged = ours.filter(({ name }) => !(name in untagged));

await write('src/api/generated.ts', await typesOf(calls.map(({ name }) => name)));
rmSync('src/api/calls', { recursive: true, force: true });
mkdirSync('src/api/calls');
for (const file of new Set(calls.map(fileOf))) {
  const inFile = calls.filter((each) => fileOf(each) === file);
  const effects = tagged.filter((each) => inFile.includes(each)).map((each) => [each.name, effectOf(each)]);
  const names = inFile.map(({ name }) => name);
  await write(`src/api/calls/${file}.ts`, await callsOf(file, names, Object.fromEntries(effects)));
}
await write(
  'src/api/generatedKinds.ts',
  `/** Kinds of things, as the first part of their addresses. */
export const KINDS = ${JSON.stringify(kinds)} as const;
/** One of them. */
export type Kind = (typeof KINDS)[number];
`,
);
await write(
  'src/api/generatedResources.ts',
  `/** The things that are listed, in pages or whole, and what else there is of them: their address, what their list can be asked for, which calls. */
export const RESOURCES = ${JSON.stringify(Object.fromEntries(resources))} as const;
`,
);
await write(
  'src/api/generatedRules.ts',
  `/** What the server checks of what is typed, by the name of the input. */
export const RULES = ${JSON.stringify(rules)} as const;
`,
);
