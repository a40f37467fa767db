// The first tabs of the explorer, one or two for each kind of user. Plain data without imports, so that anything may print them.
// A tab is named after its operation. No variables: GraphiQL does not show those of its first tab.
// Lines of at most 59 characters fit a window of ordinary width.

export interface ExampleQuery {
  /** The kind of user. */
  readonly user: 'dashboard' | 'scheduler' | 'operator';
  /** A comment with the purpose, then one named operation and its fragments. */
  readonly query: string;
}

const hypervisors = `\
# Dashboard: every host with its use, traits and racks,
# local and shared disk told apart, in one query.
query Hypervisors {
  resourceProviders(
    first: 1000
    filter: {
      isRoot: true
      traits: { allOf: "COMPUTE_NODE" }
    }
  ) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes {
      uuid
      name
      generation
      aggregates { uuid name }
      vcpu: treeInventory(resourceClass: "VCPU") { ...Bar }
      ram: treeInventory(resourceClass: "MEMORY_MB") { ...Bar }
      disk: treeInventory(resourceClass: "DISK_GB") { ...Bar }
      sharedPools(resourceClasses: "DISK_GB") {
        resourceProvider { name }
        inventory { capacity used free utilization }
        usedHere
      }
      treeInventories {
        resourceClass { name }
        capacity
        used
      }
      traitNames
    }
  }
}

fragment Bar on ResourceTotal {
  total reserved capacity used free utilization
}`;

const claim = `\
# Scheduler: claim resources for a new server, all or
# nothing, never over capacity. The provider is a host of
# the demo. Run it twice: the second run is refused and
# says why.
mutation ClaimServer {
  replaceAllocations(input: {
    consumers: {
      consumer: "7f9d4f0a-4b0e-4f43-9d0c-2b1f5f3f6a01"
      expect: { isNew: true }
      project: "web-shop"
      user: "web-shop-deployer"
      consumerType: "INSTANCE"
      hold: {
        allocations: {
          resourceProvider: "8ae37ae6-4ffa-89ff-a6d4-96285b6bd37a"
          resources: [
            { resourceClass: "VCPU", amount: 4 }
            { resourceClass: "MEMORY_MB", amount: 8192 }
            { resourceClass: "DISK_GB", amount: 20 }
          ]
        }
      }
    }
  }) {
    consumers {
      uuid
      generation
      allocations {
        resourceProvider { name generation }
        resourceClass { name }
        amount
      }
    }
    userErrors {
      code
      message
      path
      retry
      ... on ConsumerConflict { expected actual }
      ... on CapacityExceeded { requested available }
      ... on UnitViolation { minUnit maxUnit stepSize }
    }
  }
}`;

const findAndClaim = `\
# Scheduler: find a host and take it in one call, the one
# with most memory free, and two others to fall back on.
# Nothing is reserved on those: pass a claimToken to
# replaceAllocations to take one.
mutation FindAndClaim {
  claim(input: {
    consumers: {
      consumer: "7f9d4f0a-4b0e-4f43-9d0c-2b1f5f3f6a02"
      expect: { isNew: true }
      project: "web-shop"
      user: "web-shop-deployer"
      consumerType: "INSTANCE"
    }
    request: {
      groups: {
        resources: [
          { resourceClass: "VCPU", amount: 4 }
          { resourceClass: "MEMORY_MB", amount: 8192 }
          { resourceClass: "DISK_GB", amount: 20 }
        ]
        traits: { noneOf: "COMPUTE_STATUS_DISABLED" }
      }
      orderBy: { field: FREE, resourceClass: "MEMORY_MB", direction: DESC }
    }
    alternates: 2
  }) {
    claims {
      consumer { uuid generation }
      candidate {
        root { name }
        allocations {
          amount
          resourceClass { name }
          resourceProvider { name generation }
        }
      }
      alternateCandidates { root { name } claimToken }
    }
    userErrors {
      code
      message
      path
      ... on NoCandidates { explanation { summary } }
    }
  }
}`;

const orphans = `\
# Operator: suspected orphans, which hold resources on
# several hosts and were not touched since a date.
query Orphans {
  consumers(
    first: 100
    filter: {
      onSeveralRoots: true
      updatedBefore: "2030-01-01T00:00:00Z"
    }
  ) {
    totalCount
    nodes {
      uuid
      consumerType
      updatedAt
      project { externalId }
      roots { name }
      allocations {
        resourceProvider { name root { name } }
        resourceClass { name }
        amount
      }
      events(first: 3) {
        nodes {
          at
          kind
          requestId
          requestedBy { externalId }
        }
      }
    }
  }
}`;

const noValidHost = `\
# Operator: why is there no valid host? Every condition
# with the trees that it leaves, and what would help: here
# the GPUs are in hosts whose processors lack a feature.
query NoValidHost {
  allocationCandidates(input: {
    groups: [
      {
        suffix: "_cpu"
        resources: [
          { resourceClass: "VCPU", amount: 4 }
          { resourceClass: "MEMORY_MB", amount: 8192 }
        ]
        traits: { allOf: "HW_CPU_X86_AVX512F" }
      }
      {
        suffix: "_gpu"
        resources: { resourceClass: "VGPU", amount: 1 }
      }
    ]
  }) {
    candidates { root { name } }
    explanation {
      summary
      steps { suffix kind filter rootsBefore rootsAfter }
      nearestMisses {
        message
        rootCount
        sample { name }
        lacks { resourceClass { name } amount }
        lacksTraitNames
      }
    }
  }
}`;

/** In the order of the tabs. */
export const exampleQueries: readonly ExampleQuery[] = [
  { user: 'dashboard', query: hypervisors },
  { user: 'scheduler', query: claim },
  { user: 'scheduler', query: findAndClaim },
  { user: 'operator', query: orphans },
  { user: 'operator', query: noValidHost },
];
