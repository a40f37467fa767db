// What of a lock is installed for use.
import { expect, test } from 'vitest';
import { type Lock, lockBelow, packagesOf, productionLock } from '../../tools/production-packages.ts';

const mine = { os: [process.platform], cpu: [process.arch] };
const lock: Lock = {
  name: 'gateway',
  version: '1.0.0',
  packages: {
    '': { version: '1.0.0', dependencies: { used: '1.0.0' }, devDependencies: { tool: '1.0.0' } },
    'node_modules/used': { version: '1.0.0', license: 'MIT', dependencies: { shared: '^1.0.0' } },
    'node_modules/shared': { version: '1.0.0', license: 'ISC', dependencies: { leaf: '*' } },
    'node_modules/leaf': { version: '1.0.0', license: 'MIT' },
    'node_modules/tool': { version: '1.0.0', dev: true, license: 'GPL-3.0-only', dependencies: { shared: '^2.0.0', leaf: '*' } },
    'node_modules/tool/node_modules/shared': { version: '2.0.0', dev: true, license: 'MIT' },
    'node_modules/@native/here': { version: '1.0.0', license: 'MIT', ...mine },
    'node_modules/@native/elsewhere': { version: '1.0.0', ...mine, os: ['sunos'] },
  },
};
const keysOf = (packages: ReturnType<typeof packagesOf>) => packages.map(({ name, version }) => `${name}@${version}`);

test('what only development needs is left out, with the wish for it', () => {
  const forUse = productionLock(lock);
  expect(forUse.packages['']).toEqual({ version: '1.0.0', dependencies: { used: '1.0.0' } });
  expect(keysOf(packagesOf(forUse))).toEqual(['@native/elsewhere@1.0.0', '@native/here@1.0.0', 'leaf@1.0.0', 'shared@1.0.0', 'used@1.0.0']);
});

test('packages for other machines are known, and so are those that do not say their licence', () => {
  expect(packagesOf(productionLock(lock)).filter(({ name }) => name.startsWith('@native/'))).toEqual([
    { name: '@native/elsewhere', version: '1.0.0', license: 'unknown', isForThisMachine: false },
    { name: '@native/here', version: '1.0.0', license: 'MIT', isForThisMachine: true },
  ]);
});

test('below a package is what it brings, in the versions that it finds', () => {
  expect(keysOf(packagesOf(lockBelow(lock, ['tool'])))).toEqual(['leaf@1.0.0', 'shared@2.0.0', 'tool@1.0.0']);
  expect(keysOf(packagesOf(lockBelow(lock, ['used'])))).toEqual(['leaf@1.0.0', 'shared@1.0.0', 'used@1.0.0']);
});
