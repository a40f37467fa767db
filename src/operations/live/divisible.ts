// Messages that can be told in several, so that none is larger than a client and a gateway can bear.

export interface Divisible<Message> {
  /** How many parts it has; 0 for one that tells nothing new. */
  readonly parts: number;
  /** A message with the first so many parts, and one with the others. */
  divide(count: number): readonly [Message, Message];
}
