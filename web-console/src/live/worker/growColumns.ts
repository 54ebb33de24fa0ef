/** Makes all typed arrays of an object that long, and keeps what is in them. */
export function growColumns(owner: object, size: number): void {
  const columns = owner as Record<string, unknown>;
  for (const [name, column] of Object.entries(columns)) {
    if (!ArrayBuffer.isView(column)) continue;
    const old = column as Float64Array;
    const larger = new (old.constructor as Float64ArrayConstructor)(size);
    larger.set(old);
    columns[name] = larger;
  }
}
