// What a reader of a project gets of the past: its own, and nothing of others.
import { beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { refusalOf, useCallers } from '../support/personas.ts';
import { fillTwoProjects, ownConsumers } from '../support/two-projects.ts';

const database = useDatabase();
const ask = useCallers(() => database);

beforeAll(() => fillTwoProjects(ask, database, { others: true }));

test('what it used over time, and nobody else', async () => {
  const history = (of: string, selection = 'samples { consumerCount usages { resourceClassName used capacity } }') =>
    ask('reader', `query ($m: DateTime!) { usageHistory(of: {${of}}, from: $m, stepSeconds: 60) { ${selection} } }`, {
      m: new Date().toISOString(),
    });
  expect((await history('project: "blue"')).data).toMatchObject({
    usageHistory: {
      samples: [{ consumerCount: 3, usages: [{ resourceClassName: 'MEMORY_MB' }, { resourceClassName: 'VCPU', used: 5, capacity: 0 }] }],
    },
  });
  const [others, unknown] = [await history('project: "red"'), await history('project: "nobody"')];
  expect(others.data).toBeNull();
  expect(refusalOf(others)).toEqual([400, 'NOT_FOUND']);
  expect(JSON.stringify(others.errors).replaceAll('red', 'nobody')).toEqual(JSON.stringify(unknown.errors));
  expect(refusalOf(await history('cloud: true'))).toContain('FORBIDDEN');
  expect(refusalOf(await history(`tree: "${ownConsumers[0]}"`))).toContain('FORBIDDEN');
  expect(refusalOf(await history(`consumer: "${ownConsumers[0]}"`))).toContain('FORBIDDEN');
});
