// Planted defects in access, both APIs, HTTP, the process and the dashboard: the rooms of src above nova.
import type { Defect } from './defect.ts';

export const surfaces: readonly Defect[] = [
  // Access: src/auth
  {
    name: 'a token is accepted beyond its end while its validation is remembered',
    file: 'src/auth/keystone/authenticate.ts',
    text: 'if (token === null || Date.now() >= token.expiresAt) return null;',
    instead: 'if (token === null) return null;',
    tests: ['test/auth/keystone.test.ts'],
  },
  {
    name: 'a caller has one request more in progress than its bound',
    file: 'src/auth/budgets.ts',
    text: 'present.inProgress >= requests',
    instead: 'present.inProgress > requests',
    tests: ['test/auth/budgets.test.ts'],
  },
  {
    name: 'a rule about trees ignores the end of its pattern',
    file: 'src/auth/policy/trees-rule.ts',
    text: 'value.startsWith(prefix) && value.endsWith(suffix)',
    instead: 'value.startsWith(prefix)',
    tests: ['test/auth/trees-rule.test.ts'],
  },

  // The contract: src/graphql
  {
    name: 'a stream keeps the identity of a token that has expired',
    file: 'src/graphql/streams/stream-caller.ts',
    text: 'return Date.now() < expiresAt ? this.#identity : null;',
    instead: 'return expiresAt > 0 ? this.#identity : null;',
    tests: ['test/graphql/streams/rights.test.ts'],
  },
  {
    name: 'a stream goes on when its caller may read only one project any more',
    file: 'src/graphql/streams/subscriptions.ts',
    text: 'if (grant.project !== project) throw',
    instead: 'if (grant.project === null && project !== null) throw',
    tests: ['test/graphql/streams/rights.test.ts'],
  },
  {
    name: 'of several rules only the last one limits an operation to the own project',
    file: 'src/graphql/permissions.ts',
    text: "if (reach === 'own') isRestricted = true;",
    instead: "isRestricted = reach === 'own';",
    tests: ['test/graphql/hidden-amounts.test.ts'],
  },
  {
    name: 'the cost of an operation leaves out the objects of the outer lists',
    file: 'src/graphql/cost.ts',
    text: '(length?.(variables) ?? 1) * (1 + below(variables))',
    instead: '(length?.(variables) ?? 1) * Math.max(1, below(variables))',
    tests: ['test/graphql/limits.test.ts', 'test/graphql/cost-of-answers.test.ts'],
  },

  // REST: src/rest
  {
    name: 'the owner of allocations is shown only since consumers have generations',
    file: 'src/rest/handlers/allocations.ts',
    text: "has(version, 'allocationsByProvider') && { project_id",
    instead: "has(version, 'consumerGenerations') && { project_id",
    tests: ['test/conformance/allocations.test.ts'],
  },
  {
    name: 'a provider is shown as another microversion has asked for it before',
    file: 'src/rest/provider-bodies.ts',
    text: 'if (known?.form === form) return known.row;',
    instead: 'if (known?.form.mount === form.mount) return known.row;',
    tests: ['test/conformance/providers.test.ts'],
  },
  {
    name: 'caches do not learn that an answer depends on the microversion',
    file: 'src/rest/headers.ts',
    text: "vary(reply, 'openstack-api-version');",
    instead: 'if (version > 0) vary(reply, `openstack-api-version`);',
    tests: ['test/rest/serving/server.test.ts'],
  },

  // HTTP and the process around it
  {
    name: 'the address that a client claims counts before the one that the proxy saw',
    file: 'src/http/client.ts',
    text: ".split(',')\n    .toReversed()) {",
    instead: ".split(',')) {",
    tests: ['test/http/client.test.ts'],
  },
  {
    name: 'an address gets one connection more than its bound',
    file: 'src/listener/address-connections.ts',
    text: 'if (count >= most) return null;',
    instead: 'if (count > most) return null;',
    tests: ['test/listener/address-connections.test.ts'],
  },
  {
    name: 'a gateway that stops does not wait for requests on their way',
    file: 'src/listener/stopping.ts',
    text: 'if (refusalTime > 0) await outwaitConnections',
    instead: 'if (refusalTime > 0) void outwaitConnections',
    tests: ['test/listener/draining.test.ts'],
  },
  {
    name: 'an audit log that cannot be written is not reopened',
    file: 'src/logs/audit-log.ts',
    text: 'if (this.#wantsReopening) await this.#reopenNow();\n        await this.#writeSome();',
    instead: 'await this.#writeSome();\n        if (this.#wantsReopening) await this.#reopenNow();',
    tests: ['test/logs/audit-log.test.ts'],
  },
  {
    name: 'milliseconds of an operation are measured as seconds',
    file: 'src/logs/operation-log.ts',
    text: 'milliseconds / 1000, surface',
    instead: 'milliseconds, surface',
    tests: ['test/logs/operation-log.test.ts', 'test/metrics/serve.test.ts'],
  },
  {
    name: 'a value at the bound of a bucket counts in the next',
    file: 'src/measures/instruments.ts',
    text: 'value > (bounds[bucket] as number)',
    instead: 'value >= (bounds[bucket] as number)',
    tests: ['test/measures/instruments.test.ts'],
  },
  {
    name: 'buckets of a histogram are not cumulative',
    file: 'src/metrics/text.ts',
    text: 'count += numbers[place] as number;',
    instead: 'count = numbers[place] as number;',
    tests: ['test/metrics/text.test.ts'],
  },
  {
    name: 'passwords that a proxy received in plain text are accepted',
    file: 'src/web/session.ts',
    text: "if (protocol === 'https' || isLocal(ip)) return;",
    instead: "if (protocol === 'https' || ip !== '') return;",
    tests: ['test/web/session.test.ts'],
  },
  {
    name: 'workers read a message beside another with the bytes of its length',
    file: 'src/workers/frames.ts',
    text: "bytes.toString('utf8', at + head, end())",
    instead: "bytes.toString('utf8', head, end())",
    tests: ['test/workers/frames.test.ts'],
  },
  {
    name: 'a lock of a process that is gone counts if its number is used again',
    file: 'src/postgres/lock.ts',
    text: 'startTimeOf(pid) === startTime',
    instead: 'startTimeOf(pid) !== null',
    tests: ['test/postgres/lock.test.ts'],
  },
  {
    name: 'a wrong setting ends the process with the code of a failure',
    file: 'src/process/ending.ts',
    text: 'if (error instanceof SettingsError) return exitCodes.usage;',
    instead: 'if (error instanceof SettingsError) return exitCodes.failed;',
    tests: ['test/main.test.ts'],
  },
  {
    name: 'with --json, what is said besides the answer goes to standard output, too',
    file: 'src/program/command.ts',
    text: 'if (asJson) process.stderr.write',
    instead: 'if (asJson) process.stdout.write',
    tests: ['test/main.test.ts'],
  },
  {
    name: 'each worker opens all connections of the gateway',
    file: 'src/serving/worker.ts',
    text: 'Math.ceil(connections / workers)',
    instead: 'connections',
    tests: ['test/workers/several-workers.test.ts'],
  },
  {
    name: 'a gateway that serves still says that it starts',
    file: 'src/serving/serve.ts',
    text: '  starting = null;\n',
    instead: '',
    tests: ['test/main.test.ts'],
  },
  {
    name: 'flags of several words are ignored',
    file: 'src/main.ts',
    text: 'flag.replace(/-(\\w)/g, (_, letter: string) => letter.toUpperCase())',
    instead: 'flag.replace(/-(\\w)/, (_, letter: string) => letter.toUpperCase())',
    tests: ['test/main.test.ts'],
  },
  {
    name: 'a whole number cannot be the largest of its range',
    file: 'src/settings/values.ts',
    text: 'number >= from && number <= to',
    instead: 'number >= from && number < to',
    tests: ['test/settings/settings.test.ts'],
  },
  {
    name: 'an import takes the word for no type for a type',
    file: 'src/commands/import/upstream.ts',
    text: "type: type === 'unknown' ? null : type,",
    instead: 'type,',
    tests: ['test/commands/import/upstream.test.ts', 'test/commands/import.test.ts'],
  },
  {
    name: 'sizes in MiB are those in MB',
    file: 'src/commands/prune-events.ts',
    text: '(bytes / 2 ** 20)',
    instead: '(bytes / 10 ** 6)',
    tests: ['test/commands/prune-events.test.ts'],
  },

  // The dashboard: src/ui
  {
    name: 'the dashboard shows GiB of disk as MiB',
    file: 'src/ui/dashboard/formats/amounts.ts',
    text: 'DISK_GB: 2',
    instead: 'DISK_GB: 1',
    tests: ['test/ui/dashboard/formats/amounts.test.ts'],
  },
  {
    name: 'hosts without the class come first when the order is reversed',
    file: 'src/ui/dashboard/pages/hosts/host-filter.ts',
    text: 'Number(Number.isNaN(left)) - Number(Number.isNaN(right)) ||',
    instead: 'direction * (Number(Number.isNaN(left)) - Number(Number.isNaN(right))) ||',
    tests: ['test/ui/dashboard/pages/hosts/host-filter.test.ts'],
  },
];
