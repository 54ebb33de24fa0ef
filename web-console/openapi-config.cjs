// How the API client is generated: `npm run gen` reads openapi.json, which the BFF writes, and src/api/generated.ts is
// committed, so that a change of the contract shows in review.
/** @type {import('@rtk-query/codegen-openapi').ConfigFile} */
module.exports = {
  schemaFile: './openapi.json',
  apiFile: './src/api/emptyApi.ts',
  apiImport: 'emptyApi',
  outputFile: './src/api/generated.ts',
  exportName: 'generatedApi',
  hooks: true,
  encodePathParams: true,
  // Tags stand in src/api/api.ts, by id.
  tag: false,
  // One type for what is read and for what is written: the server passes over what is not for it.
  mergeReadWriteOnly: true,
  // Files and the live socket are no calls that a cache could hold, and the browser itself goes to a provider and back.
  filterEndpoints: (name) => !/^export|^liveSocket$|Oidc$/.test(name),
  // Only looks, though it asks with POST to keep the token out of logs.
  endpointOverrides: [{ pattern: 'getLink', type: 'query' }],
};
