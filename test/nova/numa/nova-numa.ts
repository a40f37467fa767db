// The inputs and expectations of Nova's own tests of NUMA cells (tests/unit/virt/test_hardware.py, tests/unit/scheduler/filters/test_numa_topology_filters.py),
// as data in a notation of ours: the name of the test, then its columns, separated by ~.
//
//   host cell   number: shared/dedicated mem=MiB-used used=shared pinned=.. cores=threads|threads pages=KiB.total.used.reserved|..
//   networks    physical ones and TUNNEL, separated by +: near= of a host cell, and those that a guest needs
//   guest cell  shared/dedicated mem=MiB page=size policy threads=policy
//
// Left out: tests that release what a guest has (8) or refuse to pin what is pinned (1), which only hosts do; hosts or guests without cells (5), where nothing
// is compared; networks where the answer is a mock (1); and PCI devices (10: near ones are in pci-stats.test.ts, and the order of cells is that of the host).

/** Flavor (processors/MiB), its extra specs, the properties of its image; whether the emulator is isolated, and the cells or "refused". */
export const guests = `
test_topology_constraints ~ 8/2048 ~  ~  ~  ~
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=2 ~  ~  ~ 4/0 mem=1024; 4/0 mem=1024
test_topology_constraints ~ 8/2048 ~ hw:mem_page_size=2048 ~  ~  ~ 8/0 mem=2048 page=2048
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=0 ~  ~  ~ refused
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=-1 ~  ~  ~ refused
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=x ~  ~  ~ refused
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=3 ~  ~  ~ refused
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=3 hw:numa_cpus.0=0-3 hw:numa_mem.0=1024 hw:numa_cpus.1=4,6 hw:numa_mem.1=512 hw:numa_cpus.2=5,7 hw:numa_mem.2=512 ~  ~  ~ 4/0 mem=1024; 2/0 mem=512; 2/0 mem=512
test_topology_constraints ~ 8/2048 ~  ~ hw_numa_nodes=3 hw_numa_cpus.0=0-3 hw_numa_mem.0=1024 hw_numa_cpus.1=4,6 hw_numa_mem.1=512 hw_numa_cpus.2=5,7 hw_numa_mem.2=512 ~  ~ 4/0 mem=1024; 2/0 mem=512; 2/0 mem=512
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=1 hw:numa_cpus.0=0-16 hw:numa_mem.0=2048 ~  ~  ~ refused
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=2 hw:numa_cpus.0=0-7 hw:numa_mem.0=1024 hw:numa_cpus.1=0-7 hw:numa_mem.1=1024 ~  ~  ~ refused
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=2 hw:numa_cpus.0=0-2 hw:numa_mem.0=1024 hw:numa_cpus.1=3-4 hw:numa_mem.1=1024 ~  ~  ~ refused
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=2 hw:numa_cpus.0=0-3 hw:numa_mem.0=512 hw:numa_cpus.1=4-7 hw:numa_mem.1=512 ~  ~  ~ refused
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=2 hw:numa_cpus.0=0-3 hw:numa_mem.0=1576 hw:numa_cpus.1=4-7 hw:numa_mem.1=1576 ~  ~  ~ refused
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=2 hw:numa_cpus.0=0-3 hw:numa_mem.1=1576 ~  ~  ~ refused
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=2 hw:numa_mem.0=1576 hw:numa_cpus.1=4-7 ~  ~  ~ refused
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=2 hw:numa_cpus.0=0-3 hw:numa_cpus.1=4-7 hw:numa_mem.0=1576 ~  ~  ~ refused
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=2 hw:numa_cpus.0=0-3 hw:numa_mem.0=1024 hw:numa_mem.1=1024 ~  ~  ~ refused
test_topology_constraints ~ 8/2048 ~ hw:numa_nodes=2 ~ hw_numa_nodes=4 ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:numa_nodes=2 hw:cpu_policy=dedicated ~  ~  ~ 0/2 mem=1024 dedicated; 0/2 mem=1024 dedicated
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=dedicated ~  ~  ~ 0/4 mem=2048 dedicated
test_topology_constraints ~ 4/2048 ~ hw:numa_nodes=2 ~ hw_cpu_policy=dedicated ~  ~ 0/2 mem=1024 dedicated; 0/2 mem=1024 dedicated
test_topology_constraints ~ 4/2048 ~  ~ hw_cpu_policy=dedicated ~  ~ 0/4 mem=2048 dedicated
test_topology_constraints ~ 4/2048 ~ hw:numa_nodes=2 hw:cpu_policy=shared ~ hw_cpu_policy=dedicated ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=shared hw:cpu_realtime=yes hw:cpu_realtime_mask=0-3,^0 ~  ~  ~ refused
test_topology_constraints ~ 8/2048 ~ hw:cpu_policy=mixed hw:cpu_dedicated_mask=3,7 hw:numa_nodes=2 ~  ~  ~ 3/1 mem=1024 mixed; 3/1 mem=1024 mixed
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=mixed hw:cpu_dedicated_mask=1,3 ~  ~  ~ 2/2 mem=2048 mixed
test_topology_constraints ~ 8/4096 ~ hw:cpu_policy=mixed hw:cpu_dedicated_mask=^3-5 hw:numa_nodes=2 ~  ~  ~ 1/3 mem=2048 mixed; 2/2 mem=2048 mixed
test_topology_constraints ~ 8/2048 ~ hw:cpu_policy=mixed hw:cpu_dedicated_mask=1,3 hw:numa_nodes=2 hw:numa_cpus.0=0-1 hw:numa_mem.0=1024 hw:numa_cpus.1=2-7 hw:numa_mem.1=1024 ~  ~  ~ 1/1 mem=1024 mixed; 5/1 mem=1024 mixed
test_topology_constraints ~ 8/2048 ~ hw:cpu_policy=mixed hw:cpu_dedicated_mask=7 hw:numa_nodes=2 hw:numa_cpus.0=0-1 hw:numa_mem.0=1024 hw:numa_cpus.1=2-7 hw:numa_mem.1=1024 ~  ~  ~ 2/0 mem=1024 mixed; 5/1 mem=1024 mixed
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=mixed hw:cpu_dedicated_mask=0-3 ~  ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=mixed hw:cpu_dedicated_mask=0-3,4 ~  ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=shared hw:cpu_dedicated_mask=0 ~  ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=dedicated hw:cpu_dedicated_mask=0 ~  ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=mixed ~  ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:emulator_threads_policy=isolate hw:cpu_policy=mixed hw:cpu_dedicated_mask=3 ~  ~ isolate ~ 3/1 mem=2048 mixed
test_topology_constraints ~ 6/2048 ~ hw:cpu_policy=mixed hw:cpu_realtime=yes hw:cpu_realtime_mask=^0-2 ~  ~  ~ 3/3 mem=2048 mixed
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=mixed hw:cpu_dedicated_mask=3 hw:cpu_realtime=yes hw:cpu_realtime_mask=^0-2 ~  ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:numa_nodes=2 hw:cpu_policy=dedicated hw:cpu_thread_policy=isolate ~ hw_cpu_policy=dedicated hw_cpu_thread_policy=require ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:numa_nodes=1 hw:cpu_policy=dedicated hw:cpu_thread_policy=prefer ~  ~  ~ 0/4 mem=2048 dedicated threads=prefer
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=shared hw:cpu_thread_policy=isolate ~  ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=dedicated hw:cpu_realtime=yes ~  ~  ~ refused
test_topology_constraints ~ 16/2048 ~ hw:emulator_threads_policy=foo ~  ~  ~ refused
test_topology_constraints ~ 16/2048 ~ hw:emulator_threads_policy=isolate ~  ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:emulator_threads_policy=isolate hw:cpu_policy=dedicated ~  ~ isolate ~ 0/4 mem=2048 dedicated
test_topology_constraints ~ 4/2048 ~ hw:emulator_threads_policy=isolate ~ hw_cpu_policy=dedicated ~ isolate ~ 0/4 mem=2048 dedicated
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=foo ~  ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=dedicated hw:cpu_thread_policy=foo ~  ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=shared ~ hw_cpu_policy=dedicated ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:pmem=2GB ~  ~  ~ 4/0 mem=2048
test_topology_constraints ~ 4/2048 ~ resources:PCPU=4 ~  ~  ~ 0/4 mem=2048 dedicated
test_topology_constraints ~ 4/2048 ~ resources:PCPU=4 trait:HW_CPU_HYPERTHREADING=forbidden ~  ~  ~ 0/4 mem=2048 dedicated threads=isolate
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=dedicated resources:PCPU=4 ~  ~  ~ refused
test_topology_constraints ~ 4/2048 ~ resources:PCPU=2 resources:VCPU=2 ~  ~  ~ refused
test_topology_constraints ~ 4/2048 ~ resources:PCPU=5 ~  ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:emulator_threads_policy=isolate resources:PCPU=4 ~  ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:cpu_thread_policy=isolate trait:HW_CPU_HYPERTHREADING=required ~  ~  ~ refused
test_topology_constraints ~ 4/2048 ~ hw:cpu_policy=dedicated hw:cpu_thread_policy=isolate ~ trait:HW_CPU_HYPERTHREADING=required ~  ~ refused
`;

/** A cell of a host, one of a guest, ratios, processors for the emulator; whether it fits. */
export const cellFits = `
test_fit_instance_cell_mempages ~ 4: 0-1/ mem=1024 cores=0|1 pages=4.262144.0.0 ~ 0-1/ mem=1024 page=4 ~  ~ 0 ~ fits
test_fit_instance_cell_mempages ~ 4: 0-1/ mem=1024-1 cores=0|1 pages=4.262144.1.0 ~ 0-1/ mem=1024 page=4 ~  ~ 0 ~
test_fit_instance_cell_no_guest_mempages ~ 4: 1-2/ mem=1024-512 cores=1|2 pages=4.262144.262144.0 ~ 1-2/ mem=1024 ~  ~ 0 ~ fits
test_fit_instance_cell_no_guest_mempages ~ 4: 1-2/ mem=1024-512 cores=1|2 pages=4.262144.262144.0 ~ 1-3/ mem=4096 ~  ~ 0 ~
test_fit_instance_cell_no_guest_mempages ~ 4: 1-2/ mem=1024-512 cores=1|2 pages=4.262144.262144.0 ~ 0-1/ mem=1024 dedicated ~  ~ 0 ~
test_fit_instance_cell_no_host_mempages ~ 4: 1-2/ mem=1024-512 cores=1|2 ~ 1-2/ mem=1024 ~  ~ 0 ~ fits
test_fit_instance_cell_no_host_mempages ~ 4: 1-2/ mem=1024-512 cores=1|2 ~ 1-3/ mem=4096 ~  ~ 0 ~
test_fit_instance_cell_no_host_mempages ~ 4: 1-2/ mem=1024-512 cores=1|2 ~ 0-1/ mem=1024 dedicated ~  ~ 0 ~
test_fit_instance_cell_with_limit ~ 4: 1-2/ mem=1024-1024 used=2 cores=1|2 pages=4.524288.0.0 ~ 1-2/ mem=1024 ~ 2/2 ~ 0 ~ fits
test_fit_instance_cell_with_limit ~ 4: 1-2/ mem=1024-1024 used=2 cores=1|2 pages=4.524288.0.0 ~ 1-2/ mem=4096 ~ 2/2 ~ 0 ~
test_fit_instance_cell_with_limit ~ 4: 1-2/ mem=1024-1024 used=2 cores=1|2 pages=4.524288.0.0 ~ 1-5/ mem=1024 ~ 2/2 ~ 0 ~
test_get_pinning_host_siblings_fit ~ 0: /0-3 mem=4096 cores=0-1|2-3 ~ /0-3 mem=2048 dedicated ~ 2/2 ~ 0 ~ fits
test_get_pinning_host_siblings_fit_single_core ~ 0: /0-7 mem=4096 cores=0-3|4-7 ~ /0-3 mem=2048 dedicated ~ 2/2 ~ 0 ~ fits
test_get_pinning_host_siblings_instance_fit_optimize_threads ~ 0: /0-7 mem=4096 cores=0-3|4-7 ~ /0-5 mem=2048 dedicated ~ 2/2 ~ 0 ~ fits
test_get_pinning_host_siblings_instance_mixed_siblings ~ 0: /0-7 mem=4096 pinned=0-2,5 cores=0-1|2-3|4-5|6-7 ~ /0-3 mem=2048 dedicated ~ 2/2 ~ 0 ~ fits
test_get_pinning_host_siblings_instance_odd_fit ~ 0: /0-7 mem=4096 cores=0-1|2-3|4-5|6-7 ~ /0-4 mem=2048 dedicated ~ 2/2 ~ 0 ~ fits
test_get_pinning_host_siblings_instance_odd_fit_orphan_only ~ 0: /0-7 mem=4096 pinned=0,2,5-6 cores=0-1|2-3|4-5|6-7 ~ /0-3 mem=2048 dedicated ~ 2/2 ~ 0 ~ fits
test_get_pinning_host_siblings_instance_odd_fit_w_usage ~ 0: /0-7 mem=4096 pinned=0,2,5 cores=0-1|2-3|4-5|6-7 ~ /0-2 mem=2048 dedicated ~ 2/2 ~ 0 ~ fits
test_get_pinning_host_siblings_large_instance_odd_fit ~ 0: /0-15 mem=4096 cores=0,8|1,9|2,10|3,11|4,12|5,13|6,14|7,15 ~ /0-4 mem=2048 dedicated ~ 2/2 ~ 0 ~ fits
test_get_pinning_inst_not_avail ~ 0: /0-3 mem=2048 pinned=0 cores=0|1|2|3 pages=4.524288.0.0 ~ /0-3 mem=2048 dedicated ~ 2/2 ~ 0 ~
test_get_pinning_inst_too_large_cpu ~ 0: /0-2 mem=2048 cores=0|1|2 pages=4.524288.0.0 ~ /0-3 mem=2048 dedicated ~ 2/2 ~ 0 ~
test_get_pinning_instance_siblings_fits ~ 0: /0-3 mem=2048 cores=0|1|2|3 pages=4.524288.0.0 ~ /0-3 mem=2048 dedicated ~ 2/2 ~ 0 ~ fits
test_get_pinning_instance_siblings_host_siblings_fits_empty ~ 0: /0-3 mem=2048 cores=0-1|2-3 pages=4.524288.0.0 ~ /0-3 mem=2048 dedicated ~ 2/2 ~ 0 ~ fits
test_get_pinning_instance_siblings_host_siblings_fits_empty_2 ~ 0: /0-7 mem=4096 cores=0-1|2-3|4-5|6-7 pages=4.524288.0.0 ~ /0-7 mem=2048 dedicated ~ 2/2 ~ 0 ~ fits
test_get_pinning_instance_siblings_host_siblings_fits_w_usage ~ 0: /0-7 mem=4096 pinned=1-2,5-6 cores=0-3|4-7 ~ /0-3 mem=2048 dedicated ~ 2/2 ~ 0 ~ fits
test_get_pinning_isolate_policy_bug_1889633 ~ 0: 0-1,4-5/2-3,6-7 mem=4096 cores=0,4|1,5|2,6|3,7 ~ /0-1 mem=2048 dedicated threads=isolate ~ 2/2 ~ 0 ~
test_get_pinning_isolate_policy_fits ~ 0: 0-3/0-3 mem=4096 cores=0|1|2|3 ~ /0-1 mem=2048 dedicated threads=isolate ~ 2/2 ~ 0 ~ fits
test_get_pinning_isolate_policy_fits_ht_host ~ 0: 0-3/0-3 mem=4096 cores=0-1|2-3 ~ /0-1 mem=2048 dedicated threads=isolate ~ 2/2 ~ 0 ~ fits
test_get_pinning_isolate_policy_fits_w_usage ~ 0: 0-7/0-7 mem=4096 pinned=0-1 cores=0,4|1,5|2,6|3,7 ~ /0-1 mem=2048 dedicated threads=isolate ~ 2/2 ~ 0 ~ fits
test_get_pinning_isolate_policy_no_fully_free_cores ~ 0: 0-3/0-3 mem=4096 pinned=1-2 cores=0-1|2-3 ~ /0-1 mem=2048 dedicated threads=isolate ~ 2/2 ~ 0 ~
test_get_pinning_isolate_policy_too_few_fully_free_cores ~ 0: 0-3/0-3 mem=4096 pinned=1 cores=0-1|2-3 ~ /0-1 mem=2048 dedicated threads=isolate ~ 2/2 ~ 0 ~
test_get_pinning_mixed_policy_bug_1898272 ~ 0: /0-3 mem=4096 cores=0,2|1,3 ~ 0/1-3 mem=2048 mixed ~  ~ 0 ~
test_get_pinning_no_sibling_fits_empty ~ 0: /0-2 mem=2048 cores=0|1|2 pages=4.524288.0.0 ~ /0-2 mem=2048 dedicated ~ 2/2 ~ 0 ~ fits
test_get_pinning_no_sibling_fits_w_usage ~ 0: /0-3 mem=2048 pinned=1 cores=0|1|2|3 pages=4.524288.0.0 ~ /0-2 mem=1024 dedicated ~ 2/2 ~ 0 ~ fits
test_get_pinning_require_policy_fits ~ 0: /0-3 mem=4096 cores=0-1|2-3 ~ /0-3 mem=2048 dedicated threads=require ~ 2/2 ~ 0 ~ fits
test_get_pinning_require_policy_fits_w_usage ~ 0: /0-7 mem=4096 pinned=0-1 cores=0,4|1,5|2,6|3,7 ~ /0-3 mem=2048 dedicated threads=require ~ 2/2 ~ 0 ~ fits
test_get_pinning_require_policy_no_siblings ~ 0: /0-7 mem=4096 cores=0|1|2|3|4|5|6|7 ~ /0-3 mem=2048 dedicated threads=require ~ 2/2 ~ 0 ~
test_get_pinning_require_policy_too_few_siblings ~ 0: /0-7 mem=4096 pinned=0-2 cores=0,4|1,5|2,6|3,7 ~ /0-3 mem=2048 dedicated threads=require ~ 2/2 ~ 0 ~
test_no_reserved ~ 0: /0-2 mem=2048 cores=0|1|2 pages=4.524288.0.0 ~ /0-1 mem=2048 dedicated ~ 2/2 ~ 0 ~ fits
test_reserved ~ 0: /0-2 mem=2048 cores=0|1|2 pages=4.524288.0.0 ~ /0-1 mem=2048 dedicated ~ 2/2 ~ 1 ~ fits
test_reserved_exceeded ~ 0: /0-2 mem=2048 cores=0|1|2 pages=4.524288.0.0 ~ /0-1 mem=2048 dedicated ~ 2/2 ~ 2 ~
`;

/** A cell of a host, one of a guest; the page size that it gets. */
export const pageSizes = `
test_cell_accepts_request_custom_pass ~ 0: 0/ mem=1024 cores=0 pages=4.256.0.0|2048.512.0.0 ~ 0/ mem=1024 page=2048 ~ 2048
test_cell_accepts_request_host_mempages ~ 0: 0/ mem=1024 cores=0 pages=4.256.0.0|2048.512.0.0 ~ 0/ mem=1024 page=4096 ~
test_cell_accepts_request_large_pass ~ 0: 0/ mem=1024 cores=0 pages=4.256.0.0|2048.512.0.0 ~ 0/ mem=1024 page=large ~ 2048
test_cell_accepts_request_remainder_memory ~ 0: 0/ mem=1024 cores=0 pages=4.256.0.0|2048.512.0.0 ~ 0/ mem=1025 page=2048 ~
test_cell_accepts_request_wipe ~ 0: 0/ mem=1024 cores=0 pages=4.262144.0.0 ~ 0/ mem=1024 page=small ~ 4
test_cell_accepts_request_wipe ~ 0: 0/ mem=1024 cores=0 pages=4.262144.0.0 ~ 0/ mem=1024 page=any ~ 4
test_cell_accepts_request_wipe ~ 0: 0/ mem=1024 cores=0 pages=4.262144.0.0 ~ 0/ mem=1024 page=large ~
`;

/** Cells of a host, cells of a guest, ratios, whether the emulator is isolated; the cells that it gets, in their order; the networks that it needs. */
export const topologyFits = `
test_get_fitting_cumulative_fails_limits ~ 1: 1-2/ mem=2048-2048 used=2 cores=1|2 pages=4.524288.0.0; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 pages=4.524288.0.0 ~ 1-2/ mem=2048 ~ 2/2 ~  ~ 1
test_get_fitting_cumulative_fails_limits ~ 1: 1-2/ mem=2048-4096 used=4 cores=1|2 pages=4.524288.524288.0; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 pages=4.524288.0.0 ~ 1-4/ mem=1024 ~ 2/2 ~  ~
test_get_fitting_cumulative_success_limits ~ 1: 1-2/ mem=2048-2048 used=2 cores=1|2 pages=4.524288.0.0; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 pages=4.524288.0.0 ~ 1-2/ mem=2048 ~ 2/2 ~  ~ 1
test_get_fitting_cumulative_success_limits ~ 1: 1-2/ mem=2048-4096 used=4 cores=1|2 pages=4.524288.524288.0; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 pages=4.524288.0.0 ~ 1-2/ mem=1024 ~ 2/2 ~  ~ 2
test_get_fitting_fails_no_limits ~ 1: 1-2/ mem=2048-2048 used=2 cores=1|2 pages=4.524288.0.0; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 pages=4.524288.0.0 ~ 1-4/ mem=1024 ~ 2/2 ~  ~
test_get_fitting_success_limits ~ 1: 1-2/ mem=2048-2048 used=2 cores=1|2 pages=4.524288.0.0; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 pages=4.524288.0.0 ~ 1-2/ mem=1024 ~ 2/2 ~  ~ 1
test_get_fitting_success_limits_with_networks ~ 1: 1-2/ mem=2048-2048 used=2 cores=1|2 pages=4.524288.0.0; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 pages=4.524288.0.0 ~ 1-2/ mem=2048 ~ 2/2 ~  ~ 1
test_get_fitting_success_no_limits ~ 1: 1-2/ mem=2048-2048 used=2 cores=1|2 pages=4.524288.0.0; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 pages=4.524288.0.0 ~ 1-2/ mem=2048 ~  ~  ~ 1
test_get_fitting_success_no_limits ~ 1: 1-2/ mem=2048-4096 used=4 cores=1|2 pages=4.524288.524288.0; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 pages=4.524288.0.0 ~ 1-2/ mem=1024 ~  ~  ~ 2
test_host_numa_fit_instance_to_host_barely_fit ~ 0: /0-3 mem=2048 pinned=0 cores=0|1|2|3; 1: /4-7 mem=2048 pinned=4-6 cores=4|5|6|7; 2: /8-11 mem=2048 pinned=10-11 cores=8|9|10|11 ~ /0-1 mem=2048 dedicated; /2-3 mem=2048 dedicated ~  ~  ~ 0,2
test_host_numa_fit_instance_to_host_fail_capacity ~ 0: /0-3 mem=4096 pinned=0 cores=0|1|2|3; 1: /4-7 mem=4096 pinned=4-6 cores=4|5|6|7 ~ /0-1 mem=2048 dedicated; /2-3 mem=2048 dedicated ~  ~  ~
test_host_numa_fit_instance_to_host_fail_topology ~ 0: /0-3 mem=4096 cores=0|1|2|3; 1: /4-7 mem=4096 cores=4|5|6|7 ~ /0-1 mem=1024 dedicated; /2-3 mem=1024 dedicated; /4-5 mem=1024 dedicated ~  ~  ~
test_host_numa_fit_instance_to_host_fit ~ 0: /0-3 mem=2048 cores=0|1|2|3; 1: /4-7 mem=2048 cores=4|5|6|7 ~ /0-1 mem=2048 dedicated; /2-3 mem=2048 dedicated ~  ~  ~ 0,1
test_host_numa_fit_instance_to_host_single_cell ~ 0: /0-1 mem=2048 cores=0|1; 1: /2-3 mem=2048 cores=2|3 ~ /0-1 mem=2048 dedicated ~  ~  ~ 0
test_host_numa_fit_instance_to_host_single_cell_fail ~ 0: /0-1 mem=2048 pinned=0 cores=0|1; 1: /2-3 mem=2048 pinned=2 cores=2|3 ~ /0-1 mem=2048 dedicated ~  ~  ~
test_host_numa_fit_instance_to_host_single_cell_w_usage ~ 0: /0-1 mem=2048 pinned=0 cores=0|1; 1: /2-3 mem=2048 cores=2|3 ~ /0-1 mem=2048 dedicated ~  ~  ~ 1
test_asymmetric_host ~ 0: /1-3 mem=2048 cores=1|2-3 pages=4.524288.0.0 ~ /0-1 mem=2048 dedicated ~  ~ isolate ~ 0
test_asymmetric_host_w_isolate_thread_alloc ~ 0: 1-5/1-5 mem=2048 cores=1|2-3|4-5 pages=4.524288.0.0 ~ /0-1 mem=2048 dedicated threads=isolate ~  ~ isolate ~ 0
test_isolate_w_isolate_thread_alloc ~ 0: 0-5/0-5 mem=2048 cores=0-1|2-3|4-5 pages=4.524288.0.0 ~ /0-1 mem=2048 dedicated threads=isolate ~  ~ isolate ~ 0
test_isolate_w_isolate_thread_alloc_usage ~ 0: 0-5/0-5 mem=2048 pinned=0 cores=0-1|2-3|4-5 pages=4.524288.0.0 ~ /0-1 mem=2048 dedicated threads=isolate ~  ~ isolate ~ 0
test_mixed_instance_isolated ~ 0: 4-7/0-3 mem=4096 used=2 pinned=0 cores=0|1|2|3|4|5|6|7 pages=4.524288.0.0 ~ 0-1/2-3 mem=2048 mixed ~  ~ isolate ~ 0
test_mixed_instance_not_define ~ 0: 4-7/0-3 mem=4096 used=2 pinned=0 cores=0|1|2|3|4|5|6|7 pages=4.524288.0.0 ~ 0-1/2-3 mem=2048 mixed ~  ~  ~ 0
test_mixed_instance_shared ~ 0: 4-7/0-3 mem=4096 used=2 pinned=0 cores=0|1|2|3|4|5|6|7 pages=4.524288.0.0 ~ 0-1/2-3 mem=2048 mixed ~  ~  ~ 0
test_multi_nodes_isolate ~ 0: /0-1 mem=2048 cores=0|1 pages=4.524288.0.0; 1: /2-3 mem=2048 cores=2|3 pages=4.524288.0.0 ~ /0 mem=2048 dedicated; /1 mem=2048 dedicated ~  ~ isolate ~ 0,1
test_multi_nodes_isolate_exceeded ~ 0: /0-1 mem=2048 cores=0|1 pages=4.524288.0.0; 1: /2-3 mem=2048 cores=2|3 pages=4.524288.0.0 ~ /0-1 mem=2048 dedicated; /2 mem=2048 dedicated ~  ~ isolate ~
test_multi_nodes_isolate_full_usage ~ 0: /0-1 mem=2048 cores=0|1 pages=4.524288.0.0; 1: /2-3 mem=2048 cores=2|3 pages=4.524288.0.0 ~ /0 mem=2048 dedicated; /1-2 mem=2048 dedicated ~  ~ isolate ~ 0,1
test_single_node_isolate ~ 0: /0-1 mem=2048 cores=0|1 pages=4.524288.0.0; 1: /2-3 mem=2048 cores=2|3 pages=4.524288.0.0 ~ /0 mem=2048 dedicated ~  ~ isolate ~ 0
test_single_node_isolate_exceeded ~ 0: /0-1 mem=2048 cores=0|1 pages=4.524288.0.0; 1: /2-3 mem=2048 cores=2|3 pages=4.524288.0.0 ~ /0-2,4 mem=2048 dedicated ~  ~ isolate ~
test_single_node_not_defined ~ 0: /0-1 mem=2048 cores=0|1 pages=4.524288.0.0; 1: /2-3 mem=2048 cores=2|3 pages=4.524288.0.0 ~ /0 mem=2048 dedicated ~  ~  ~ 0
test_single_node_shared ~ 0: /0-1 mem=2048 cores=0|1 pages=4.524288.0.0; 1: /2-3 mem=2048 cores=2|3 pages=4.524288.0.0 ~ /0 mem=2048 dedicated ~  ~  ~ 0
test_numa_topology_filter_fail_cpu ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ 1/ mem=512; 3-5/ mem=512 ~ 1/1.5 ~  ~
test_numa_topology_filter_fail_cpu_thread_policy_require ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ /1 mem=512 dedicated threads=require; /3 mem=512 dedicated threads=require ~ 1/1.5 ~  ~
test_numa_topology_filter_fail_cpu_thread_policy_require ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ /1 mem=512 dedicated threads=require; /3 mem=512 dedicated threads=require ~ 1/1.5 ~  ~
test_numa_topology_filter_fail_cpu_thread_policy_require ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ /1 mem=512 dedicated threads=require; /3 mem=512 dedicated threads=require ~ 1/1.5 ~  ~
test_numa_topology_filter_fail_fit ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ 1/ mem=512; 2/ mem=512; 3/ mem=512 ~ 16/1.5 ~  ~
test_numa_topology_filter_fail_memory ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ 1/ mem=1024; 3/ mem=512 ~ 16/1 ~  ~
test_numa_topology_filter_fail_mempages ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ 3/ mem=128 page=8; 1/ mem=128 page=16 ~ 16/1.5 ~  ~
test_numa_topology_filter_pass ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ 1/ mem=512; 3/ mem=512 ~ 16/1.5 ~  ~ any
test_numa_topology_filter_pass_cpu_thread_policy_others ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ /1 mem=512 dedicated threads=prefer; /3 mem=512 dedicated threads=prefer ~ 1/1.5 ~  ~ any
test_numa_topology_filter_pass_cpu_thread_policy_others ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ /1 mem=512 dedicated threads=prefer; /3 mem=512 dedicated threads=prefer ~ 1/1.5 ~  ~ any
test_numa_topology_filter_pass_cpu_thread_policy_others ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ /1 mem=512 dedicated threads=prefer; /3 mem=512 dedicated threads=prefer ~ 1/1.5 ~  ~ any
test_numa_topology_filter_pass_cpu_thread_policy_others ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ /1 mem=512 dedicated threads=isolate; /3 mem=512 dedicated threads=isolate ~ 1/1.5 ~  ~ any
test_numa_topology_filter_pass_cpu_thread_policy_others ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ /1 mem=512 dedicated threads=isolate; /3 mem=512 dedicated threads=isolate ~ 1/1.5 ~  ~ any
test_numa_topology_filter_pass_cpu_thread_policy_others ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ /1 mem=512 dedicated threads=isolate; /3 mem=512 dedicated threads=isolate ~ 1/1.5 ~  ~ any
test_numa_topology_filter_pass_cpu_thread_policy_require ~ 0: /1-2,5-6 mem=512 cores=1,5|2,6; 1: /3-4,7-8 mem=512 cores=3-4|7-8 ~ /1 mem=512 dedicated threads=require; /3 mem=512 dedicated threads=require ~ 1/1.5 ~  ~ any
test_numa_topology_filter_pass_cpu_thread_policy_require ~ 0: /1-2,5-6 mem=512 cores=1,5|2,6; 1: /3-4,7-8 mem=512 cores=3-4|7-8 ~ /1 mem=512 dedicated threads=require; /3 mem=512 dedicated threads=require ~ 1/1.5 ~  ~ any
test_numa_topology_filter_pass_cpu_thread_policy_require ~ 0: /1-2,5-6 mem=512 cores=1,5|2,6; 1: /3-4,7-8 mem=512 cores=3-4|7-8 ~ /1 mem=512 dedicated threads=require; /3 mem=512 dedicated threads=require ~ 1/1.5 ~  ~ any
test_numa_topology_filter_pass_cpu_thread_policy_require ~ 0: / mem=512; 1: /1-2,5-6 mem=512 cores=1,5|2,6; 2: /3-4,7-8 mem=512 cores=3-4|7-8 ~ /1 mem=512 dedicated threads=require; /3 mem=512 dedicated threads=require ~ 1/1.5 ~  ~ any
test_numa_topology_filter_pass_cpu_thread_policy_require ~ 0: / mem=512; 1: /1-2,5-6 mem=512 cores=1,5|2,6; 2: /3-4,7-8 mem=512 cores=3-4|7-8 ~ /1 mem=512 dedicated threads=require; /3 mem=512 dedicated threads=require ~ 1/1.5 ~  ~ any
test_numa_topology_filter_pass_cpu_thread_policy_require ~ 0: / mem=512; 1: /1-2,5-6 mem=512 cores=1,5|2,6; 2: /3-4,7-8 mem=512 cores=3-4|7-8 ~ /1 mem=512 dedicated threads=require; /3 mem=512 dedicated threads=require ~ 1/1.5 ~  ~ any
test_numa_topology_filter_pass_mempages ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ 3/ mem=128 page=4; 1/ mem=128 page=16 ~ 16/1.5 ~  ~ any
test_numa_topology_filter_pass_networks ~ 1: 1-2/ mem=2048-2048 used=2 cores=1|2 near=bar+foo; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 near=TUNNEL ~ 1/ mem=512; 3/ mem=512 ~ 16/1.5 ~  ~ any ~ foo
test_numa_topology_filter_pass_networks ~ 1: 1-2/ mem=2048-2048 used=2 cores=1|2 near=bar+foo; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 near=TUNNEL ~ 1/ mem=512; 3/ mem=512 ~ 16/1.5 ~  ~ any ~ bar+foo+TUNNEL
test_numa_topology_filter_fail_networks ~ 1: 1-2/ mem=2048-2048 used=2 cores=1|2 near=bar+foo; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 near=TUNNEL ~ 1/ mem=512 ~ 16/1.5 ~  ~  ~ foo+TUNNEL
test_numa_topology_filter_pass_set_limit ~ 0: 0-1/2-3 mem=512 cores=0|1|2|3 pages=16.387184.0.0|2048.512.0.0; 1: 4-5/6-7 mem=512 cores=4|5|6|7 pages=4.1548736.0.0|2048.512.0.0 ~ 1/ mem=512; 3/ mem=512 ~ 21/1.3 ~  ~ any
`;

/** Cells of a host, the chosen ones, the networks that the guest needs; whether they are near. */
export const networkFits = `
test_no_required_networks ~ 1: 1-2/ mem=4096 used=2 cores=1|2 near=bar+foo; 2: 3-4/ mem=4096 used=2 cores=3|4 near=TUNNEL ~ 1 ~  ~ near
test_missing_networks ~ 1: 1-2/ mem=4096 used=2 cores=1|2 near=bar+foo; 2: 3-4/ mem=4096 used=2 cores=3|4 near=TUNNEL ~ 1 ~ baz ~ near
test_physnet_networks ~ 1: 1-2/ mem=4096 used=2 cores=1|2 near=bar+foo; 2: 3-4/ mem=4096 used=2 cores=3|4 near=TUNNEL ~ 1 ~ foo ~ near
test_physnet_networks ~ 1: 1-2/ mem=4096 used=2 cores=1|2 near=bar+foo; 2: 3-4/ mem=4096 used=2 cores=3|4 near=TUNNEL ~ 2 ~ foo ~
test_physnet_networks ~ 1: 1-2/ mem=4096 used=2 cores=1|2 near=bar+foo; 2: 3-4/ mem=4096 used=2 cores=3|4 near=TUNNEL ~ 1,2 ~ foo ~ near
test_tunnel_network ~ 1: 1-2/ mem=4096 used=2 cores=1|2 near=bar+foo; 2: 3-4/ mem=4096 used=2 cores=3|4 near=TUNNEL ~ 1 ~ TUNNEL ~
test_tunnel_network ~ 1: 1-2/ mem=4096 used=2 cores=1|2 near=bar+foo; 2: 3-4/ mem=4096 used=2 cores=3|4 near=TUNNEL ~ 2 ~ TUNNEL ~ near
test_tunnel_network ~ 1: 1-2/ mem=4096 used=2 cores=1|2 near=bar+foo; 2: 3-4/ mem=4096 used=2 cores=3|4 near=TUNNEL ~ 1,2 ~ TUNNEL ~ near
test_multiple_networks ~ 1: 1-2/ mem=4096 used=2 cores=1|2 near=bar+foo; 2: 3-4/ mem=4096 used=2 cores=3|4 near=TUNNEL ~ 1 ~ bar+foo+TUNNEL ~
test_multiple_networks ~ 1: 1-2/ mem=4096 used=2 cores=1|2 near=bar+foo; 2: 3-4/ mem=4096 used=2 cores=3|4 near=TUNNEL ~ 2 ~ bar+foo+TUNNEL ~
test_multiple_networks ~ 1: 1-2/ mem=4096 used=2 cores=1|2 near=bar+foo; 2: 3-4/ mem=4096 used=2 cores=3|4 near=TUNNEL ~ 1,2 ~ bar+foo+TUNNEL ~ near
`;

/** Cells of a host, cells of a guest, the processors and cells to which these are pinned; the cells of the host afterwards. */
export const usages = `
test_host_usage_contiguous ~ 0: 0-3/ mem=256 cores=0|1|2|3 pages=4.32768.0.0|2048.64.32.0; 1: 4,6/ mem=256 cores=4|6 pages=4.32768.64.0|2048.64.62.0; 2: 5,7/ mem=2 cores=5|7 pages=4.512.16.0 ~ 0-2/ mem=32; 4/ mem=16 ~ 0= 1= ~ 0: 0-3/ mem=256-32 used=3 cores=0|1|2|3 pages=4.32768.8192.0|2048.64.32.0; 1: 4,6/ mem=256-16 used=1 cores=4|6 pages=4.32768.4160.0|2048.64.62.0; 2: 5,7/ mem=2 cores=5|7 pages=4.512.16.0
test_host_usage_contiguous ~ 0: 0-3/ mem=256-32 used=3 cores=0|1|2|3 pages=4.32768.8192.0|2048.64.32.0; 1: 4,6/ mem=256-16 used=1 cores=4|6 pages=4.32768.4160.0|2048.64.62.0; 2: 5,7/ mem=2 cores=5|7 pages=4.512.16.0 ~ 0-1/ mem=64; 2-3/ mem=32 ~ 0= 1= ~ 0: 0-3/ mem=256-96 used=5 cores=0|1|2|3 pages=4.32768.24576.0|2048.64.32.0; 1: 4,6/ mem=256-48 used=3 cores=4|6 pages=4.32768.12352.0|2048.64.62.0; 2: 5,7/ mem=2 cores=5|7 pages=4.512.16.0
test_host_usage_contiguous ~ 0: 0-3/ mem=256-96 used=5 cores=0|1|2|3 pages=4.32768.24576.0|2048.64.32.0; 1: 4,6/ mem=256-48 used=3 cores=4|6 pages=4.32768.12352.0|2048.64.62.0; 2: 5,7/ mem=2 cores=5|7 pages=4.512.16.0 ~ 0-1/ mem=4 page=2048; 2-3/ mem=4 page=2048 ~ 0= 1= ~ 0: 0-3/ mem=256-100 used=7 cores=0|1|2|3 pages=4.32768.24576.0|2048.64.34.0; 1: 4,6/ mem=256-52 used=5 cores=4|6 pages=4.32768.12352.0|2048.64.64.0; 2: 5,7/ mem=2 cores=5|7 pages=4.512.16.0
test_host_usage_contiguous_pages_compute ~ 0: 0-3/ mem=160 cores=0|1|2|3 pages=4.32768.32.0|2048.16.2.0 ~ 0-2/ mem=64 page=4 ~ 0= ~ 0: 0-3/ mem=160-64 used=3 cores=0|1|2|3 pages=4.32768.16416.0|2048.16.2.0
test_host_usage_contiguous_pages_compute ~ 0: 0-3/ mem=160-64 used=3 cores=0|1|2|3 pages=4.32768.16416.0|2048.16.2.0 ~ 0-1/ mem=32 page=4 ~ 0= ~ 0: 0-3/ mem=160-96 used=5 cores=0|1|2|3 pages=4.32768.24608.0|2048.16.2.0
test_host_usage_contiguous_pages_compute ~ 0: 0-3/ mem=160-96 used=5 cores=0|1|2|3 pages=4.32768.24608.0|2048.16.2.0 ~ 0-1/ mem=16 page=2048 ~ 0= ~ 0: 0-3/ mem=160-112 used=7 cores=0|1|2|3 pages=4.32768.24608.0|2048.16.10.0
test_host_usage_cumulative_with_free ~ 0: 0-3/ mem=1024-512 used=2 cores=0|1|2|3 pages=4.512.0.0; 1: 4,6/ mem=512-512 used=1 cores=4|6 pages=4.512.0.0; 2: 5,7/ mem=256 cores=5|7 pages=4.512.0.0 ~ 0-2/ mem=512; 3/ mem=256; 4/ mem=256 ~ 0= 1= 2= ~ 0: 0-3/ mem=1024-1024 used=5 cores=0|1|2|3 pages=4.512.131072.0; 1: 4,6/ mem=512-768 used=2 cores=4|6 pages=4.512.65536.0; 2: 5,7/ mem=256-256 used=1 cores=5|7 pages=4.512.65536.0
test_host_usage_sparse ~ 0: 0-3/ mem=1024 cores=0|1|2|3 pages=4.512.0.0; 5: 4,6/ mem=512 cores=4|6 pages=4.512.0.0; 6: 5,7/ mem=512 cores=5|7 pages=4.512.0.0 ~ 0-2/ mem=256; 4/ mem=256 ~ 0= 6= ~ 0: 0-3/ mem=1024-256 used=3 cores=0|1|2|3 pages=4.512.65536.0; 5: 4,6/ mem=512 cores=4|6 pages=4.512.0.0; 6: 5,7/ mem=512-256 used=1 cores=5|7 pages=4.512.65536.0
test_host_usage_sparse ~ 0: 0-3/ mem=1024-256 used=3 cores=0|1|2|3 pages=4.512.65536.0; 5: 4,6/ mem=512 cores=4|6 pages=4.512.0.0; 6: 5,7/ mem=512-256 used=1 cores=5|7 pages=4.512.65536.0 ~ 0-1/ mem=256; 5,7/ mem=256 ~ 0= 5= ~ 0: 0-3/ mem=1024-512 used=5 cores=0|1|2|3 pages=4.512.131072.0; 5: 4,6/ mem=512-256 used=2 cores=4|6 pages=4.512.65536.0; 6: 5,7/ mem=512-256 used=1 cores=5|7 pages=4.512.65536.0
test_get_fitting_cumulative_fails_limits ~ 1: 1-2/ mem=2048-2048 used=2 cores=1|2 pages=4.524288.0.0; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 pages=4.524288.0.0 ~ 1-2/ mem=2048 ~ 1= ~ 1: 1-2/ mem=2048-4096 used=4 cores=1|2 pages=4.524288.524288.0; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 pages=4.524288.0.0
test_get_fitting_cumulative_success_limits ~ 1: 1-2/ mem=2048-2048 used=2 cores=1|2 pages=4.524288.0.0; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 pages=4.524288.0.0 ~ 1-2/ mem=2048 ~ 1= ~ 1: 1-2/ mem=2048-4096 used=4 cores=1|2 pages=4.524288.524288.0; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 pages=4.524288.0.0
test_get_fitting_success_no_limits ~ 1: 1-2/ mem=2048-2048 used=2 cores=1|2 pages=4.524288.0.0; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 pages=4.524288.0.0 ~ 1-2/ mem=2048 ~ 1= ~ 1: 1-2/ mem=2048-4096 used=4 cores=1|2 pages=4.524288.524288.0; 2: 3-4/ mem=2048-2048 used=2 cores=3|4 pages=4.524288.0.0
test_cpu_pinning_usage_from_instances ~ 0: /0-3 mem=4096 cores=0|1|2|3 pages=4.524288.0.0 ~ /0-1 mem=2048 dedicated ~ 0=0,3 ~ 0: /0-3 mem=4096-2048 pinned=0,3 cores=0|1|2|3 pages=4.524288.524288.0
test_cpu_pinning_usage_from_instances ~ 0: /0-3 mem=4096-2048 pinned=0,3 cores=0|1|2|3 pages=4.524288.524288.0 ~ /0-1 mem=2048 dedicated ~ 0=1-2 ~ 0: /0-3 mem=4096-4096 pinned=0-3 cores=0|1|2|3 pages=4.524288.1048576.0
test_host_usage_from_instances_fail ~ 0: /0-3 mem=4096 cores=0|1|2|3 pages=4.524288.0.0 ~ /0-1 mem=2048 dedicated ~ 0=0,3 ~ 0: /0-3 mem=4096-2048 pinned=0,3 cores=0|1|2|3 pages=4.524288.524288.0
test_host_usage_from_instances_isolate ~ 0: /0-3 mem=4096 cores=0,2|1,3 pages=4.524288.0.0 ~ /0-1 mem=2048 dedicated threads=isolate ~ 0=0-1 ~ 0: /0-3 mem=4096-2048 pinned=0-3 cores=0,2|1,3 pages=4.524288.524288.0
test_host_usage_from_instances_isolated_without_siblings ~ 0: /0-3 mem=4096 cores=0|1|2|3 pages=4.524288.0.0 ~ /0-2 mem=2048 dedicated threads=isolate ~ 0=0-2 ~ 0: /0-3 mem=4096-2048 pinned=0-2 cores=0|1|2|3 pages=4.524288.524288.0
test_host_usage_from_mixed_instance ~ 0: 0-1,4-5/2-3,6-7 mem=4096 pinned=2 cores=0,4|1,5|2,6|3,7 pages=4.524288.0.0 ~ 0-1/2-3 mem=2048 mixed ~ 0=3,6 ~ 0: 0-1,4-5/2-3,6-7 mem=4096-2048 used=2 pinned=2-3,6 cores=0,4|1,5|2,6|3,7 pages=4.524288.524288.0
test_host_usage_from_mixed_instance_cpu_isolate ~ 0: 3-4,8-9/0-2,5-7 mem=4096 used=2 cores=0,5|1,6|2,7|3,8|4,9 pages=4.524288.0.0 ~ 0-1/2-3 mem=2048 mixed threads=isolate ~ 0=0-1 ~ 0: 3-4,8-9/0-2,5-7 mem=4096-2048 used=4 pinned=0-1,5-6 cores=0,5|1,6|2,7|3,8|4,9 pages=4.524288.524288.0
test_host_usage_from_mixed_instance_emu_isolate ~ 0: 4-7/0-3 mem=4096 used=2 cores=0|1|2|3|4|5|6|7 pages=4.524288.0.0 ~ 0-1/2-3 mem=2048 mixed ~ 0=0-1,3 ~ 0: 4-7/0-3 mem=4096-2048 used=4 pinned=0-1,3 cores=0|1|2|3|4|5|6|7 pages=4.524288.524288.0
test_isolate_full_usage ~ 0: /0-1 mem=2048 cores=0|1 pages=4.524288.0.0; 1: /2-3 mem=2048 cores=2|3 pages=4.524288.0.0 ~ /0 mem=2048 dedicated ~ 0=0-1 ~ 0: /0-1 mem=2048-2048 pinned=0-1 cores=0|1 pages=4.524288.524288.0; 1: /2-3 mem=2048 cores=2|3 pages=4.524288.0.0
test_isolate_full_usage ~ 0: /0-1 mem=2048-2048 pinned=0-1 cores=0|1 pages=4.524288.524288.0; 1: /2-3 mem=2048 cores=2|3 pages=4.524288.0.0 ~ /0 mem=2048 dedicated ~ 1=2-3 ~ 0: /0-1 mem=2048-2048 pinned=0-1 cores=0|1 pages=4.524288.524288.0; 1: /2-3 mem=2048-2048 pinned=2-3 cores=2|3 pages=4.524288.524288.0
test_isolate_usage ~ 0: /0-1 mem=2048 cores=0|1 pages=4.524288.0.0; 1: /2-3 mem=2048 cores=2|3 pages=4.524288.0.0 ~ /0 mem=2048 dedicated ~ 0=0-1 ~ 0: /0-1 mem=2048-2048 pinned=0-1 cores=0|1 pages=4.524288.524288.0; 1: /2-3 mem=2048 cores=2|3 pages=4.524288.0.0
`;
