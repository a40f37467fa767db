// The settings of what the APIs answer, and how.
import { setting } from './setting.ts';
import { oneOf, onOrOff, wholeNumber } from './values.ts';

export const apiSettings = {
  executor: setting({
    variable: 'PLACEMENT_EXECUTOR',
    argument: 'name',
    form: oneOf(['jit', 'graphql-js']),
    fallback: 'jit',
    meaning: 'jit compiles frequent operations, graphql-js never does',
  }),
  federation: setting({
    variable: 'PLACEMENT_FEDERATION',
    argument: 'on|off',
    form: onOrOff,
    fallback: 'off',
    meaning: 'whether /graphql is also a subgraph of Apollo Federation 2',
  }),
  randomizeCandidates: setting({
    variable: 'PLACEMENT_RANDOMIZE_CANDIDATES',
    argument: 'on|off',
    form: onOrOff,
    fallback: 'off',
    meaning: 'whether the REST API answers candidates in random order',
  }),
  restQuotas: setting({
    variable: 'PLACEMENT_REST_QUOTAS',
    argument: 'on|off',
    form: onOrOff,
    fallback: 'off',
    meaning: 'whether claims by the REST API obey the quotas of projects',
  }),
  /** Whatever limit the request has. */
  maxCandidates: setting({
    variable: 'PLACEMENT_MAX_CANDIDATES',
    argument: 'number',
    form: wholeNumber(1, 999_999_999),
    absent: null,
    fallback: 'no limit',
    meaning: 'most candidates in an answer of the REST API',
  }),
};
