export const emptyApi = {} as never;
