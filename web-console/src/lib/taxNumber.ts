/** Whether this is an NPWP, the tax number of an Indonesian company, as people write it: 15 or 16 digits; or empty. */
export const isTaxNumber = (text: string): boolean => /^(\d{15,16})?$/.test(text.replace(/[.\- ]/g, ''));
