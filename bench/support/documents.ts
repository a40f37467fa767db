// The GraphQL documents that bench/versions.ts sends, in the contract of this version: each version brings its own.

export interface Operation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Claims a VCPU and 256 MiB of a provider for a new consumer. */
export function claimDocument(consumer: string, provider: string): Operation {
  return {
    query: `mutation Claim($consumer: UUID!, $provider: UUID!, $resources: [ResourceAmountInput!]!) {
      replaceAllocations(input: {consumers: {consumer: $consumer, expect: {isNew: true}, project: "p1", user: "u1", consumerType: "INSTANCE",
        hold: {allocations: {resourceProvider: $provider, resources: $resources}}}}) { consumers { uuid generation } userErrors { code message } }
    }`,
    variables: {
      consumer,
      provider,
      resources: [
        { resourceClass: 'VCPU', amount: 1 },
        { resourceClass: 'MEMORY_MB', amount: 256 },
      ],
    },
  };
}

/** A hundred providers with the fields of a table. */
export function pageDocument(): Operation {
  return {
    query: `query Page { resourceProviders(first: 100) { nodes { uuid name generation traits { name } aggregates { uuid }
      inventories { resourceClass { name } total reserved capacity used free } } } }`,
    variables: {},
  };
}

/** Ten candidates with all fields that a scheduler reads. */
export function searchDocument(): Operation {
  return {
    query: `query Find($input: CandidatesInput!) { allocationCandidates(input: $input) { truncated candidates { claimToken root { uuid name }
      allocations { amount resourceClass { name } resourceProvider { uuid generation } } } } }`,
    variables: {
      input: {
        groups: [
          {
            resources: [
              { resourceClass: 'VCPU', amount: 1 },
              { resourceClass: 'MEMORY_MB', amount: 256 },
            ],
          },
        ],
        limit: 10,
      },
    },
  };
}
