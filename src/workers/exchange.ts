// Questions of one worker to another, and their answers, over a Unix-domain socket. Everything from one turn of the event loop goes into one message, so at
// thousands a second each costs little more than its JSON. The answering side sends a beat every second, so that one that hangs is noticed.
import { createConnection, createServer, type Socket } from 'node:net';
import { Frames, frameOf } from './frames.ts';
import { beat } from './messages.ts';

/** `notSent`: the other side has not received the question, and never will. `lost`: it may have received it. */
export type Outcome = { readonly answer: unknown } | 'notSent' | 'lost';

/** The questions or answers of a turn, each with the number of the question. An empty list is a beat; null refuses further questions. */
type Message = readonly (readonly [id: number, content: unknown])[] | null;

/** The number of silent beats after which the other side is given up. */
const silence = 3;
/** Milliseconds for askers to read their last answers. */
const patience = 5000;

/** Calls `send` once for all items of a turn. */
function gather<Item>(send: (items: readonly Item[]) => void): (item: Item) => void {
  let gathered: Item[] = [];
  return (item) => {
    if (gathered.push(item) > 1) return;
    setImmediate(() => {
      const items = gathered;
      gathered = [];
      send(items);
    });
  };
}

/** Answers the questions of all that connect. */
export class Answerer {
  readonly #answer: (question: unknown) => Promise<unknown>;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#serve(socket));

  /** `answer` never rejects. */
  constructor(answer: (question: unknown) => Promise<unknown>) {
    this.#answer = answer;
  }

  async listen(path: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      // Exclusive, because node:cluster would otherwise listen in the primary.
      this.#server.listen({ path, exclusive: true }, resolve);
    });
    setInterval(() => this.#say([]), beat).unref();
  }

  /** Answers the questions that were asked or are on their way; new ones go elsewhere. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#say(null);
    const late = setTimeout(() => this.#sockets.forEach((socket) => void socket.destroy()), patience);
    await closed;
    clearTimeout(late);
  }

  #say(message: Message): void {
    for (const socket of this.#sockets) socket.write(frameOf(message));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    const frames = new Frames();
    const reply = gather<readonly [number, unknown]>((answers) => socket.write(frameOf(answers)));
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (bytes) => {
      for (const questions of frames.take(bytes) as NonNullable<Message>[])
        for (const [id, question] of questions) void this.#answer(question).then((answer) => reply([id, answer]));
    });
    socket.write(frameOf([]));
  }
}

/** Asks one worker at a time. When that changes, the former one still answers the questions that it got. */
export class Asker {
  #path: string | null = null;
  #link: Link | null = null;

  /** Sets the worker to ask from now on; null for none. */
  follow(path: string | null): void {
    if (path === this.#path) return;
    this.#path = path;
    this.#link?.leave();
    this.#connect();
  }

  /** Never rejects. */
  async ask(question: unknown): Promise<Outcome> {
    return this.#link?.isOpen ? this.#link.ask(question) : 'notSent';
  }

  #connect(): void {
    const again = () => {
      if (this.#link === link) this.#connect();
    };
    const link = this.#path === null ? null : new Link(this.#path, () => setTimeout(again, beat).unref());
    this.#link = link;
  }
}

interface Asked {
  readonly question: unknown;
  readonly resolve: (outcome: Outcome) => void;
}

class Link {
  /** Set only after the first message of the other side: the kernel accepts connections even for a process that hangs. */
  isOpen = false;
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (outcome: Outcome) => void>();
  readonly #send = gather<Asked>((asked) => this.#ask(asked));
  #lastId = 0;
  /** Counted in our own event loop: after that was blocked, it first reads what has arrived meanwhile. */
  #silentBeats = 0;
  #isLeaving = false;

  constructor(path: string, onClose: () => void) {
    const frames = new Frames();
    this.#socket = createConnection(path);
    this.#socket.on('data', (bytes) => {
      this.#silentBeats = 0;
      for (const message of frames.take(bytes)) this.#hear(message as Message);
    });
    const watch = setInterval(() => {
      if (++this.#silentBeats >= silence) this.#socket.destroy();
    }, beat).unref();
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      clearInterval(watch);
      this.isOpen = false;
      for (const id of [...this.#waiting.keys()]) this.#settle(id, 'lost');
      onClose();
    });
  }

  ask(question: unknown): Promise<Outcome> {
    return new Promise((resolve) => this.#send({ question, resolve }));
  }

  /** Stops asking, and closes once everything is answered. */
  leave(): void {
    this.isOpen = false;
    this.#isLeaving = true;
    if (this.#waiting.size === 0) this.#socket.end();
  }

  #ask(asked: readonly Asked[]): void {
    const questions = asked.map(({ question, resolve }) => {
      this.#waiting.set(++this.#lastId, resolve);
      return [this.#lastId, question] as const;
    });
    // A message that was not written completely is never read: none of its questions will be acted upon.
    this.#socket.write(frameOf(questions), (error) => {
      if (error) for (const [id] of questions) this.#settle(id, 'notSent');
    });
  }

  #hear(message: Message): void {
    if (message === null) this.#isLeaving = true;
    for (const [id, answer] of message ?? []) this.#settle(id, { answer });
    this.isOpen = !this.#isLeaving;
    if (this.#isLeaving && this.#waiting.size === 0) this.#socket.end();
  }

  #settle(id: number, outcome: Outcome): void {
    this.#waiting.get(id)?.(outcome);
    this.#waiting.delete(id);
  }
}
