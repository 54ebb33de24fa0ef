/** Texts as their files hold them. */
export interface Tree {
  [key: string]: string | Tree;
}

/** Each text with its key. */
export const flatten = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
  );
