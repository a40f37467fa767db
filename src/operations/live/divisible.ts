// Messages that can be divided, so that none is larger than a client and a gateway can bear.

export interface Divisible<Message> {
  /** The number of its parts; 0 if it contains nothing new. */
  readonly parts: number;
  /** A message with this many parts from the front, and one with the rest. */
  divide(count: number): readonly [Message, Message];
}
