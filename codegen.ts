// Writes src/graphql/schema.generated.ts: the types that resolvers are checked against, from schema.graphql.
// With --check it writes nothing and exits 1 when the file is not what it would write.
import { readFile, writeFile } from 'node:fs/promises';
import { codegen } from '@graphql-codegen/core';
import * as typescriptPlugin from '@graphql-codegen/typescript';
import * as resolversPlugin from '@graphql-codegen/typescript-resolvers';
import { parse } from 'graphql';

/** What a resolver receives as its parent, where that is not the GraphQL type itself: `Type: '../operations/file.ts#Name'`. */
const mappers: Record<string, string> = {
  ResourceProvider: '../domain/provider.ts#Provider',
  SharedPool: '../domain/provider.ts#SharedPool as SharedPoolRow',
  Inventory: '../domain/provider.ts#Inventory as InventoryRow',
  ResourceTotal: '../domain/provider.ts#ResourceTotal as ResourceTotalRow',
  Capacity: '../domain/provider.ts#Capacity as CapacityRow',
  ResourceClass: '../domain/provider.ts#ResourceClass as ResourceClassRow',
  Trait: '../domain/provider.ts#Trait as TraitRow',
  Aggregate: '../domain/provider.ts#Aggregate as AggregateRow',
  Consumer: '../domain/allocation.ts#Consumer as ConsumerRow',
  Allocation: '../domain/allocation.ts#Allocation as AllocationRow',
  Project: '../operations/parents.ts#ProjectParent',
  User: '../operations/parents.ts#UserParent',
  Usage: '../domain/allocation.ts#Usage as UsageRow',
  Event: '../domain/event.ts#LedgerEvent',
  ResourceProviderConnection: '../operations/parents.ts#ProviderPage',
  InventoryConnection: '../operations/parents.ts#InventoryPage',
  TraitConnection: '../operations/parents.ts#TraitPage',
  AggregateConnection: '../operations/parents.ts#AggregatePage',
  ConsumerConnection: '../operations/parents.ts#ConsumerPage',
  AllocationConnection: '../operations/parents.ts#AllocationPage',
  ProjectConnection: '../operations/parents.ts#ProjectPage',
  UsageConnection: '../operations/parents.ts#UsagePage',
  EventConnection: '../operations/parents.ts#EventPage',
  ShrunkBelowUse: '../operations/inventory-writes.ts#ShrunkInventory',
  AllocationCandidates: '../operations/candidates.ts#FoundCandidates',
  AllocationCandidate: '../operations/candidates.ts#FoundCandidate',
  CandidateAllocation: '../operations/candidates.ts#FoundAllocation',
  GroupMapping: '../operations/candidates.ts#FoundMapping',
  Explanation: '../domain/candidates/explain.ts#Explanation as ExplanationRow',
  NearestMiss: '../domain/candidates/explain.ts#NearestMiss as NearestMissRow',
  Fit: '../domain/candidates/fit.ts#Fit as FitRow',
  Claim: '../operations/claims.ts#ClaimedConsumer',
  Selection: '../nova/selections.ts#Selection as SelectionRow',
  AuditedAllocation: '../nova/compute-node-audits.ts#AuditedAllocation as AuditedAllocationRow',
  AuditedInstance: '../nova/compute-node-audits.ts#AuditedInstance as AuditedInstanceRow',
  ComputeNode: '../nova/compute-nodes.ts#ComputeNode as ComputeNodeRow',
  ComputeNodeConnection: '../nova/compute-nodes.ts#ComputeNodePage',
  ReportPoolPayload: '../nova/pools.ts#ReportedPool',
  PciDevicePool: '../nova/pci-pools.ts#PciPool',
  InvalidInput: '../operations/parents.ts#InvalidInputProblem',
  IdempotencyKeyReused: '../operations/parents.ts#IdempotencyKeyReusedProblem',
  NotFound: '../operations/parents.ts#NotFoundProblem',
  Duplicate: '../operations/parents.ts#DuplicateProblem',
  StandardName: '../operations/parents.ts#StandardNameProblem',
  ConsumerConflict: '../operations/parents.ts#ConsumerConflictProblem',
  ProviderConflict: '../operations/parents.ts#ProviderConflictProblem',
  ParentLoop: '../operations/parents.ts#ParentLoopProblem',
  HasChildren: '../operations/parents.ts#HasChildrenProblem',
  InUse: '../operations/parents.ts#InUseProblem',
  NoInventory: '../operations/parents.ts#NoInventoryProblem',
  UnitViolation: '../operations/parents.ts#UnitViolationProblem',
  CapacityExceeded: '../operations/parents.ts#CapacityExceededProblem',
  NoCandidates: '../operations/parents.ts#NoCandidatesProblem',
};

const schemaFile = new URL('schema.graphql', import.meta.url);
const generatedFile = new URL('src/graphql/schema.generated.ts', import.meta.url);

const generated = await codegen({
  filename: generatedFile.pathname,
  schema: parse(await readFile(schemaFile, 'utf8')),
  documents: [],
  pluginMap: { typescript: typescriptPlugin, resolvers: resolversPlugin },
  plugins: [{ typescript: {} }, { resolvers: {} }],
  config: {
    contextType: '../operations/scope.ts#RequestScope',
    mappers,
    scalars: {
      ID: 'string',
      UUID: 'string',
      DateTime: { input: 'string', output: 'Date | string' },
      SafeInt: 'number',
    },
    strictScalars: true,
    defaultScalarType: 'unknown',
    enumsAsTypes: true,
    immutableTypes: true,
    useTypeImports: true,
    importExtension: '.ts',
  },
});
const text = `// Generated from schema.graphql by \`npm run generate\`. Do not edit.\n${generated.trimEnd()}\n`;

if (!process.argv.includes('--check')) {
  await writeFile(generatedFile, text);
} else if (text !== (await readFile(generatedFile, 'utf8').catch(() => null))) {
  console.error('src/graphql/schema.generated.ts is not what schema.graphql says. Run `npm run generate`.');
  process.exitCode = 1;
}
