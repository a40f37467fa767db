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
    bodyMembers: [10_000, 'members', 'Members of a list or object in a body of more than 64 KiB.'],
    bodyText: [256 * 1024, 'characters', 'A string in a body of more than 64 KiB, including the GraphQL document.'],
    anonymousRequestSize: [
      16 * 1024,
      'bytes',
      'The body, and the URL, of a GraphQL request without a valid token. A larger one, or a body of unknown length, is refused with UNAUTHENTICATED before it is read.',
    ],
    headersSize: [64 * 1024, 'bytes', 'The headers of a request, with its method and URL; beyond that, the answer is 431.'],
    contentTypeLength: [256, 'characters', 'The header Content-Type.'],
    connections: [8000, 'connections', 'Open connections of clients to a gateway; further ones are closed at once.'],
    connectionsOfAddress: [
      1000,
      'connections',
      'Open connections of one client address, or one IPv6 /64, unless PLACEMENT_ADDRESS_CONNECTIONS says otherwise; local addresses have no such limit.',
    ],
    headerTime: [10_000, 'milliseconds', 'How long a client may take to send the headers of a request.'],
    requestTime: [30_000, 'milliseconds', 'How long a client may take to send a whole request.'],
    answerPause: [10_000, 'milliseconds', 'How long a client may pause while reading an answer; then its connection is closed.'],
    answerReadTime: [60_000, 'milliseconds', 'How long a client may take to read a whole answer; then its connection is closed.'],
    statementTime: [30_000, 'milliseconds', 'How long a statement may run in the database; then the answer is UNAVAILABLE.'],
    lockTime: [1000, 'milliseconds', 'How long a statement waits for a lock.'],
    passTime: [
      60_000,
      'milliseconds',
      'How long the Placement behind this gateway may take to begin its answer; then the outcome of a write is unknown.',
    ],
    passWait: [
      5000,
      'milliseconds',
      'How long a request waits for a connection to the Placement behind this gateway; then the answer is 503.',
    ],
    switchTime: [
      2000,
      'milliseconds',
      'How long writes wait while the bridge to another Placement is switched; then the switch is given up.',
    ],
    switchWait: [3000, 'milliseconds', 'How long a write waits for the end of a switch of the bridge at most.'],
    changesCounted: [100_000, 'changes', 'Changes that are not carried over the bridge yet and are counted; more are not.'],
    readsKept: [1000, 'reads', 'Reads that were put to both sides of the bridge and are kept, the last ones.'],
    writeWait: [
      3500,
      'milliseconds',
      'How long a write waits for its turn and for the locks of other writes, over all attempts; then the answer is UNAVAILABLE, and nothing was written.',
    ],
    queuedWrites: [10_000, 'writes', 'Writes of one kind that wait for their turn; beyond that, the answer is UNAVAILABLE at once.'],
    diskReserve: [
      256 * 1024 * 1024,
      'bytes',
      'Free space that a volume of the database must have, if the gateway can see it (PLACEMENT_DATABASE_VOLUMES); below that, writes are UNAVAILABLE.',
    ],
    connectTime: [5000, 'milliseconds', 'How long the gateway waits for a connection to the database.'],
    connectionWaitTime: [
      5000,
      'milliseconds',
      'How long a statement waits while all connections to the database are in use; then the answer is UNAVAILABLE, and nothing was written.',
    ],
    silenceTime: [
      2000,
      'milliseconds',
      'How long a connection to the database may be silent before the gateway checks, over another one, that its statement is still running.',
    ],
    answerTime: [
      35_000,
      'milliseconds',
      'How long the gateway waits for the answer to a statement; then it drops the connection, and a write is OUTCOME_UNKNOWN.',
    ],
    heavyOperations: [2, 'operations', 'Heavy operations of both APIs that a gateway runs at once; light ones never wait for them.'],
    heavyStatements: [
      1,
      'statements',
      'Statements of heavy operations, and of questions about the past or a period, that a gateway runs in the database at once; others never wait for them.',
    ],
    queuedHeavyOperations: [
      100,
      'operations',
      'Heavy operations that wait for their turn, users in turns; beyond that, the answer is UNAVAILABLE at once, to whoever has most of them waiting.',
    ],
    heavyWait: [
      3500,
      'milliseconds',
      'How long a heavy operation waits for its turn; then the answer is UNAVAILABLE, and nothing was done.',
    ],
    bytesUnderWay: [
      128 * 1024 * 1024,
      'bytes',
      'Large request bodies and answers of heavy operations that a gateway holds in memory; beyond that, the answer is UNAVAILABLE.',
    ],
    answerSize: [64 * 1024 * 1024, 'bytes', 'The answer to a heavy query or mutation, before compression.'],
    errorMessageLength: [1000, 'characters', 'The message of an error; the rest is cut off.'],
    problemsReported: [20, 'problems', 'Problems reported for one input; fix these to see the others.'],
    refusalsReported: [100, 'consumers', 'Refused consumers reported for one write; `truncated` says that there are more.'],
    auditedSources: [
      100,
      'sources',
      'Sources of malformed HTTP that get lines of their own in the audit log in a second: one line per source and reason, and one that counts the repetitions; further sources share a line.',
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
      2000,
      'objects',
      'The most objects that a light operation makes. Beyond that, an operation is heavy and may have to wait for others.',
    ],
    lightEstimate: [
      5000,
      'objects',
      'The highest cost of an operation that starts as a light one. Above `lightOperationCost`, because most answers have far fewer objects than they could have.',
    ],
    searchCost: [100, 'objects', 'The cost of a search beside its candidates.'],
    refusedRequestCost: [
      1000,
      'objects',
      'The cost charged for a GraphQL request that is refused before its cost is known: because it is not a valid operation, or because the caller lacks a right.',
    ],
    bytesOfObject: [256, 'bytes', 'The part of a REST answer that costs as much as one GraphQL object.'],
    trustedDocuments: [10_000, 'documents', 'The documents of PLACEMENT_TRUSTED_DOCUMENTS.'],
    variableDepth: [32, 'levels', 'Objects and lists within each other in the variables of a request.'],
    storedDocuments: [
      4 * 1024 * 1024,
      'characters',
      'The documents that a gateway keeps so that clients can ask for them by hash; the least recently used is dropped first.',
    ],
    parsedDocuments: [
      64 * 1024 * 1024,
      'bytes',
      'The documents that a gateway keeps parsed, with what it has computed of their operations; the least recently used is dropped first.',
    ],
    variableListLength: [10_000, 'elements', 'A list in the variables of a request; most lists have smaller limits of their own.'],
    variableValues: [100_000, 'values', 'Numbers, strings and other scalars in the variables of a request, and as many lists and objects.'],
  },
  Lists: {
    pageSize: [1000, 'elements', '`first` or `last` of a list.'],
    defaultPageSize: [50, 'elements', 'The size of a page if neither `first` nor `last` is given.'],
    cursorLength: [20_000, 'characters', 'A cursor; cursors made by the gateway are shorter.'],
    orderKeys: [5, 'keys', '`orderBy` of a list.'],
    orderWeights: [5, 'classes', '`weights` of a key of `orderBy`.'],
    orderWeight: [1_000_000, 'times', 'The largest weight of a unit of a class in `weights`; the smallest is one divided by this.'],
    nodeIds: [1000, 'ids', '`ids` of `nodes`.'],
    representations: [1000, 'representations', 'Objects that a federation router asks for at once.'],
    nodeIdLength: [1000, 'characters', 'A global id.'],
    filterKeys: [1000, 'keys', 'A list of keys or names in a filter or in a clause of one.'],
    filterClauses: [100, 'clauses', 'A list of clauses in a filter, such as `fits`.'],
    filterGroups: [50, 'filters', 'A filter, together with those in its `and`, `or` and `not`, at any depth.'],
    filterDepth: [4, 'levels', 'Nesting of `and`, `or` and `not`.'],
    eventFilterKeys: [100, 'keys', 'A list of keys in a filter of events.'],
    historyEvents: [
      100_000,
      'events',
      'Events since a moment in the past that is queried; beyond that, ask about a later moment or about less.',
    ],
    historyCost: [500, 'objects', 'The cost of a question about the past, which may read many events, beside its answer.'],
    usageSamples: [1000, 'samples', 'Moments of one usage history.'],
    eventsLookedAt: [5000, 'events', 'Events that one page of `eventFeed` with a filter examines; the next page continues there.'],
    classesAsked: [100, 'classes', '`resourceClasses` of a field that returns a row for each.'],
    mapClasses: [20, 'classes', '`resourceClasses` of `cloudMap` and `cloudMapChanges`.'],
    mapCost: [6000, 'objects', 'The cost of `cloudMap`, whatever the number of hosts; so it is always a heavy operation.'],
    searchMatches: [100, 'matches', 'Matches of each kind of one `search`.'],
    defaultSearchMatches: [20, 'matches', 'Matches of each kind, if a `search` does not say.'],
    descendants: [10_000, 'providers', 'Descendants that all providers of one operation can return without pages.'],
  },
  Subscriptions: {
    streams: [200, 'connections', 'WebSockets and server-sent event streams of authenticated callers on one gateway.'],
    streamsOfUser: [
      100,
      'connections',
      'WebSockets and server-sent event streams of one user, whatever projects its tokens are for: others have room beside it.',
    ],
    streamsOfCaller: [20, 'connections', 'WebSockets and server-sent event streams of one user of one project.'],
    socketSubscriptions: [8, 'subscriptions', 'Subscriptions of one WebSocket.'],
    subscriptionIdLength: [255, 'characters', 'The id of a subscription of a WebSocket.'],
    socketMessageSize: [64 * 1024, 'bytes', 'A message from a client over a WebSocket.'],
    unknownSockets: [
      200,
      'connections',
      'WebSockets of a gateway that have not yet sent a valid token, which take no room from others; beyond that, the oldest of the address with the most is closed.',
    ],
    socketInitTime: [1000, 'milliseconds', 'How long a client may take to send `connection_init`; then its WebSocket is closed.'],
    streamPause: [
      500,
      'milliseconds',
      'The least time between two messages of a subscription; changes in between are combined in one message.',
    ],
    streamSilence: [30_000, 'milliseconds', 'After this time without a message, a subscription sends one even if nothing has changed.'],
    streamPing: [
      15_000,
      'milliseconds',
      'The time between two pings; tokens and rules are checked again with each. A WebSocket that does not answer two pings is closed.',
    ],
    streamStall: [30_000, 'milliseconds', 'How long a client may leave a message unread; then its connection is closed.'],
    streamDoubt: [
      60_000,
      'milliseconds',
      'How long streams continue while Keystone cannot say whether their tokens are still valid; then they end with UNAVAILABLE.',
    ],
    streamOutage: [15_000, 'milliseconds', 'How long the database may be unavailable before subscriptions end with UNAVAILABLE.'],
    streamEvents: [1000, 'events', 'Events of one message.'],
    streamMessageCost: [
      20_000,
      'objects',
      'The approximate number of objects in a message of a subscription; more are split over several messages, except within a single event.',
    ],
    lightMessageCost: [
      500,
      'objects',
      'A message of a subscription with more objects waits for its turn among heavy operations. Lower than `lightOperationCost`: a stream is in less of a hurry.',
    ],
    streamMessageSize: [
      1024 * 1024,
      'bytes',
      'A message of a subscription. Larger ones are split; if a single event is larger, the subscription ends with COST_LIMIT_EXCEEDED.',
    ],
    mapResetPause: [
      10_000,
      'milliseconds',
      'The least time between two messages of `cloudMapChanges` that ask the client to read the map again.',
    ],
  },
  'Names and amounts': {
    nameLength: [200, 'characters', 'The name of a resource provider, of an aggregate, or of a host in Nova.'],
    vocabularyLength: [255, 'characters', 'The name of a trait, a resource class, a consumer type, a project or a user.'],
    amount: [2 ** 31 - 1, 'units of the class', 'A total, an amount or a unit of an inventory.'],
    allocationRatio: [3.40282e38, 'times', 'The allocation ratio of an inventory.'],
  },
  Writes: {
    idempotencyKeyLength: [255, 'characters', 'An idempotency key.'],
    idempotencyKeyLife: [24, 'hours', 'The least time that an idempotency key is kept; after that, the same call writes again.'],
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
    candidates: [1000, 'candidates', '`limit` of a search; fewer if the request has many amounts, see candidateAmounts.'],
    defaultCandidates: [10, 'candidates', 'Candidates of a search without a `limit`.'],
    candidateAmounts: [8000, 'amounts', 'Amounts of all candidates of one answer; the rest is cut off, and `truncated` says so.'],
    searchGroups: [128, 'groups', 'Groups of a request, and entries of `sameSubtree`.'],
    searchNames: [1000, 'names', 'A list of names or keys in a request.'],
    searchNamesInAll: [5000, 'names', 'Classes, traits and aggregates named in one request in all.'],
    equalRoots: [5000, 'roots', 'Roots with different free amounts that `tolerance` treats as equal.'],
    groupSuffixLength: [64, 'characters', 'The suffix of a group.'],
    searchSteps: [2_000_000, 'steps', 'The work of a search or an explanation, well below 50 ms; then it ends, and `truncated` says so.'],
    fitSteps: [5_000_000, 'steps', 'The work of `fit`; then its counts are lower bounds, and it says so.'],
    projectFit: [
      1,
      'requests',
      'The highest count of `fit` for readers of a project: whether there is room for one. `truncated` then says that there may be room for more.',
    ],
    nearestMisses: [5, 'misses', 'Nearest misses of an explanation.'],
    missReservations: [10, 'reservations', 'Reservations of a nearest miss.'],
    claimConsumers: [1000, 'consumers', 'Consumers of one claim.'],
    claimInstances: [
      100,
      'consumers',
      'Instances for which destinations are selected in one call, and the migrations that take over their allocations.',
    ],
    claimAlternates: [20, 'candidates', 'Alternates of each consumer of a claim, and alternates that `claimAlternate` tries.'],
    claimAlternatesInAll: [2000, 'candidates', 'Alternates of all consumers of a claim.'],
    claimAggregates: [1000, 'aggregates', '`alternatesIn` of a claim.'],
    claimRounds: [10, 'rounds', 'How often a claim searches again after its candidate was lost to another write.'],
    claimTokenLength: [100_000, 'characters', 'A claim token.'],
    claimTokenAmounts: [1000, 'amounts', 'Amounts that a claim token takes from one provider.'],
  },
  Plans: {
    planHosts: [1000, 'hosts', 'Hosts of one plan: the hosts to drain, or the hosts among which it moves consumers.'],
    planConsumers: [10_000, 'consumers', 'Consumers on the hosts of one plan; beyond that, plan for fewer hosts at a time.'],
    planMoves: [1000, 'moves', '`maxMoves` of a plan.'],
    defaultPlanMoves: [100, 'moves', 'Moves of a plan without `maxMoves`.'],
    planGroups: [1000, 'groups', '`serverGroups` of a plan, with at most `planConsumers` members in all.'],
    planRequests: [1000, 'requests', '`requests` of a plan, each with at most `planConsumers` consumers.'],
    planExplanations: [20, 'explanations', 'Explanations in a plan, one for each different request without a destination.'],
    planCost: [10_000, 'objects', 'The cost of a plan beside its answer; so it is always a heavy operation.'],
    addedHosts: [10_000, 'hosts', 'Hosts that `whatIf` adds in all.'],
    hostChanges: [1000, 'changes', 'Entries of each list of changes of `whatIf`.'],
  },
  Nova: {
    namedHosts: [1000, 'hosts', 'Each list of hosts that a search for destinations names.'],
    groupMembers: [1000, 'instances', 'Members of a server group.'],
    auditInstances: [1000, 'instances', 'Instances that an audit names as really on the host (`instances`), and its `moves`.'],
    auditRemoved: [1000, 'consumers', 'Consumers that one audit removes; run it again to remove more.'],
    auditConsumers: [9000, 'consumers', 'Consumers on a compute node that can be audited.'],
    adoptedConsumers: [10_000, 'consumers', 'Consumers whose disks one write moves to pools that begin to serve their hosts.'],
    reportElements: [1000, 'elements', 'NUMA cells or virtual GPUs of one report; consumers of one GPU; NUMA cells of a guest.'],
    importedRecords: [1000, 'records', 'Records of compute nodes of one import.'],
    manifestObjects: [100, 'objects', 'Object versions that a receiver declares.'],
    cpuInfoLength: [65_536, 'characters', '`cpuInfo` of a report.'],
    pciDevices: [10_000, 'devices', 'PCI devices of one report.'],
    pciTags: [100, 'tags', 'Tags of one PCI device.'],
    pciTagLength: [200, 'characters', 'The key or the value of a tag.'],
    pciIdLength: [16, 'characters', 'The vendor or product id of a PCI device.'],
    flavorProperties: [1000, 'properties', 'Extra specs of a flavor, or properties of an image.'],
    flavorPropertyLength: [65_535, 'characters', 'The value of an extra spec or property.'],
    pciRequests: [100, 'requests', 'Requests for PCI devices in one query about a node, and kinds of devices in each.'],
    pciCards: [1000, 'providers', 'Allocated cards named by one request for PCI devices.'],
    pciAliases: [1000, 'aliases', 'PCI aliases that a flavor can name.'],
    expiryTime: [10 * 365 * 86_400, 'seconds', 'The time after which a consumer expires.'],
    reservationAmounts: [1000, 'amounts', 'Amounts of one reservation, by provider and class.'],
    projectQuotas: [100, 'quotas', 'Quotas of one project, or defaults for all.'],
    keystoneLimits: [
      20_000,
      'limits',
      'Limits of Keystone that quotas follow, and projects if it enforces two levels; with more, quotas stay as they are.',
    ],
    deviceProfiles: [1000, 'profiles', 'Device profiles of the settings of Nova.'],
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
