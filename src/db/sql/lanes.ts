// The statements that wait for a session of a pool, in two lanes: few statements of heavy work run at a time, and all others go first.
// Decides which is next; knows no session.
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

  /** The statement that begins now; undefined if none may. Heavy work is never shut out: while none of it runs, its turn goes by its time of arrival. */
  next(): Statement | undefined {
    const [light] = this.light;
    const [heavy] = this.heavyUnderWay < this.heavyAtOnce ? this.heavy : [];
    if (!heavy || (light && (this.heavyUnderWay > 0 || light.since <= heavy.since))) return this.light.shift();
    this.heavyUnderWay++;
    return this.heavy.shift();
  }

  /** Call when a statement that had begun is over. */
  ended({ isHeavy }: Statement): void {
    if (isHeavy) this.heavyUnderWay--;
  }

  /** Removes and returns the statements that have waited since a moment or longer; for heavy ones another moment counts. */
  takeOlder(light: number, heavy = light): Statement[] {
    const older = [...this.light.filter(({ since }) => since <= light), ...this.heavy.filter(({ since }) => since <= heavy)];
    this.light = this.light.filter(({ since }) => since > light);
    this.heavy = this.heavy.filter(({ since }) => since > heavy);
    return older;
  }
}
