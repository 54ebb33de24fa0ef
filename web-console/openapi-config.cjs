// How the API client is generated: `npm run gen` reads openapi.json, which the BFF writes, and src/api/generated*.ts are
// committed, so that a change of the contract shows in review.

// What the page of the sign-in calls: it is small, and does not wait for all the others.
const SIGN_IN = ['login', 'finishOidcWithCode', 'signInOptions'];

// Street maps are asked for in src/map/useMapSources.ts, and their pictures and files by the map library.
const MAPS = ['listMapSources', 'mapTile', 'mapFile'];
// Addresses of places are asked for many at once, in src/api/addressBook.ts.
const ADDRESSES = ['lookupAddresses'];

/** @type {import('@rtk-query/codegen-openapi').ConfigFile} */
module.exports = {
  schemaFile: './openapi.json',
  apiFile: './src/api/emptyApi.ts',
  apiImport: 'emptyApi',
  hooks: true,
  encodePathParams: true,
  // Tags stand in src/api/api.ts, by id.
  tag: false,
  // One type for what is read and for what is written: the server passes over what is not for it.
  mergeReadWriteOnly: true,
  outputFiles: {
    './src/api/generated.ts': {
      exportName: 'generatedApi',
      // Files and sockets are no calls that a cache could hold, the browser itself goes to a provider and back, and the page
      // of share links speaks for itself.
      filterEndpoints: (name) =>
        !SIGN_IN.includes(name) &&
        !MAPS.includes(name) &&
        !ADDRESSES.includes(name) &&
        !/^export|^import|^previewImport|^getJobUndo$|^(live|shared)Socket$|^openSharedView$|Oidc$/.test(name),
      // Only looks, though it asks with POST to keep the token out of logs.
      endpointOverrides: [{ pattern: 'getLink', type: 'query' }],
    },
    './src/api/generatedSignIn.ts': { exportName: 'signInApi', filterEndpoints: SIGN_IN },
  },
};
