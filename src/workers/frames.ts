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

/** Puts together what arrives, in pieces of any size. */
export class Frames {
  #pieces: Buffer[] = [];
  #length = 0;
  /** Bytes without which there is no further message. */
  #wanted = head;

  /** The messages that are complete with this piece. */
  take(piece: Buffer): unknown[] {
    this.#pieces.push(piece);
    this.#length += piece.length;
    // Not before: a large message in many pieces would be copied with each of them.
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
