// Reports of compute nodes for tests, written flat: the fields of the node next to those of the report.
import type { ComputeNodeFields, ComputeNodeReportInput } from '../../src/nova/compute-nodes/compute-node-report.ts';

export type FlatReport = ComputeNodeFields & Omit<ComputeNodeReportInput, 'computeNodeRecord'>;

/** The report as sent. */
export function reportOf({ uuid, serviceHost, hypervisorHostname, hypervisorType, ...rest }: FlatReport): ComputeNodeReportInput {
  const { hypervisorVersion, hostIp, cpuInfo, vcpus, memoryMb, localGb, ratios, ...report } = rest;
  const name = { uuid, serviceHost, hypervisorHostname, hypervisorType, hypervisorVersion };
  return { computeNodeRecord: { fields: { ...name, hostIp, cpuInfo, vcpus, memoryMb, localGb, ratios } }, ...report };
}
