// The columns of providers, spelled once for all SQL: that of reads, of exports, and of the write functions.
import { getTableColumns } from 'drizzle-orm';
import { givenFields, type Provider } from '../../domain/provider.ts';
import { resourceProviders } from './schema.ts';

/** By field of a Provider. */
export const columns = getTableColumns(resourceProviders);

/** The fields of a Provider, each with a column of its own. A column that Provider lacks is an error here, a field without a column below. */
export const providerFields: readonly (keyof Provider)[] = Object.keys(columns) as (keyof typeof columns)[];

/** All but ids of rows: what an export has. */
export const exportedFields = providerFields.filter((field) => field !== 'id' && field !== 'parentId' && field !== 'rootId');

const isOfType = (field: keyof Provider, type: string) => columns[field].getSQLType() === type;

/** The columns of a Provider in handwritten SQL, from a table of this name. 64-bit integers would arrive as text. */
export const providerColumns = (from: string, fields = providerFields): string =>
  fields.map((field) => `${from}.${columns[field].name}${isOfType(field, 'bigint') ? '::float8' : ''} as "${field}"`).join(', ');

/** The same columns as elements of a JSON array, in the order of `providerFields`. */
export const providerValues = (from: string): string =>
  providerFields.map((field) => `${from}.${columns[field].name}${isOfType(field, 'timestamp with time zone') ? '::text' : ''}`).join(', ');

/** Gateways of an older release do not send such a column, so creating a provider would insert null instead of the default. */
const needless = givenFields.find((field) => columns[field].notNull && columns[field].hasDefault);
if (needless) throw new Error(`resource_providers.${needless} has a default, so callers cannot give it: let it be null instead`);

const nameOf = (field: keyof Provider) => columns[field].name;
const inRequest = (field: keyof Provider, request: string) => `(${request} ->> '${field}')::${columns[field].getSQLType()}`;
/** After an update: null is a value only where a column may be null, and missing fields are unchanged. */
const updated = (field: keyof Provider, request: string, row: string) =>
  columns[field].notNull
    ? `coalesce(${inRequest(field, request)}, ${row}.${nameOf(field)})`
    : `case when ${request} ? '${field}' then ${inRequest(field, request)} else ${row}.${nameOf(field)} end`;
const assigned = (fields: readonly (keyof Provider)[], request: string, row: string) =>
  fields.map((field) => `${nameOf(field)} = ${updated(field, request, row)}`).join(', ');

/** The lists of columns that SQL functions name, as `<<givenColumns>>`. */
export const providersInSql = {
  providerRow: providerFields.map((field) => `'${field}', p.${nameOf(field)}`).join(', '),
  givenColumns: givenFields.map(nameOf).join(', '),
  givenValues: givenFields.map((field) => inRequest(field, 'request')).join(', '),
  givenDiffer: givenFields
    .map((field) => `${updated(field, 'request', 'provider')} is distinct from provider.${nameOf(field)}`)
    .join(' or '),
  setGiven: assigned(givenFields, 'request', 'provider'),
  setExported: assigned(exportedFields, 'd', 'p'),
};
