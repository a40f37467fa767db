// Values that are kept up to a total size; the least recently used are dropped first.

export class BoundedStore<Value> {
  // A map keeps the order of insertion.
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>();
  readonly #most: number;
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  async get(key: string): Promise<Value | undefined> {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Does not store a value larger than a tenth of all. */
  put(key: string, value: Value, size: number): void {
    this.#forget(key);
    if (size > this.#most / 10) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#most) break;
      this.#forget(oldest);
    }
  }

  async delete(key: string): Promise<boolean> {
    return this.#forget(key);
  }

  #forget(key: string): boolean {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    return this.#entries.delete(key);
  }
}
