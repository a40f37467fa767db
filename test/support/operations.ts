// Operations as the three kinds of users would write them. Only documents: data and expectations are in the tests.

export const operations = {
  overview: `query Overview {
    totals {
      own { resourceClass { name unit } capacity used freeUsable utilization }
      shared { resourceClass { name } capacity used }
    }
    fullest: resourceProviders(
      first: 10
      filter: { isRoot: true, resourceClasses: "VCPU" }
      orderBy: { field: UTILIZATION, resourceClass: "VCPU", direction: DESC }
    ) { nodes { uuid name inventory(resourceClass: "VCPU") { used capacity utilization } } }
    sick: resourceProviders(first: 20, filter: { overCapacity: true }) {
      totalCount
      nodes { name root { name } inventories { resourceClass { name } used capacity overCapacity } }
    }
    usages(groupBy: PROJECT, first: 10, orderBy: { field: AMOUNT, resourceClass: "VCPU", direction: DESC }) {
      nodes { project { externalId } consumerCount vcpu: amount(resourceClass: "VCPU") memory: amount(resourceClass: "MEMORY_MB") }
    }
  }`,
  hypervisors: `query Hypervisors($after: String) {
    resourceProviders(first: 1000, after: $after, filter: { isRoot: true, traits: { allOf: "COMPUTE_NODE" } }) {
      totalCount pageInfo { hasNextPage endCursor }
      nodes {
        uuid name generation traitNames aggregates { uuid name }
        vcpu: inventory(resourceClass: "VCPU") { ...Bar }
        memory: inventory(resourceClass: "MEMORY_MB") { ...Bar }
        disk: inventory(resourceClass: "DISK_GB") { ...Bar }
        sharedPools(resourceClasses: "DISK_GB") { resourceProvider { name } inventory { ...Bar } usedHere }
        treeInventories { resourceClass { name } capacity used }
      }
    }
  }
  fragment Bar on Inventory { total reserved capacity used free utilization }`,
  providerPage: `query ProviderPage($uuid: UUID!, $after: String) {
    resourceProvider(uuid: $uuid) {
      name generation ancestors { uuid name } parent { uuid }
      descendants { uuid name depth parent { uuid } inventories { resourceClass { name } used capacity } traitNames }
      inventories { resourceClass { name unit } total reserved allocationRatio minUnit maxUnit stepSize capacity used free overCapacity }
      heldHere(first: 50, after: $after) {
        totalCount pageInfo { hasNextPage endCursor }
        nodes { resourceClass { name } amount consumer { uuid consumerType project { externalId } } }
      }
      events(first: 20) { nodes { at kind requestedBy { externalId } changes { nodes { action } } } }
    }
  }`,
  projectPage: `query ProjectPage($id: String!, $after: String) {
    project(externalId: $id) {
      usages(groupBy: [CONSUMER_TYPE]) { nodes { consumerType consumerCount resources { resourceClass { name } amount } } }
      consumers(first: 100, after: $after) {
        totalCount pageInfo { hasNextPage endCursor }
        nodes { uuid consumerType createdAt roots { name } allocations { resourceProvider { name } resourceClass { name } amount } }
      }
    }
  }`,
  find: `query Find($input: CandidatesInput!) {
    allocationCandidates(input: $input) {
      truncated
      candidates {
        claimToken
        root { uuid name aggregates { uuid } }
        mappings { suffix resourceProviders { uuid } }
        allocations { amount resourceClass { name } resourceProvider { uuid name generation inventory(resourceClass: "VCPU") { capacity used } } }
      }
    }
  }`,
  findAndClaim: `mutation ClaimServer($consumer: UUID!) {
    claim(input: {
      consumers: { consumer: $consumer, expect: { isNew: true }, project: "p1", user: "u1", consumerType: "INSTANCE" }
      request: {
        groups: [
          { resources: [{ resourceClass: "DISK_GB", amount: 20 }], traits: [{ noneOf: "COMPUTE_STATUS_DISABLED" }] }
          {
            suffix: "_cpu"
            resources: [{ resourceClass: "VCPU", amount: 4 }, { resourceClass: "MEMORY_MB", amount: 8192 }]
            traits: [{ allOf: ["HW_NUMA_ROOT"] }, { anyOf: ["CUSTOM_FAST", "HW_NUMA_ROOT"] }]
          }
          { suffix: "_pf", resources: { resourceClass: "SRIOV_NET_VF", amount: 1 } }
        ]
        sameSubtree: { suffixes: ["_cpu", "_pf"] }
        limit: 3
        orderBy: { field: FREE, resourceClass: "VCPU", direction: DESC }
      }
      alternates: 2
    }) {
      claims {
        consumer { uuid generation }
        candidate { root { uuid name } mappings { suffix resourceProviders { uuid } } }
        alternateCandidates { root { name } claimToken }
      }
      userErrors { __typename code message path retry ... on NoCandidates { explanation { summary nearestMisses { message } } } }
    }
  }`,
  claimAlternate: `mutation ClaimAlternate($consumer: UUID!, $token: String!) {
    replaceAllocations(input: {
      consumers: { consumer: $consumer, expect: { isNew: true }, hold: { claimToken: $token }, project: "p1", user: "u1", consumerType: "INSTANCE" }
    }) {
      consumers { uuid generation allocations { resourceProvider { uuid generation } resourceClass { name } amount } }
      userErrors { code message path retry ... on CapacityExceeded { resourceProvider { name } resourceClassName requested available } }
    }
  }`,
  why: `query Why($input: CandidatesInput!) {
    allocationCandidates(input: $input) {
      candidates { root { name } }
      explanation {
        summary
        steps { suffix filter rootsBefore rootsAfter }
        nearestMisses { message rootCount sample { name } lacks { resourceClass { name } amount } lacksTraitNames }
      }
    }
  }`,
  claim: `mutation Claim($consumer: UUID!, $provider: UUID!) {
    replaceAllocations(input: { consumers: {
      consumer: $consumer, expect: { isNew: true }, project: "p1", user: "u1", consumerType: "INSTANCE"
      hold: { allocations: { resourceProvider: $provider, resources: [{ resourceClass: "VCPU", amount: 2 }, { resourceClass: "MEMORY_MB", amount: 512 }] } }
    } }) {
      consumers { uuid generation allocations { resourceProvider { uuid generation } resourceClass { name } amount } }
      userErrors {
        code message path retry
        ... on ConsumerConflict { expected actual }
        ... on CapacityExceeded { resourceProvider { name } resourceClassName requested available }
        ... on UnitViolation { minUnit maxUnit stepSize }
      }
    }
  }`,
  startMigration: `mutation StartMigration($instance: UUID!, $migration: UUID!, $generation: SafeInt!, $target: UUID!) {
    replaceAllocations(input: { consumers: [
      { consumer: $migration, expect: { isNew: true }, hold: { takeFrom: $instance }, project: "p1", user: "u1", consumerType: "MIGRATION" }
      {
        consumer: $instance, expect: { generation: $generation }
        hold: { allocations: { resourceProvider: $target, resources: [{ resourceClass: "VCPU", amount: 2 }, { resourceClass: "MEMORY_MB", amount: 512 }] } }
      }
    ] }) {
      consumers { uuid generation }
      resourceProviders { uuid generation }
      userErrors { code message path retry ... on ConsumerConflict { consumerUuid expected actual } }
    }
  }`,
  gpusInRack: `query GpusInRack($rack: UUID!) {
    resourceClass(name: "VGPU") { cloudTotal { capacity used freeUsable } }
    aggregate(uuid: $rack) {
      totals(resourceClasses: "VGPU") { own { providerCount capacity used freeUsable } }
      resourceProviders(first: 100) {
        nodes {
          name
          descendants {
            name inventory(resourceClass: "VGPU") { free used }
            heldHere(first: 20, filter: { resourceClasses: "VGPU" }) { nodes { amount consumer { uuid project { externalId } } } }
          }
        }
      }
    }
  }`,
  orphans: `query Orphans($before: DateTime!) {
    consumers(first: 100, filter: { onSeveralRoots: true, updatedBefore: $before }) {
      totalCount
      nodes {
        uuid consumerType updatedAt project { externalId } roots { name }
        allocations { resourceProvider { name root { name } } resourceClass { name } amount }
        events(first: 3) { nodes { at kind requestId requestedBy { externalId } } }
      }
    }
  }`,
  previewTree: `mutation Preview($root: UUID!, $name: String!, $generation: SafeInt!) {
    applyProviderTree(input: { root: $root, dryRun: true, resourceProviders: [
      { name: $name, expect: { generation: $generation }, traits: ["COMPUTE_NODE"] }
      { name: "a new gpu", parentName: $name, inventories: { resourceClass: "VGPU", total: 4 } }
    ] }) {
      applied changes { action ... on ResourceProviderChange { name { after } traitNamesRemoved inventories { resourceClassName before { total } after { total } } } } warnings { code message } userErrors { code message path }
    }
  }`,
} as const;
