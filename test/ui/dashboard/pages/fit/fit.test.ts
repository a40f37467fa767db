// What "What fits?" makes of a flavor, of a near miss, and of its own question.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { readFlavor } from '../../../../../src/ui/dashboard/pages/fit/flavor.ts';
import { without } from '../../../../../src/ui/dashboard/pages/fit/help.ts';
import { queryText } from '../../../../../src/ui/dashboard/pages/fit/query-text.ts';
import { parseFit, printFit } from '../../../../../src/ui/dashboard/pages/fit/request.ts';

const schema = buildSchema(readFileSync(new URL('../../../../../schema.graphql', import.meta.url), 'utf8'));

describe('a pasted flavor', () => {
  const fields = { name: 'm1.small', vcpus: 1, memoryMb: 2048, rootGb: 20, ephemeralGb: 0, swapMb: 0, extraSpecs: [] };

  test('is read as old and new command lines print it', () => {
    const properties = "hw:cpu_policy='dedicated', trait:HW_CPU_X86_AVX2='required'";
    const text = JSON.stringify({ name: 'm1.small', vcpus: 1, ram: 2048, disk: 20, 'OS-FLV-EXT-DATA:ephemeral': 0, swap: '', properties });
    expect(readFlavor(text).flavor).toEqual({
      fields: {
        ...fields,
        extraSpecs: [
          { key: 'hw:cpu_policy', value: 'dedicated' },
          { key: 'trait:HW_CPU_X86_AVX2', value: 'required' },
        ],
      },
    });
    expect(readFlavor('{"name":"m1.small","vcpus":"1","ram":"2048","disk":20,"properties":{}}').flavor).toEqual({ fields });
  });

  test("is read as Nova's API answers it, and as Nova's own object", () => {
    expect(readFlavor('{"flavor":{"name":"m1.small","vcpus":1,"ram":2048,"disk":20,"extra_specs":{"resources:VGPU":1}}}').flavor).toEqual({
      fields: { ...fields, extraSpecs: [{ key: 'resources:VGPU', value: '1' }] },
    });
    const object = '{"nova_object.name":"Flavor","nova_object.data":{}}';
    expect(readFlavor(object).flavor).toEqual({ object });
  });

  test('that is malformed is explained in words', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const { flavor, problem } = readFlavor(text);
        expect((flavor === null) !== (problem === null)).toBe(true);
      }),
    );
    expect(readFlavor('{"vcpus":1,"ram":2048,"properties":"hw:cpu_policy"}').problem).toContain('properties');
  });
});

describe('a near miss is tried', () => {
  const request = parseFit('r=VCPU:4,VGPU:9&t=HW_CPU_X86_AVX512F,A|B,-C&g_1.r=VGPU:2&root=COMPUTE_NODE');
  const lacking = (resourceClass: string, amount: number) => ({
    lacks: [{ resourceClass: { name: resourceClass }, amount }],
    lacksTraitNames: [],
  });

  test('with less of what is short, in the group that asks for most', () => {
    expect(printFit(without(request, lacking('VGPU', 5)))).toBe(
      'r=VCPU:4,VGPU:4&t=HW_CPU_X86_AVX512F,A|B,-C&g_1.r=VGPU:2&root=COMPUTE_NODE',
    );
  });

  test('without a class of which nothing remains', () => {
    expect(printFit(without(request, lacking('VGPU', 9)))).toContain('r=VCPU:4&');
  });

  test('without the traits that are missing', () => {
    const next = without(request, { lacks: [], lacksTraitNames: ['HW_CPU_X86_AVX512F', 'A', 'B', 'COMPUTE_NODE'] });
    expect(printFit(next)).toBe('r=VCPU:4,VGPU:9&t=-C&g_1.r=VGPU:2');
  });
});

test('the query to copy is valid for the schema', () => {
  const everything = 'r=VCPU:4,MEMORY_MB:8192&t=A,B|C,-D&in=8ae37ae6-4ffa-89ff-a6d4-96285b6bd37a&g_gpu.r=VGPU:1&isolate=1&root=E&sub=_gpu';
  for (const address of [everything, 'r=VCPU:1']) expect(validate(schema, parse(queryText(parseFit(address))))).toEqual([]);
});
