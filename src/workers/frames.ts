// Messages as bytes: the length in four bytes, then JSON.

const head = 4;

export function frameOf(message: unknown): Buffer {
  const json = JSON.stringify(message);
  const length = Buffer.byteLength(json);
  const frame = Buffer.allocUnsafe(head + length);
  frame.writeUInt32BE(length);
  frame.write(json, head);
  return frame;
}

/** Assembles messages from pieces of any size. */
export class Frames {
  #pieces: Buffer[] = [];
  #length = 0;
  /** The number of bytes needed before another message can be complete. */
  #wanted = head;

  /** The messages that this piece completes. */
  take(piece: Buffer): unknown[] {
    this.#pieces.push(piece);
    this.#length += piece.length;
    // Concatenating earlier would copy a large message again with each of its pieces.
    if (this.#length < this.#wanted) return [];
    const bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces);
    const messages: unknown[] = [];
    let at = 0;
    const end = () => at + head + (bytes.length - at < head ? 0 : bytes.readUInt32BE(at));
    for (; end() <= bytes.length; at = end()) messages.push(JSON.parse(bytes.toString('utf8', at + head, end())));
    this.#pieces = [bytes.subarray(at)];
    this.#length = bytes.length - at;
    this.#wanted = end() - at;
    return messages;
  }
}
