// What of the contract the console's kit of resources is made from: `npm run gen` reads openapi.json and writes
// src/api/generatedKinds.ts, src/api/generatedCalls.ts (which call does what to which things) and src/api/generatedRules.ts (what may be typed).
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import config from './openapi-config.cjs';

const HEAD = '// Made by contract.mjs from openapi.json. Do not edit.\n';
const FORMS = /^application\/json/;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const BASE = '/api/v1/';

const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
const schemas = document.components.schemas;
const camel = (name) => name.replace(/[_-](\w)/g, (_match, letter) => letter.toUpperCase());
const lower = (name) => name && name.charAt(0).toLowerCase() + name.slice(1);
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
        input: shared && refName(shared),
        body: body?.allOf ? 'body' : shared && lower(refName(shared)),
        required: more?.required ?? [],
      };
    }),
  );
}

/** What a call does to the things whose lists are at the first part of its path. */
function effectOf({ path, method, parameters }) {
  const kind = path.slice(BASE.length).split('/')[0];
  const id = parameters.findLast((parameter) => parameter.in === 'path')?.name;
  if (method === 'get') return { kind, does: id ? 'read' : 'list', id };
  if (method === 'delete' && path.endsWith('}')) return { kind, does: 'remove', id };
  return { kind, does: id ? 'change' : 'add', id };
}

/** The calls of one kind of things: its list, one of them, and what changes one. */
function resourceOf(kind, all) {
  const collection = BASE + kind;
  const at = (method, pattern) => all.find((each) => each.method === method && pattern.test(each.path));
  const one = new RegExp(`^${collection}/\\{(\\w+)\\}$`);
  const listed = at('get', new RegExp(`^${collection}$`));
  const add = at('post', new RegExp(`^${collection}$`));
  const change = at('put', one);
  const paged = listed?.parameters.some(({ name }) => name === 'page');
  if (!listed || (!paged && !(add && change))) return null;
  const remove = at('delete', one);
  const keyed = at('get', one) ?? change ?? remove;
  return {
    path: collection,
    list: listed.name,
    query: listed.parameters.map(({ name }) => name),
    get: at('get', one)?.name,
    create: add?.name,
    update: change?.name,
    remove: remove?.name,
    summary: at('get', new RegExp(`^${collection}/summary$`))?.name,
    exports: at('get', new RegExp(`^${collection}/export$`)) !== undefined,
    imports: at('post', new RegExp(`^${collection}/import$`)) !== undefined,
    id: keyed && one.exec(keyed.path)?.[1],
    input: change?.input ?? add?.input,
    createBody: add?.body,
    updateBody: change?.body,
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
const kinds = [...new Set(ours.map((each) => effectOf(each).kind))];
// Files are no calls of the client.
const isCall = config.outputFiles['./src/api/generated.ts'].filterEndpoints;
const effect = ({ kind, does, id }) => [kind, does, ...(id ? [id] : [])];
const calls = ours.filter(({ name }) => isCall(name));
const effects = Object.fromEntries(calls.map((each) => [each.name, effect(effectOf(each))]));
const resources = kinds.map((kind) => [kind, resourceOf(kind, all)]).filter(([, resource]) => resource);
const inputs = [...new Set(all.filter(({ method }) => method !== 'get').flatMap(({ input }) => input ?? []))].sort();
const requiredOf = (name) => all.flatMap(({ input, required }) => (input === name ? required : []));
const rules = Object.fromEntries(inputs.map((name) => [name, rulesOf(schemas[name], requiredOf(name))]));

await write(
  'src/api/generatedKinds.ts',
  `/** Kinds of things, as the first part of their addresses. */
export const KINDS = ${JSON.stringify(kinds)} as const;
/** One of them. */
export type Kind = (typeof KINDS)[number];
`,
);
await write(
  'src/api/generatedCalls.ts',
  `/** Of each call the kind of things, what it does to them, and where it is about one, the argument that says which. */
export const EFFECTS = ${JSON.stringify(effects)} as const;

/** The calls of the things that are listed, in pages or whole. */
export const RESOURCES = ${JSON.stringify(Object.fromEntries(resources))} as const;
`,
);
await write(
  'src/api/generatedRules.ts',
  `/** What the server checks of what is typed, by the name of the input. */
export const RULES = ${JSON.stringify(rules)} as const;
`,
);
