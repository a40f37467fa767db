// What a reader of a project learns about the past: only that of its project.
import { beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { refusalOf, useCallers } from '../support/personas.ts';
import { fillTwoProjects, ownConsumers } from '../support/two-projects.ts';

const database = useDatabase();
const ask = useCallers(() => database);

beforeAll(() => fillTwoProjects(ask, database, { others: true }));

test('a reader of a project gets the past usage of its own project only', async () => {
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
