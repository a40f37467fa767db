// The statements that wait for a session of a pool, in two lanes: those of heavy work are few at a time in the database, and make way for all others. Decides
// which is next; knows no session.
import type { Statement } from './session.ts';

export class Lanes {
  private readonly heavyAtOnce: number;
  private heavyUnderWay = 0;
  private light: Statement[] = [];
  private heavy: Statement[] = [];

  constructor(heavyAtOnce: number) {
    this.heavyAtOnce = heavyAtOnce;
  }

  /** How many wait. */
  get size(): number {
    return this.light.length + this.heavy.length;
  }

  /** How many could begin if there were sessions. */
  get ready(): number {
    return this.light.length + Math.min(this.heavy.length, this.heavyAtOnce - this.heavyUnderWay);
  }

  push(statement: Statement): void {
    if (statement.isHeavy) this.heavy.push(statement);
    else this.light.push(statement);
  }

  /** The statement that begins now; undefined if none may. Heavy work is never shut out: while none is under way, it is its turn by the time of its arrival. */
  next(): Statement | undefined {
    const [light] = this.light;
    const [heavy] = this.heavyUnderWay < this.heavyAtOnce ? this.heavy : [];
    if (!heavy || (light && (this.heavyUnderWay > 0 || light.since <= heavy.since))) return this.light.shift();
    this.heavyUnderWay++;
    return this.heavy.shift();
  }

  /** A statement that had begun is over. */
  ended({ isHeavy }: Statement): void {
    if (isHeavy) this.heavyUnderWay--;
  }

  /** Takes out those that wait since a moment or longer, and heavy ones since another. */
  takeOlder(light: number, heavy = light): Statement[] {
    const older = [...this.light.filter(({ since }) => since <= light), ...this.heavy.filter(({ since }) => since <= heavy)];
    this.light = this.light.filter(({ since }) => since > light);
    this.heavy = this.heavy.filter(({ since }) => since > heavy);
    return older;
  }
}
