// The commands of the bridge to another Placement.
import type { Command } from 'commander';
import { finishBridge, showBridge, turnBridge } from '../commands/bridge.ts';
import { openServed } from '../process/opening.ts';
import { SettingsError } from '../settings/settings.ts';
import { addCommand, type Process, type Running } from './command.ts';

const databaseOf = async (running: Running) => (await openServed(running)).db;

export function addBridgeCommands(ours: Process, program: Command): void {
  const bridge = program
    .command('bridge')
    .description('the bridge to another Placement (PLACEMENT_IN_FRONT_OF): which side leads, and switches');
  addCommand(ours, bridge, 'status', {
    description: 'show which side leads, how far the other one is behind, and what differs',
    example: 'bridge status\nthis ledger follows: http://placement.example/placement\n…\ndifferences: 0',
    action: async (running) => ({ report: await showBridge(await databaseOf(running), running.print) }),
  });
  const turn = (to: 'lead' | 'follow', description: string) =>
    addCommand(ours, bridge, to, {
      description,
      example: `bridge ${to}\nthis ledger ${to}s; new writes waited for 180 ms`,
      action: async (running) => {
        const { patience, now = false } = running.flags;
        const how = { patience: secondsOf(patience), isForced: now === true };
        return { report: await turnBridge(await databaseOf(running), to, how, running.print) };
      },
    }).option('--patience <seconds>', 'how long it may take until everything is compared and carried over', '3600');
  turn('lead', 'let this ledger lead: new writes wait for at most two seconds; the other Placement then gets each change from here');
  turn('follow', 'let the other Placement lead again').option(
    '--now',
    'without comparing everything first: what differs there, or was lost there, is taken over here',
  );
  addCommand(ours, bridge, 'end', {
    description:
      'end the bridge: if this ledger leads, the other Placement gets no more changes; otherwise this ledger does not follow any more',
    example: 'bridge end\nthe bridge is ended: this ledger leads alone',
    action: async (running) => ({ report: await finishBridge(await databaseOf(running), running.print) }),
  });
}

function secondsOf(text: unknown): number {
  const seconds = typeof text === 'string' && /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(seconds)) throw new SettingsError([`--patience=${JSON.stringify(text)} must be a whole number of seconds`]);
  return seconds;
}
