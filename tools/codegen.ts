// Writes schema.graphql (the contract in one file) and the modules that follow from it and from the table of pages: the types that resolvers are checked
// against, the documents of the dashboard, and its addresses. The modules are not in version control: tools/generate-types.mjs makes them. With --types
// schema.graphql is left alone. With --check nothing is written, and the exit code is 1 if schema.graphql is not up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { codegen } from '@graphql-codegen/core';
import * as typescriptPlugin from '@graphql-codegen/typescript';
import * as resolversPlugin from '@graphql-codegen/typescript-resolvers';
import { Kind, parse } from 'graphql';
import { assembleContract } from './contract.ts';
import { addressModule } from './page-addresses.ts';
import { pageDocuments } from './page-documents.ts';

/** The parent types of resolvers where they differ from the GraphQL type: `Type: '../#Name'`. */
const mappers: Record<string, string> = {
  ResourceProvider: '../domain/provider.ts#Provider',
  SharedPool: '../domain/provider.ts#SharedPool as SharedPoolRow',
  Inventory: '../domain/provider.ts#Inventory as InventoryRow',
  ResourceTotal: '../domain/provider.ts#ResourceTotal as ResourceTotalRow',
  Totals: '../domain/provider.ts#Capacity as CapacityRow',
  ResourceClass: '../domain/provider.ts#ResourceClass as ResourceClassRow',
  Trait: '../domain/provider.ts#Trait as TraitRow',
  Aggregate: '../domain/provider.ts#Aggregate as AggregateRow',
  Consumer: '../domain/allocation.ts#Consumer as ConsumerRow',
  Allocation: '../domain/allocation.ts#Allocation as AllocationRow',
  Project: '../operations/request/parents.ts#ProjectParent',
  User: '../operations/request/parents.ts#UserParent',
  QuotaSettings: '../domain/quota.ts#QuotaSettings as QuotaSettingsRow',
  Quota: '../domain/quota.ts#Quota as QuotaRow',
  QuotaUse: '../domain/quota.ts#QuotaUse as QuotaUseRow',
  Reservation: '../domain/reservation.ts#Reservation as ReservationRow',
  ReservedAmount: '../domain/reservation.ts#ReservedAmount as ReservedAmountRow',
  ReservationConnection: '../operations/request/parents.ts#ReservationPage',
  Usage: '../domain/allocation.ts#Usage as UsageRow',
  UsageReportRow: '../domain/usage-report.ts#HeldOverTime',
  Event: '../domain/event.ts#LedgerEvent',
  PastState: '../operations/ledger/history.ts#PastState as PastStateRow',
  PastResourceProvider: '../operations/ledger/history.ts#PastProvider',
  PastInventory: '../operations/ledger/history.ts#PastInventory as PastInventoryRow',
  ClaimPeriod: '../operations/ledger/history.ts#ClaimPeriod as ClaimPeriodRow',
  PastConsumer: '../operations/ledger/history.ts#PastConsumer as PastConsumerRow',
  PastConsumerConnection: '../operations/ledger/history.ts#PastConsumerPage',
  PastAllocation: '../domain/event-changes.ts#HeldAllocation',
  UsageSample: '../domain/history.ts#UsageSample as UsageSampleRow',
  PastUsage: '../domain/history.ts#UsageAt',
  EventChange: '../domain/event-changes.ts#EventChange as EventChangeRow',
  ResourceProviderChange: '../domain/event-changes.ts#ResourceProviderChange as ResourceProviderChangeRow',
  ConsumerChange: '../domain/event-changes.ts#ConsumerChange as ConsumerChangeRow',
  AllocationChange: '../domain/event-changes.ts#AllocationChange as AllocationChangeRow',
  AggregateChange: '../domain/event-changes.ts#AggregateChange as AggregateChangeRow',
  DeviceChange: '../domain/event-changes.ts#DeviceChange as DeviceChangeRow',
  ResourceProviderConnection: '../operations/request/parents.ts#ProviderPage',
  InventoryConnection: '../operations/request/parents.ts#InventoryPage',
  TraitConnection: '../operations/request/parents.ts#TraitPage',
  AggregateConnection: '../operations/request/parents.ts#AggregatePage',
  ConsumerConnection: '../operations/request/parents.ts#ConsumerPage',
  AllocationConnection: '../operations/request/parents.ts#AllocationPage',
  ProjectConnection: '../operations/request/parents.ts#ProjectPage',
  UsageConnection: '../operations/request/parents.ts#UsagePage',
  EventConnection: '../operations/request/parents.ts#EventPage',
  EventChangeConnection: '../operations/request/parents.ts#EventChangePage',
  UuidConnection: '../operations/request/parents.ts#UuidPage',
  Service: '../domain/service.ts#Service as ServiceRow',
  ServiceConnection: '../operations/request/parents.ts#ServicePage',
  Warning: './problem-types.ts#WarningShown',
  AllocationCandidates: '../operations/candidates/candidates.ts#FoundCandidates',
  AllocationCandidate: '../operations/candidates/candidates.ts#FoundCandidate',
  CandidateAllocation: '../operations/candidates/candidates.ts#FoundAllocation',
  GroupMapping: '../operations/candidates/candidates.ts#FoundMapping',
  Explanation: '../domain/explanation.ts#Explanation as ExplanationRow',
  ExplanationStep: '../domain/explanation.ts#ExplanationStep as ExplanationStepRow',
  NearestMiss: '../domain/explanation.ts#NearestMiss as NearestMissRow',
  FlavorRequest: '../nova/requests/translations.ts#TranslatedRequest',
  NovaSettings: '../nova/settings/nova-settings.ts#StoredNovaSettings',
  PciRequests: '../nova/flavors/pci-requests.ts#PciFacts',
  PciAlias: '../nova/flavors/pci-requests.ts#PciAlias as PciAliasRow',
  DeviceProfile: '../nova/settings/nova-settings.ts#DeviceProfile as DeviceProfileRow',
  DeviceProfileGroup: '../nova/flavors/device-profiles.ts#DeviceProfileGroup as DeviceProfileGroupRow',
  PrefilterSettings: '../nova/flavors/prefilters.ts#Prefilters',
  HostAggregate: '../nova/flavors/prefilters.ts#HostAggregate as HostAggregateRow',
  Fit: '../domain/candidates/fit.ts#Fit as FitRow',
  RootFitConnection: '../operations/request/parents.ts#RootFitPage',
  AggregateFitConnection: '../operations/request/parents.ts#AggregateFitPage',
  ResourceClassConnection: '../operations/request/parents.ts#ResourceClassPage',
  Claim: '../operations/candidates/claim-writes.ts#ClaimedConsumer',
  Selection: '../nova/instances/selections.ts#Selection as SelectionRow',
  AuditedAllocation: '../nova/audits/compute-node-audits.ts#AuditedAllocation as AuditedAllocationRow',
  AuditedInstance: '../nova/audits/compute-node-audits.ts#AuditedInstance as AuditedInstanceRow',
  AuditedMove: '../nova/audits/audited-moves.ts#AuditedMove as AuditedMoveRow',
  PlannedMove: '../nova/plans/moves.ts#PlannedMove as PlannedMoveRow',
  StuckConsumer: '../nova/plans/drain-plan.ts#StuckConsumer as StuckConsumerRow',
  WhatIf: '../nova/plans/what-if.ts#WhatIf as WhatIfRow',
  CloudMap: '../operations/forest/cloud-map.ts#CloudMap as CloudMapRow',
  CloudMapClass: '../operations/forest/cloud-map.ts#CloudMapClass as CloudMapClassRow',
  CloudMapChange: '../operations/live/map-message.ts#CloudMapChange as CloudMapChangeRow',
  EventBatch: '../operations/live/event-batch.ts#EventBatch as EventBatchRow',
  ComputeNode: '../nova/compute-nodes/compute-nodes.ts#ComputeNode as ComputeNodeRow',
  ComputeNodeConnection: '../nova/compute-nodes/compute-nodes.ts#ComputeNodePage',
  Bridge: '../bridge/switching.ts#BridgeStatus',
  PciDevicePool: '../nova/pci/stored-pools.ts#StoredPool',
};

const contract = assembleContract();
// Each member of UserError is the problem with its code.
const schema = parse(contract);
for (const definition of schema.definitions) {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
  const isProblem = definition.interfaces?.some(({ name }) => name.value === 'UserError');
  if (isProblem) mappers[definition.name.value] = './problem-types.ts#ProblemShown<{T}>';
}
const generated = await codegen({
  filename: 'schema.generated.ts',
  schema,
  documents: [],
  pluginMap: { typescript: typescriptPlugin, resolvers: resolversPlugin },
  plugins: [{ typescript: {} }, { resolvers: {} }],
  config: {
    contextType: '../operations/scope/scope.ts#RequestScope',
    mappers,
    scalars: {
      ID: 'string',
      UUID: 'string',
      DateTime: { input: 'string', output: 'Date | string' },
      SafeInt: 'number',
      True: 'true',
      IntColumn: 'readonly (number | null)[]',
      TextColumn: 'readonly (string | null)[]',
      IntListColumn: 'readonly (readonly number[])[]',
    },
    strictScalars: true,
    defaultScalarType: 'unknown',
    enumsAsTypes: true,
    immutableTypes: true,
    useTypeImports: true,
    importExtension: '.ts',
    // It counts only those of types that fields have, not the members of interfaces.
    showUnusedMappers: false,
  },
});
const fileOf = (name: string) => new URL(`../${name}`, import.meta.url);
const modules = {
  'src/graphql/schema.generated.ts': `// Generated from schema.graphql. Do not edit.\n${generated.trimEnd()}\n`,
  ...(await pageDocuments(schema)),
  'src/web/dashboard-pages.generated.ts': addressModule(await readFile(fileOf('src/ui/dashboard/shell/pages.ts'), 'utf8')),
};

if (process.argv.includes('--check')) {
  if (contract !== (await readFile(fileOf('schema.graphql'), 'utf8').catch(() => null))) {
    console.error('schema.graphql is not what src/graphql/schema says. Run `npm run generate`.');
    process.exitCode = 1;
  }
} else {
  if (!process.argv.includes('--types')) await writeFile(fileOf('schema.graphql'), contract);
  for (const [name, text] of Object.entries(modules)) await writeFile(fileOf(name), text);
}
