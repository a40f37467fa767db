// How long a gateway's event loop stood still and what it used, seen from within its process: a script loaded before the program
// tells it on SIGUSR2.
import type { BenchGateway } from './gateway.ts';

const script = `
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('SIGUSR2', () => {
    const { user, system } = process.cpuUsage();
    process.stdout.write('loop delay ' + delay.max / 1e6 + ' cpu ' + (user + system) / 1e3 + ' rss ' + process.memoryUsage().rss + '\\n');
    delay.reset();
  });`;

/** Gateways started meanwhile can be asked for the delay of their event loop. */
export async function withLoopDelay<Started>(start: () => Promise<Started>): Promise<Started> {
  const { NODE_OPTIONS = '' } = process.env;
  process.env.NODE_OPTIONS = `${NODE_OPTIONS} --import=data:text/javascript,${encodeURIComponent(script)}`;
  try {
    return await start();
  } finally {
    process.env.NODE_OPTIONS = NODE_OPTIONS;
  }
}

/** In milliseconds, the longest delay since the last time it was asked for and the processor time used so far; in bytes, the memory it has. */
export function loopDelayOf({
  process: child,
}: BenchGateway): Promise<{ readonly longest: number; readonly cpu: number; readonly memory: number }> {
  return new Promise((told) => {
    const listen = (chunk: Buffer) => {
      const numbers = /loop delay ([\d.]+) cpu ([\d.]+) rss (\d+)/.exec(chunk.toString());
      if (!numbers) return;
      child.stdout?.off('data', listen);
      told({ longest: Number(numbers[1]), cpu: Number(numbers[2]), memory: Number(numbers[3]) });
    };
    child.stdout?.on('data', listen);
    child.kill('SIGUSR2');
  });
}
