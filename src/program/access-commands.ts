// The commands of access: static tokens, and the rules that say who may do what.
import type { Command } from 'commander';
import { type EffectiveRules, PolicyFault } from '../auth/policy/effective.ts';
import { readPolicy } from '../auth/policy/open.ts';
import { type CheckFlags, checkPolicy, describePolicy, PolicyQuestionFault, showPolicy } from '../commands/policy.ts';
import { addToken, describeTokens, listTokens, revokeToken, tokenOptions } from '../commands/token.ts';
import { exitCodes } from '../process/ending.ts';
import type { Started } from '../process/opening.ts';
import { SettingsError } from '../settings/settings.ts';
import { addCommand, type Process } from './command.ts';

export function addTokenCommands(ours: Process, program: Command): void {
  const token = program.command('token').description('add, list or revoke static tokens, in the file PLACEMENT_TOKENS_FILE');
  addCommand(ours, token, 'add', {
    description: 'add a token and print it; it cannot be shown again',
    example: 'token add --tokens-file tokens.json --user nova --project service --role service --expires 365d',
    action: async (running) => {
      const { user, project = null, role: roles, expires } = running.flags as Record<string, unknown> & TokenFlags;
      const { at: expiresAt } = expires;
      const { token: created, added } = await addToken(tokensFileOf(running), { user, project, roles, expiresAt });
      // Standard output is the token alone, for scripts.
      process.stderr.write(
        `The token ${added.id} of ${user} was added, with the roles ${roles.join(', ')}; it expires ${expiresAt ?? 'never'}:\n`,
      );
      if (running.flags.json !== true) running.print(created);
      return { report: { id: added.id, user, project, roles, createdAt: added.createdAt, expiresAt, token: created } };
    },
  })
    .requiredOption('--user <name>', 'whom the token identifies; events name this user', tokenOptions.name)
    .option('--project <name>', 'its project', tokenOptions.name)
    .requiredOption('--role <role>', 'such as admin, service or reader; can be given several times', tokenOptions.role)
    .requiredOption('--expires <when>', 'days such as 90d, a day or moment such as 2027-01-31, or never', tokenOptions.expiry);
  addCommand(ours, token, 'list', {
    description: 'show all tokens: id, user, project, roles, created, expires',
    example: 'token list --tokens-file tokens.json',
    action: async (running) => {
      for (const line of await listTokens(tokensFileOf(running))) running.print(line);
      return { report: await describeTokens(tokensFileOf(running)) };
    },
  });
  addCommand(ours, token, 'revoke', {
    description: 'revoke a token; gateways notice within seconds',
    example: 'token revoke 61176f5270d4 --tokens-file tokens.json',
    action: async (running) => {
      const [id = ''] = running.args;
      await revokeToken(tokensFileOf(running), id);
      running.print('The token was revoked.');
      return { report: { revoked: id } };
    },
  }).argument('<id>', 'the id that `token list` shows');
}

/** The options of `token add`, as their parsers return them. */
interface TokenFlags {
  readonly user: string;
  readonly project?: string;
  readonly role: readonly string[];
  readonly expires: { readonly at: string | null };
}

function tokensFileOf({ settings: { tokensFile } }: Started): string {
  if (tokensFile === null) throw new SettingsError(['this command needs PLACEMENT_TOKENS_FILE or --tokens-file, the file of the tokens']);
  return tokensFile;
}

export function addPolicyCommands(ours: Process, program: Command): void {
  const policy = program.command('policy').description('the rules of access: which are in effect, and who may do what');
  addCommand(ours, policy, 'show', {
    description: 'print the rules in effect: name, check, and where each comes from; as JSON also what each allows and guards',
    example: 'policy show --policy-file policy.yaml',
    action: async ({ settings, log, print }) => {
      const rules = await readRules(settings, log);
      for (const line of showPolicy(rules)) print(line);
      return { report: describePolicy(rules) };
    },
  });
  addCommand(ours, policy, 'check', {
    description: 'show whether a caller may do something, and by which rule',
    example: policyExample,
    action: async ({ settings, log, print, flags, args }) => {
      const { policyEnforceScope: enforcesScope, tokensFile } = settings;
      const rules = await readRules(settings, log);
      const { isAllowed, lines } = await asUsage(checkPolicy(rules, args, flags as CheckFlags, { enforcesScope, tokensFile }));
      for (const line of lines) print(line);
      return { report: { isAllowed, lines }, exitCode: isAllowed ? exitCodes.done : exitCodes.failed };
    },
  })
    .argument('[operation...]', 'a method and a path of REST, or a field of GraphQL such as Query.consumers')
    .option('--rule <name>', 'the rule, instead of a method and a path')
    .option('--user <id>', 'the caller')
    .option('--project <id>', 'the project of its token')
    .option('--domain <id>', 'the domain of its token')
    .option('--system', 'its token is for the system')
    .option('--roles <list>', 'its roles, separated by commas')
    .option('--token-id <id>', 'a static token instead, by its id')
    .option(
      '--target <name=value>',
      'what is asked about, such as project_id=web-shop; can be given several times',
      (pair: string, before: string[] = []) => [...before, pair],
    )
    .addHelpText(
      'after',
      '\nExits with 0 if it is allowed, with 1 if it is denied, and with 2 if the question or the rules cannot be read.',
    );
}

const policyExample = `policy check GET '/usages?project_id=blue' --roles reader --project blue
allowed: placement:usages (default)
  yes rule:admin_or_project_reader_or_service_api (default)
    yes (role:admin or rule:project_reader_api or role:service)
      no  role:admin
      yes rule:project_reader_api (default)
        yes (role:reader and project_id:%(project_id)s)
          yes role:reader
          yes project_id:%(project_id)s
      no  role:service`;

/** The rules in effect. The log warns of them as it does at startup. */
async function readRules(settings: Started['settings'], log: Started['log']): Promise<EffectiveRules> {
  const rules = await asUsage(readPolicy(settings));
  for (const warning of rules.warnings) log.warn(warning);
  return rules;
}

/** Rules and questions that cannot be read are a usage error, so that they are not taken for a denial. */
async function asUsage<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((error: unknown) => {
    throw error instanceof PolicyFault || error instanceof PolicyQuestionFault ? new SettingsError([error.message]) : error;
  });
}
