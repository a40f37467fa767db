// Loaded into a gateway before the program: at each SIGUSR2 its clock jumps, as when somebody sets it by hand. What measures intervals is not affected,
// as on a real machine.
const hour = 3_600_000;
/** How far the clock is ahead, one after the other. */
const jumps = [-hour, 25 * hour, -49 * hour, 0];
const RealDate = Date;
let [ahead, count] = [0, 0];

process.on('SIGUSR2', () => {
  ahead = jumps[count++ % jumps.length] ?? 0;
});

const now = () => RealDate.now() + ahead;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, made) => (given.length === 0 ? new RealDate(now()) : Reflect.construct(target, given, made)),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
