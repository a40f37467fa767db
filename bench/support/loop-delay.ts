// How long a gateway's event loop was blocked and the resources it used, seen from within its process: a script loaded before the program reports on SIGUSR2.
import type { BenchGateway } from './gateway.ts';

/** The processor time of the main thread between two ticks of a timer, as Linux counts it: other processes on the machine do not lengthen it. */
const script = `
  import { openSync, readSync } from 'node:fs';
  let file = null;
  try { file = openSync('/proc/self/task/' + process.pid + '/schedstat'); } catch {}
  const text = Buffer.alloc(64);
  const now = () => file === null ? performance.now() : Number(text.latin1Slice(0, readSync(file, text, 0, 64, 0)).split(' ')[0]) / 1e6;
  let longest = 0, last = now();
  const tick = () => {
    const at = now();
    longest = Math.max(longest, at - last);
    last = at;
    setTimeout(tick, 1).unref();
  };
  tick();
  process.on('SIGUSR2', () => {
    const { user, system } = process.cpuUsage();
    process.stdout.write('loop held ' + longest + ' cpu ' + (user + system) / 1e3 + ' rss ' + process.memoryUsage().rss + '\\n');
    longest = 0;
  });`;

/** Gateways started meanwhile report how long their event loop was blocked. */
export async function withLoopDelay<Started>(start: () => Promise<Started>): Promise<Started> {
  const { NODE_OPTIONS = '' } = process.env;
  process.env.NODE_OPTIONS = `${NODE_OPTIONS} --import=data:text/javascript,${encodeURIComponent(script)}`;
  try {
    return await start();
  } finally {
    process.env.NODE_OPTIONS = NODE_OPTIONS;
  }
}

/** The longest block since the last report and the processor time used so far, in milliseconds; the resident memory, in bytes. */
export function loopDelayOf({
  process: child,
}: BenchGateway): Promise<{ readonly longest: number; readonly cpu: number; readonly memory: number }> {
  return new Promise((told) => {
    const listen = (chunk: Buffer) => {
      const numbers = /loop held ([\d.]+) cpu ([\d.]+) rss (\d+)/.exec(chunk.toString());
      if (!numbers) return;
      child.stdout?.off('data', listen);
      told({ longest: Number(numbers[1]), cpu: Number(numbers[2]), memory: Number(numbers[3]) });
    };
    child.stdout?.on('data', listen);
    child.kill('SIGUSR2');
  });
}
