// Reports of compute nodes as tests vary them: the fields of the node beside what the report says of it.
import type { ComputeNodeFields, ComputeNodeReportInput } from '../../src/nova/compute-nodes/compute-node-report.ts';

export type FlatReport = ComputeNodeFields & Omit<ComputeNodeReportInput, 'computeNode'>;

/** The report as it is sent. */
export function reportOf({ uuid, serviceHost, hypervisorHostname, hypervisorType, ...rest }: FlatReport): ComputeNodeReportInput {
  const { hypervisorVersion, hostIp, cpuInfo, vcpus, memoryMb, localGb, ratios, ...report } = rest;
  const name = { uuid, serviceHost, hypervisorHostname, hypervisorType, hypervisorVersion };
  return { computeNode: { fields: { ...name, hostIp, cpuInfo, vcpus, memoryMb, localGb, ratios } }, ...report };
}
