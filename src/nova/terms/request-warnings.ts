// Warnings about a request derived from a flavor or a RequestSpec.

/** The reason of a warning. The contract describes each code. */
export type RequestWarningCode =
  | 'EXTRA_SPEC_LEFT_OUT'
  | 'EXTRA_SPEC_UNKNOWN'
  | 'EXTRA_SPEC_NOT_CHECKED'
  | 'IMAGE_PROPERTY_LEFT_OUT'
  | 'POLICY_WITHOUT_EFFECT'
  | 'GROUP_WITHOUT_RESOURCES'
  | 'GROUP_POLICY_ASSUMED'
  | 'REQUEST_SPEC_NOT_CHECKED'
  | 'DEDICATED_CPUS_NOT_CHECKED'
  | 'OWNERS_NOT_CHECKED'
  | 'HOSTS_WITHOUT_OWNER'
  | 'CELL_UNKNOWN';

export interface RequestWarning {
  readonly code: RequestWarningCode;
  readonly message: string;
  /** The key of an extra spec or image property, the suffix of a group, or the field of a RequestSpec; null for the whole request. */
  readonly subject: string | null;
}

/** The subjects that concern NUMA cells of hosts. */
const ofCells = /^(hw:(numa_(nodes|cpus|mem)(\.\d+)?|mem_page_size)|network_metadata)$/;

/** The warnings that are left if the NUMA cells of hosts are checked. */
export function withoutCells(warnings: readonly RequestWarning[]): RequestWarning[] {
  return warnings.filter(({ subject }) => !ofCells.test(subject ?? ''));
}
