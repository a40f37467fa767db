// Every limit that a caller can run into, declared once with its value, unit and meaning. docs/limits.md is generated from here, and
// `serviceInfo { limits }` returns the same. Enforces nothing: the code that enforces a limit reads its value from here.

/** A limit as callers read it. */
export interface Limit {
  readonly name: LimitName;
  readonly section: string;
  readonly value: number;
  readonly unit: string;
  /** One sentence. */
  readonly meaning: string;
}

type Row = readonly [value: number, unit: string, meaning: string];

const sections = {
  Requests: {
    requestSize: [4 * 1024 * 1024, 'bytes', 'The body of a request.'],
    bodyMembers: [10_000, 'members', 'A list or object in a body of more than 64 KiB.'],
    bodyText: [256 * 1024, 'characters', 'A text in a body of more than 64 KiB, the GraphQL document included.'],
    anonymousRequestSize: [
      16 * 1024,
      'bytes',
      'The body of a request to GraphQL without a valid token; for a larger one, or one of unknown length, the answer is UNAUTHENTICATED before it is read.',
    ],
    headersSize: [64 * 1024, 'bytes', 'The headers of a request, with its method and URL; beyond, the answer is 431.'],
    contentTypeLength: [256, 'characters', 'The header Content-Type.'],
    connections: [8000, 'connections', 'Open connections of clients to a gateway; further ones are closed at once.'],
    connectionsOfAddress: [
      1000,
      'connections',
      'The same of one address, or one /64 of IPv6, unless PLACEMENT_ADDRESS_CONNECTIONS says otherwise; addresses of this machine have no such limit.',
    ],
    headerTime: [10_000, 'milliseconds', 'How long a client may take to send the headers of a request.'],
    requestTime: [30_000, 'milliseconds', 'How long a client may take to send a whole request.'],
    answerPause: [
      10_000,
      'milliseconds',
      'How long a client may leave an answer unread without taking any of it; then its connection is closed.',
    ],
    answerReadTime: [60_000, 'milliseconds', 'How long a client may take to read a whole answer; then its connection is closed.'],
    statementTime: [30_000, 'milliseconds', 'How long a statement may run in the database; then the answer is UNAVAILABLE.'],
    lockTime: [1000, 'milliseconds', 'How long a statement waits for a lock.'],
    writeWait: [
      3500,
      'milliseconds',
      'How long a write waits for its turn and for the locks of other writes until its last attempt; then the answer is UNAVAILABLE, and nothing was written.',
    ],
    queuedWrites: [10_000, 'writes', 'Writes of one kind that wait for their turn; beyond, the answer is UNAVAILABLE at once.'],
    connectTime: [5000, 'milliseconds', 'How long the gateway waits for a connection to the database.'],
    connectionWaitTime: [
      5000,
      'milliseconds',
      'How long a statement waits while all connections to the database are in use; then the answer is UNAVAILABLE, and nothing was written.',
    ],
    silenceTime: [
      2000,
      'milliseconds',
      'How long a connection to the database is silent until the gateway makes sure, over another one, that its statement is still being worked on.',
    ],
    answerTime: [
      35_000,
      'milliseconds',
      'How long the gateway waits for the answer to a statement; then it gives up the connection, and a write is OUTCOME_UNKNOWN.',
    ],
    heavyOperations: [
      2,
      'operations',
      'Heavy operations that a gateway works on at once, of both APIs together; light ones never wait for them.',
    ],
    heavyStatements: [
      1,
      'statements',
      'Reads of heavy operations that a gateway has in the database at once; those of light ones never wait for them.',
    ],
    queuedHeavyOperations: [100, 'operations', 'Heavy operations that wait for their turn; beyond, the answer is UNAVAILABLE at once.'],
    heavyWait: [
      3500,
      'milliseconds',
      'How long a heavy operation waits for its turn; then the answer is UNAVAILABLE, and nothing was done.',
    ],
    bytesUnderWay: [
      128 * 1024 * 1024,
      'bytes',
      'Large bodies and answers of heavy operations that a gateway has in memory; beyond, the answer is UNAVAILABLE.',
    ],
    answerSize: [64 * 1024 * 1024, 'bytes', 'The answer to a heavy query, before compression.'],
    errorMessageLength: [1000, 'characters', 'The message of an error; the rest is cut off.'],
    problemsReported: [20, 'problems', 'Problems of one input that are reported; fix these to see the others.'],
    refusalsReported: [100, 'consumers', 'Refused consumers of one write that are reported; `truncated` says that there are more.'],
    auditedSources: [
      100,
      'sources',
      'Lines of the audit log in a second for what was no HTTP, one for each source and reason, and one with how often it came again; other sources share a line.',
    ],
  },
  Operations: {
    operationTokens: [2000, 'tokens', 'The text of a GraphQL document: names, punctuation, literals.'],
    operationSelections: [10_000, 'selections', 'Fields of an operation with its fragments spread out.'],
    operationDepth: [14, 'levels', 'Objects within objects.'],
    operationAliases: [50, 'aliases', 'Aliases of an operation.'],
    operationRootFields: [20, 'fields', 'Fields of Query or Mutation in one operation.'],
    operationDirectives: [50, 'directives', 'Directives of an operation.'],
    operationCost: [200_000, 'objects', 'The cost of an operation: about how many objects its answer has.'],
    lightOperationCost: [
      5000,
      'objects',
      'The cost up to which an operation is light; beyond, it is heavy and may have to wait for others.',
    ],
    searchCost: [100, 'objects', 'What a search costs beside its candidates.'],
    refusedRequestCost: [
      1000,
      'objects',
      'What a GraphQL request costs its caller that is refused before its cost is known: as text that is no valid operation, or for want of a right.',
    ],
    bytesOfObject: [256, 'bytes', 'What of an answer of REST costs its caller as much as an object of GraphQL.'],
    trustedDocuments: [10_000, 'documents', 'The documents of PLACEMENT_TRUSTED_DOCUMENTS.'],
    variableDepth: [32, 'levels', 'Objects and lists within each other in the variables of a request.'],
    storedDocuments: [
      4 * 1024 * 1024,
      'characters',
      'The documents that a gateway keeps to be asked for by their hash; the one unused for longest goes first.',
    ],
    variableListLength: [10_000, 'elements', 'A list in the variables of a request; most lists have smaller limits of their own.'],
    variableValues: [100_000, 'values', 'Numbers, texts and the like in the variables of a request; as many lists and objects.'],
  },
  Lists: {
    pageSize: [1000, 'elements', '`first` or `last` of a list.'],
    defaultPageSize: [50, 'elements', 'A page when neither `first` nor `last` is given.'],
    cursorLength: [20_000, 'characters', 'A cursor; those of the gateway are shorter.'],
    orderKeys: [5, 'keys', '`orderBy` of a list.'],
    orderWeights: [5, 'classes', '`weights` of a key of `orderBy`.'],
    orderWeight: [1_000_000, 'times', 'What a unit of a class counts in `weights`; the smallest is one divided by this.'],
    nodeIds: [1000, 'ids', '`ids` of `nodes`.'],
    representations: [1000, 'representations', 'Objects that a router of a federation asks for at once.'],
    nodeIdLength: [1000, 'characters', 'A global id.'],
    filterKeys: [1000, 'keys', 'A list of keys or names in a filter or in a clause of one.'],
    filterClauses: [100, 'clauses', 'A list of clauses in a filter, such as what must fit.'],
    filterGroups: [50, 'filters', 'A filter with those in its `and`, `or` and `not`, at any depth.'],
    filterDepth: [4, 'levels', '`and`, `or` and `not` within each other.'],
    eventFilterKeys: [100, 'keys', 'A list of keys in a filter of events.'],
    historyEvents: [100_000, 'events', 'Events since a moment that is asked about; beyond, ask about a later moment or about less.'],
    usageSamples: [1000, 'samples', 'Moments of one usage history.'],
    eventsLookedAt: [5000, 'events', 'Events that a page of `eventFeed` with a filter looks at; the next page goes on from there.'],
    classesAsked: [100, 'classes', '`resourceClasses` of a field that answers a row for each.'],
    mapClasses: [20, 'classes', '`resourceClasses` of `cloudMap` and `cloudMapChanges`.'],
    mapCost: [6000, 'objects', 'What `cloudMap` costs, however many hosts there are; so it is always a heavy operation.'],
    searchMatches: [100, 'matches', 'Matches of each kind of one `search`.'],
    defaultSearchMatches: [20, 'matches', 'Of each kind, when a `search` does not say.'],
    descendants: [10_000, 'providers', 'The descendants that all providers of one operation can answer without pages.'],
  },
  Subscriptions: {
    streams: [200, 'connections', 'WebSockets and streams of server-sent events of a gateway whose callers are known.'],
    streamsOfCaller: [20, 'connections', 'The same of one user of one project.'],
    socketSubscriptions: [8, 'subscriptions', 'Subscriptions of one WebSocket.'],
    socketMessageSize: [64 * 1024, 'bytes', 'A message of a client over a WebSocket.'],
    unknownSockets: [
      200,
      'connections',
      'WebSockets of a gateway that have not sent a valid token yet, which take no room from others; beyond, the oldest of the address with the most is closed.',
    ],
    socketInitTime: [1000, 'milliseconds', 'How long a client may take to send `connection_init`; then its WebSocket is closed.'],
    streamPause: [500, 'milliseconds', 'Between two messages of a subscription; what happens meanwhile is told in one.'],
    streamSilence: [30_000, 'milliseconds', 'After which a subscription sends a message even if there is nothing to tell.'],
    streamPing: [
      15_000,
      'milliseconds',
      'Between two pings, after which tokens and rules are looked at again. A WebSocket that does not answer two is closed.',
    ],
    streamStall: [30_000, 'milliseconds', 'How long a client may leave a message unread; then its connection is closed.'],
    streamDoubt: [
      60_000,
      'milliseconds',
      'How long streams go on while Keystone cannot say whether their tokens are still good; then they end with UNAVAILABLE.',
    ],
    streamOutage: [15_000, 'milliseconds', 'How long the database may be away until subscriptions end with UNAVAILABLE.'],
    streamEvents: [1000, 'events', 'Events of one message.'],
    streamMessageCost: [
      20_000,
      'objects',
      'About how many objects a message of a subscription has at most; what has more comes in several messages, unless it is a single event.',
    ],
    streamMessageSize: [
      1024 * 1024,
      'bytes',
      'A message of a subscription. What is larger comes in several; a subscription of which a single event is larger ends with COST_LIMIT_EXCEEDED.',
    ],
    mapResetPause: [10_000, 'milliseconds', 'Between two messages of `cloudMapChanges` that ask for the map to be read anew.'],
  },
  'Names and amounts': {
    nameLength: [200, 'characters', 'The name of a resource provider or an aggregate, and what Nova calls a host.'],
    vocabularyLength: [255, 'characters', 'The name of a trait, a resource class, a consumer type, a project or a user.'],
    amount: [2 ** 31 - 1, 'units of the class', 'A total, an amount or a unit of an inventory.'],
    allocationRatio: [3.40282e38, 'times', 'The allocation ratio of an inventory.'],
  },
  Writes: {
    idempotencyKeyLength: [255, 'characters', 'An idempotency key.'],
    idempotencyKeyLife: [24, 'hours', 'How long an idempotency key is kept at least; the same call later writes again.'],
    writeConsumers: [1000, 'consumers', 'Consumers of one write of allocations, which is all or nothing.'],
    writeAmounts: [50_000, 'amounts', 'Amounts of one write of allocations, over all its consumers.'],
    providerAmounts: [1000, 'amounts', 'Amounts that one consumer takes from one provider in one write.'],
    providerInventories: [1000, 'inventories', 'Inventories of one provider in one write.'],
    patchedProviders: [10_000, 'providers', 'Providers that `patchInventories` or `patchTraits` changes at once.'],
    providerTraits: [1000, 'traits', 'Traits of one provider.'],
    providerAggregates: [1000, 'aggregates', 'Aggregates of one provider in one write.'],
    treeProviders: [1000, 'providers', 'Providers of one tree or reshape.'],
    treeConsumers: [10_000, 'consumers', 'Consumers whose allocations move in one write of a tree or reshape.'],
  },
  Searches: {
    candidates: [1000, 'candidates', '`limit` of a search; less when the request takes much, see candidateAmounts.'],
    defaultCandidates: [10, 'candidates', 'A search without a `limit`.'],
    candidateAmounts: [8000, 'amounts', 'Amounts of all candidates of one answer; the rest is cut off, and `truncated` says so.'],
    searchGroups: [128, 'groups', 'Groups of a request, and entries of `sameSubtree`.'],
    searchNames: [1000, 'names', 'A list of names or keys in a request.'],
    searchNamesInAll: [5000, 'names', 'Classes, traits and aggregates that one request names in all.'],
    equalRoots: [5000, 'roots', 'Roots with different amounts that `tolerance` makes equal.'],
    groupSuffixLength: [64, 'characters', 'The suffix of a group.'],
    searchSteps: [2_000_000, 'steps', 'The work of a search or an explanation, well below 50 ms; then it ends, and `truncated` says so.'],
    fitSteps: [5_000_000, 'steps', 'The work of `fit`; then its counts are lower bounds, and it says so.'],
    projectFit: [
      1,
      'requests',
      'What `fit` counts for readers of a project: whether there is room for one. Then `truncated` says that there may be room for more.',
    ],
    nearestMisses: [5, 'misses', 'What would help most, in an explanation.'],
    claimConsumers: [1000, 'consumers', 'Consumers of one claim.'],
    claimInstances: [100, 'consumers', 'Instances for which destinations are selected in one call, with the migrations that take over.'],
    claimAlternates: [20, 'candidates', 'Alternates of each consumer of a claim, and those that `claimAlternate` tries.'],
    claimAlternatesInAll: [2000, 'candidates', 'Alternates of all consumers of a claim.'],
    claimAggregates: [1000, 'aggregates', '`alternatesIn` of a claim.'],
    claimRounds: [10, 'rounds', 'How often a claim searches again after its candidate was lost to another write.'],
    claimTokenLength: [100_000, 'characters', 'A claim token.'],
    claimTokenAmounts: [1000, 'amounts', 'What a claim token takes from one provider.'],
  },
  Plans: {
    planHosts: [1000, 'hosts', 'Hosts of one plan: those that are drained, or among which it moves consumers.'],
    planConsumers: [10_000, 'consumers', 'Consumers on the hosts of one plan; beyond, take fewer hosts at a time.'],
    planMoves: [1000, 'moves', '`maxMoves` of a plan.'],
    defaultPlanMoves: [100, 'moves', 'A plan without `maxMoves`.'],
    planGroups: [1000, 'groups', '`serverGroups` of a plan; their members together are at most `planConsumers`.'],
    planRequests: [1000, 'requests', '`requests` of a plan; `consumers` of each are at most `planConsumers`.'],
    planExplanations: [20, 'explanations', 'Different requests without a destination that a plan explains.'],
    planCost: [10_000, 'objects', 'What a plan costs beside its answer; so it is always a heavy operation.'],
    addedHosts: [10_000, 'hosts', 'Hosts that `whatIf` adds in all.'],
    hostChanges: [1000, 'changes', 'Entries of each list of changes of `whatIf`.'],
  },
  Nova: {
    namedHosts: [1000, 'hosts', 'Each list of hosts that a search for destinations names.'],
    groupMembers: [1000, 'instances', 'Members of a server group.'],
    auditInstances: [1000, 'instances', '`instances` of an audit, what the host really has, and its `moves`.'],
    auditRemoved: [1000, 'consumers', 'Consumers that one audit removes; run it again for more.'],
    auditConsumers: [9000, 'consumers', 'Consumers on one compute node that can be audited.'],
    adoptedHosts: [1000, 'hosts', 'Hosts of one adoption of shared storage.'],
    adoptedConsumers: [
      10_000,
      'consumers',
      'Consumers on the hosts of one adoption of shared storage; those whose disks one write moves to the pools that begin to serve their hosts.',
    ],
    reportElements: [1000, 'elements', 'NUMA cells or virtual GPUs of one report; NUMA cells of a guest.'],
    importedRecords: [1000, 'records', 'Records of compute nodes of one import.'],
    manifestObjects: [100, 'objects', 'Versions of objects that a receiver says it understands.'],
    cpuInfoLength: [65_536, 'characters', '`cpuInfo` of a report.'],
    pciDevices: [10_000, 'devices', 'PCI devices of one report.'],
    pciTags: [100, 'tags', 'Tags of one PCI device.'],
    pciTagLength: [200, 'characters', 'The key or the value of a tag.'],
    pciIdLength: [16, 'characters', 'The vendor or product id of a PCI device.'],
    flavorProperties: [1000, 'properties', 'Extra specs of a flavor, or properties of an image.'],
    flavorPropertyLength: [65_535, 'characters', 'The value of an extra spec or property.'],
    pciRequests: [100, 'requests', 'Requests for PCI devices that a node is asked for at once, and the kinds of devices in each.'],
    pciCards: [1000, 'providers', 'Allocated cards that one of these requests names.'],
    pciAliases: [1000, 'aliases', 'PCI aliases that a flavor can name.'],
    hostAggregates: [10_000, 'aggregates', 'Host aggregates of the pre-filters of a request.'],
    maskedProcessors: [4096, 'processors', 'Processors of a mask.'],
  },
} as const satisfies Record<string, Record<string, Row>>;

type Sections = typeof sections;
type NamesOf<Section> = Section extends unknown ? keyof Section & string : never;
export type LimitName = NamesOf<Sections[keyof Sections]>;

/** All limits in the order in which they are published. */
export const limitList: readonly Limit[] = Object.entries(sections).flatMap(([section, rows]) =>
  Object.entries<Row>(rows).map(([name, [value, unit, meaning]]) => ({ name: name as LimitName, section, value, unit, meaning })),
);

/** The value of each limit. */
export const limits = Object.fromEntries(limitList.map(({ name, value }) => [name, value])) as Readonly<Record<LimitName, number>>;
