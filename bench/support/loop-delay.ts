// How long a gateway's event loop stood still, seen from within its process: a script loaded before the program tells it on SIGUSR2.
import type { BenchGateway } from './gateway.ts';

const script = `
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('SIGUSR2', () => {
    process.stdout.write('loop delay ' + delay.max / 1e6 + '\\n');
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

/** The longest delay since the last time it was asked for, in milliseconds. */
export function loopDelayOf({ process: child }: BenchGateway): Promise<number> {
  return new Promise((told) => {
    const listen = (chunk: Buffer) => {
      const delay = /loop delay ([\d.]+)/.exec(chunk.toString())?.[1];
      if (delay === undefined) return;
      child.stdout?.off('data', listen);
      told(Number(delay));
    };
    child.stdout?.on('data', listen);
    child.kill('SIGUSR2');
  });
}
