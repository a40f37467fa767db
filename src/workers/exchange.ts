// Questions of one worker to another, and their answers, over a Unix-domain socket. What is said in one turn of the event loop goes in one message: at
// thousands a second each costs little more than its JSON. Whoever answers says something once a second, so that one that stands still is given up.
import { createConnection, createServer, type Socket } from 'node:net';
import { Frames, frameOf } from './frames.ts';
import { beat } from './messages.ts';

/** `notSent`: whoever should have been asked has not learnt of it, and never will. `lost`: it may have. */
export type Outcome = { readonly answer: unknown } | 'notSent' | 'lost';

/** Questions or answers of a turn, each with the number of the question; none: a sign of life. Null: no more questions, please. */
type Message = readonly (readonly [id: number, content: unknown])[] | null;

/** Beats without a word after which the other side is given up. */
const silence = 3;
/** Milliseconds for those who asked to hear their last answers. */
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

/** Answers whoever connects. */
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
      // Not through the primary, as node:cluster would have it.
      this.#server.listen({ path, exclusive: true }, resolve);
    });
    setInterval(() => this.#say([]), beat).unref();
  }

  /** Answers what was asked, and what is being asked; new questions go elsewhere. */
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

/** Asks one at a time; when it changes, the one before still answers what it was asked. */
export class Asker {
  #path: string | null = null;
  #link: Link | null = null;

  /** Whom to ask from now on; null: nobody. */
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
  /** Only when the other side has said something: the kernel accepts connections for a process that stands still, too. */
  isOpen = false;
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (outcome: Outcome) => void>();
  readonly #send = gather<Asked>((asked) => this.#ask(asked));
  #lastId = 0;
  /** It counts turns of the own event loop, too: after one has stood still, what has come meanwhile is read first. */
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

  /** Asks no more, and closes when everything is answered. */
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
    // A message that was not written to its end is not read: none of its questions will be answered, or acted upon.
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
