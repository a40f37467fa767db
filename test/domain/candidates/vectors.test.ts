// Worked examples of Placement: small clouds as drawings, and for each request the number of candidates (and, after a slash, of
// providers in their trees). Every row is checked with the search and with the oracle, which share no code.
import { describe, expect, test } from 'vitest';
import { type CandidateRequest, requestFaults } from '../../../src/domain/candidates/request.ts';
import { searchCandidates, summarize } from '../../../src/domain/candidates/search.ts';
import { askOracle, describeCandidate } from '../../support/candidate-oracle.ts';
import { readRequest } from '../../support/candidate-request.ts';
import { forestOf, readDrawing } from '../../support/tree.ts';

/** The common result of both: sorted candidates and the names of their trees' providers. */
function findBoth(drawing: string, request: CandidateRequest) {
  expect(requestFaults(request)).toEqual([]);
  const { candidates, truncated } = searchCandidates(forestOf(drawing), request);
  expect(truncated).toBe(false);
  const engine = {
    candidates: candidates.map(describeCandidate).sort(),
    summaries: summarize(candidates)
      .map(({ state }) => state.provider.name)
      .sort(),
  };
  return { engine, oracle: askOracle(readDrawing(drawing), request) };
}

/** Each row is a request, a bar and the answer: `<candidates>` or `<candidates>/<summaries>`. */
function table(title: string, drawing: string, rows: string): void {
  const cases = rows
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()));
  test.each(cases)(`${title}: %s gives %s`, (text, answer) => {
    const [candidates, summaries] = answer.split('/').map(Number);
    for (const found of Object.values(findBoth(drawing, readRequest(text)))) {
      expect(found.candidates).toHaveLength(candidates ?? Number.NaN);
      if (summaries !== undefined) expect(found.summaries).toHaveLength(summaries);
    }
  });
}

const plainHost = 'VCPU 8, MEMORY_MB 1024, DISK_GB 1000';

table(
  'hosts and shared disks',
  `
  cn1  ${plainHost}           @A
  cn2  ${plainHost}
  ss1  DISK_GB 1000  SHARING  @A
  ss2  DISK_GB 1000  SHARING`,
  `
  VCPU:1,MEMORY_MB:512,DISK_GB:500 | 3`,
);

table(
  'hosts with two cells and a shared disk',
  `
  cn1        MEMORY_MB 1024, DISK_GB 1000  @A @B
    numa1_1  VCPU 8
    numa1_2  VCPU 8
  cn2        MEMORY_MB 1024, DISK_GB 1000  @A
    numa2_1  VCPU 8                        @B
    numa2_2  VCPU 8
  ss1        DISK_GB 1000  SHARING         @A`,
  `
  VCPU:1,MEMORY_MB:512,DISK_GB:500    | 8
  VCPU:1,MEMORY_MB:512,DISK_GB:500 @A | 8
  VCPU:1,MEMORY_MB:512,DISK_GB:500 @B | 2`,
);

table(
  'cells that are aggregates of roots',
  `
  cn1     VCPU 8, DISK_GB 10             @east
    numa  VCPU 8                         @west
  cn2     VCPU 8                         @west
  ss1     DISK_GB 1000          SHARING  @east  @west`,
  `
  VCPU:1,DISK_GB:5                             | 5
  VCPU:1,DISK_GB:5 root(@east)                 | 4
  VCPU:1,DISK_GB:5 root(@west)                 | 1
  VCPU:1,DISK_GB:5 root(!@east)                | 1
  VCPU:1,DISK_GB:5 root(@west,!@east)          | 1
  1=VCPU:1 @west root(@east)                   | 1
  VCPU:1,DISK_GB:5 root(@nowhere)              | 0`,
);

table(
  'a host with two network cards',
  `
  cn1     ${plainHost}
    nic1  SRIOV_NET_VF 8  SSL
    nic2  SRIOV_NET_VF 8`,
  `
  VCPU:1,MEMORY_MB:512,DISK_GB:500,SRIOV_NET_VF:2                                | 2
  VCPU:1,MEMORY_MB:512,DISK_GB:500,SRIOV_NET_VF:2 +SSL                           | 1
  VCPU:1,MEMORY_MB:512,DISK_GB:500,SRIOV_NET_VF:2 -SSL                           | 1
  VCPU:1,MEMORY_MB:512,DISK_GB:500 1=SRIOV_NET_VF:1 +SSL 2=SRIOV_NET_VF:1 iso    | 1
  VCPU:1,MEMORY_MB:512,DISK_GB:500 1=SRIOV_NET_VF:1 +SSL 2=SRIOV_NET_VF:1 none   | 2`,
);

table(
  'two hosts and two disks that both share',
  `
  cn1        DISK_GB 1000           @A
    numa1_1  VCPU 8
    numa1_2  VCPU 8
  cn2        DISK_GB 1000           @A
    numa2_1  VCPU 8
    numa2_2  VCPU 8
  ss1        DISK_GB 1000  SHARING  @A
  ss2        DISK_GB 1000  SHARING  @A`,
  `
  VCPU:1,DISK_GB:50 in_tree=cn1                          | 2
  VCPU:1,DISK_GB:50 in_tree=numa1_2                      | 2
  VCPU:1,DISK_GB:50 in_tree=numa1_2,cn2                  | 4
  VCPU:1 in_tree=cn1 1=DISK_GB:10                        | 6
  VCPU:1 1=DISK_GB:10 in_tree=ss1                        | 4
  1=VCPU:1 in_tree=cn1 2=DISK_GB:10 in_tree=ss1 iso      | 2`,
);

table(
  'capacity',
  `
  full   VCPU 8 ratio 16 max 8 used 121
  half   VCPU 8 ratio 16 max 8 used 120
  fixed  VCPU 10 reserved 10
  odd    VCPU 3 ratio 1.5 step 3
  steps  MEMORY_MB 4096 min 1024 step 512 used 2048`,
  `
  VCPU:9         | 0
  VCPU:8         | 1
  VCPU:7         | 2
  VCPU:3         | 3
  MEMORY_MB:512  | 0
  MEMORY_MB:1280 | 0
  MEMORY_MB:1536 | 1
  MEMORY_MB:2560 | 0`,
);

const numaNetwork = `
  ss1          DISK_GB 2000                                        SHARING            @A
  cn1                                                              MULTI_ATTACH       @A
    numa0      VCPU 4 used 2, MEMORY_MB 2048 min 512 step 256      NUMA_ROOT
      fpga0    FPGA 1
      pgpu0    VGPU 8
    numa1      VCPU 4, MEMORY_MB 2048 min 256 max 1024             NUMA_ROOT FOO
      fpga1_0  FPGA 1
      fpga1_1  FPGA 1
    sriov                                                          VNIC_DIRECT
      esn1     BW 10000                                            PHYSNET1
      esn2     BW 20000                                            PHYSNET2
    ovs                                                            VNIC_NORMAL
      br_int   BW 1000                                             PHYSNET0
  cn2          VCPU 8 used 3, MEMORY_MB 2048 min 1024 step 128, DISK_GB 1000  FOO     @A
    nic1                                                           NIC_ROOT
      pf1_1    VF 4                                                PHYSNET1
      pf1_2    VF 4                                                PHYSNET2
    nic2                                                           NIC_ROOT
      pf2_1    VF 2                                                PHYSNET1
      pf2_2    VF 2                                                PHYSNET2
      pf2_3    VF 2                                                PHYSNET1
      pf2_4    VF 2                                                PHYSNET2
    nic3                                                           NIC_ROOT
      pf3_1    VF 8                                                PHYSNET1`;

table(
  'NUMA network',
  numaNetwork,
  `
  VCPU:1                                                                                    | 3/23
  c=VCPU:1 a=FPGA:1 none                                                                    | 6
  c=VCPU:1 a=FPGA:1 none sub(c)                                                             | 6
  c=VCPU:1 a=FPGA:1 none sub(c,a)                                                           | 3
  c=VCPU:1 m=MEMORY_MB:1024 sub(c,m) none                                                   | 3
  c=VCPU:1 m=MEMORY_MB:1024 sub(c,m) iso                                                    | 0
  VCPU:1 p=VF:4 +PHYSNET1 q=VF:4 +PHYSNET2 none                                             | 2
  VCPU:1 n=+NIC_ROOT p=VF:4 +PHYSNET1 q=VF:4 +PHYSNET2 none sub(n,p,q)                      | 1
  VCPU:1 n=+NIC_ROOT p=VF:2 +PHYSNET1 q=VF:2 +PHYSNET2 sub(n,p,q) none                      | 5
  VCPU:1 n=+NIC_ROOT p=VF:2 +PHYSNET1 q=VF:2 +PHYSNET2 sub(n,p,q) iso                       | 5
  VCPU:1 n=+NIC_ROOT p=VF:2 +PHYSNET1 q=VF:1 +PHYSNET2 r=VF:1 +PHYSNET2 sub(n,p,q,r) none   | 9
  VCPU:1 n=+NIC_ROOT p=VF:2 +PHYSNET1 q=VF:1 +PHYSNET2 r=VF:1 +PHYSNET2 sub(n,p,q,r) iso    | 4
  p=VF:8 q=+PHYSNET1 sub(p,q) none                                                          | 1
  p=VF:8 q=+PHYSNET1 sub(p,q) iso                                                           | 0
  a=VCPU:1 b=+FOO c=+NUMA_ROOT sub(a,b,c) none                                              | 1
  a=VCPU:1 b=+FOO c=+NUMA_ROOT sub(a,b,c) iso                                               | 0
  n=+NUMA_ROOT a=FPGA:1 b=FPGA:1 iso sub(n,a,b)                                             | 2
  n=+NUMA_ROOT-FOO a=FPGA:1 b=FPGA:1 iso sub(n,a,b)                                         | 0
  n=+NUMA_ROOT c=VCPU:2,MEMORY_MB:512 f=FPGA:1 g=VGPU:1 s=+VNIC_DIRECT x=BW:100+PHYSNET1 y=BW:100+PHYSNET2 none sub(n,c,g,f) sub(s,x,y) | 1
  c=VCPU:1 n=+NIC_ROOT p=VF:2+PHYSNET1 none sub(n,c) sub(n,p)                               | 4/11
  c=VCPU:1 n=+NIC_ROOT p=VF:2+PHYSNET1 none sub(n,c,p)                                      | 12/11
  m=+MULTI_ATTACH b=BW:100 c=VCPU:4 iso sub(m,b,c)                                          | 3
  l=VCPU:1 r=VCPU:1 iso                                                                     | 2/12
  VCPU:1 x=BW:10+PHYSNET1 y=BW:20+PHYSNET2 iso                                              | 2/12
  x=BW:10+PHYSNET1 y=BW:20+PHYSNET1 none                                                    | 1/12
  c=VCPU:1,MEMORY_MB:1024 x=BW:10+PHYSNET1 y=BW:20+PHYSNET2 iso                             | 2/12
  VCPU:1 root(NUMA_ROOT)                                                                    | 0
  VCPU:1,MEMORY_MB:1024,DISK_GB:100 root(SHARING)                                           | 0
  VCPU:1,MEMORY_MB:1024,DISK_GB:100 root(NUMA_ROOT)                                         | 0
  VCPU:1,MEMORY_MB:1024,DISK_GB:100 root(MULTI_ATTACH)                                      | 4
  VCPU:1,MEMORY_MB:1024 root(MULTI_ATTACH)                                                  | 4
  a=VCPU:1 b=MEMORY_MB:1024 none root(MULTI_ATTACH)                                         | 4
  a=VCPU:1 b=MEMORY_MB:1024 iso root(MULTI_ATTACH)                                          | 2
  a=VCPU:1,MEMORY_MB:1024 b=DISK_GB:100 none root(MULTI_ATTACH)                             | 2
  VCPU:1,DISK_GB:100 +FOO                                                                   | 3
  VCPU:1,DISK_GB:100 root(FOO)                                                              | 2
  a=VCPU:1+FOO b=DISK_GB:100 none                                                           | 3
  a=VCPU:1 b=DISK_GB:100 none root(FOO)                                                     | 2
  VCPU:3 root(!NUMA_ROOT)                                                                   | 2
  VCPU:1,MEMORY_MB:1024,DISK_GB:100 root(!SHARING)                                          | 6
  VCPU:1,MEMORY_MB:1024,DISK_GB:100 root(FOO,!NUMA_ROOT)                                    | 2
  VCPU:1,MEMORY_MB:1024,DISK_GB:100 root(!FOO,!MULTI_ATTACH)                                | 0
  a=VCPU:1,MEMORY_MB:1024 b=DISK_GB:100 none root(!FOO)                                     | 2
  VCPU:1+FOO root(FOO)                                                                      | 1
  a=VCPU:1+FOO root(!FOO)                                                                   | 1
  a=VCPU:1-FOO root(FOO)                                                                    | 0`,
);

const below = (root: string) => {
  const lines = numaNetwork.split('\n').slice(2);
  const second = lines.findIndex((line) => line.trim().startsWith('cn2'));
  return (root === 'cn1' ? lines.slice(0, second) : lines.slice(second)).map((line) => `    ${line}`).join('\n');
};

table(
  'NUMA network as one deep tree',
  `
  ss1    DISK_GB 2000  SHARING  @A
  gp1
    p1
${below('cn1')}
    p2
${below('cn2')}`,
  `
  c=VCPU:1+FOO n=+NIC_ROOT p=VF:2+PHYSNET1 none sub(n,c) sub(n,p) | 4/26
  c=VCPU:1+FOO p=VF:2+PHYSNET1 none sub(c,p)                      | 4/26
  c=VCPU:1 p=VF:2+PHYSNET1 none sub(c,p)                          | 4/26`,
);

table(
  'granular',
  `
  left    VCPU 8, MEMORY_MB 4096, DISK_GB 500, VGPU 8, VF 8, NET 4000  AVX AVX2 DXVA PFC FOO  @A
  middle  VCPU 8, MEMORY_MB 4096, VF 8, NET 4000                       AVX AVX2 SSE TLS       @A @B
  right   VCPU 8, MEMORY_MB 4096, DISK_GB 500, VGPU 8 max 2            MMX DXVA SSD           @B @C
  disk1   DISK_GB 1000                                                 SHARING SSD            @A
  disk2   DISK_GB 1000                                                 SHARING                @A @B
  net     VF 16, NET 40000                                             SHARING                @C`,
  `
  1=VCPU:1 2=MEMORY_MB:1024 none                                  | 3/3
  1=VCPU:1 2=MEMORY_MB:1024 iso                                   | 0/0
  VCPU:3,MEMORY_MB:512 1=VCPU:1,MEMORY_MB:1024 2=VCPU:2 none      | 3/3
  VCPU:1 1=MEMORY_MB:2048                                         | 3/3
  1=VCPU:1,MEMORY_MB:1024 2=DISK_GB:100 iso                       | 5/5
  1=VCPU:1,MEMORY_MB:1024 2=DISK_GB:100 none                      | 7/5
  1=VCPU:1,MEMORY_MB:1024 2=DISK_GB:100+SSD iso                   | 2/3
  1=DISK_GB:800                                                   | 2/2
  DISK_GB:800                                                     | 2/2
  1=VCPU:1 2=DISK_GB:100-SSD none                                 | 4/4
  1=VCPU:1 2=DISK_GB:100@C none                                   | 1/1
  1=VCPU:1-SSE 2=DISK_GB:100+SSD @in(A,C) none                    | 2/3
  1=VCPU:1 2=DISK_GB:100 @in(B,C) @A iso                          | 3/4
  1=VCPU:1 2=VGPU:1+DXVA 3=MEMORY_MB:1024 4=DISK_GB:100+SSD 5=DISK_GB:50-SSD 6=VF:1,NET:1000 7=VF:2,NET:2000 none | 3/5
  VCPU:2,MEMORY_MB:2048,VF:1,NET:2000 1=VF:1,NET:3000             | 1/2
  VGPU:1 1=VGPU:1 2=VGPU:1 none                                   | 1/1
  VCPU:1 +MMX                                                     | 1
  VCPU:1,DISK_GB:1 +in(DXVA,TLS) +AVX -FOO                        | 2
  VCPU:1,DISK_GB:1 +in(MMX,TLS) +in(SSD,FOO)                      | 3
  VCPU:1,DISK_GB:1 +SSE                                           | 2/3
  VCPU:1+SSE a=DISK_GB:1 b=DISK_GB:1 iso                          | 2/3`,
);

const cell = 'VCPU 24 ratio 16';

table(
  'NUMA aggregate',
  `
  cn1                             @A
    n11  ${cell}                  @C
    n12  ${cell}
  cn2                             @A @B
    n21  ${cell}
    n22  ${cell}
  ss1    DISK_GB 2000   SHARING   @A
  ss2    DISK_GB 2000   SHARING   @C`,
  `
  VCPU:1                    | 4
  VCPU:1 @A                 | 4
  VCPU:1 @B                 | 2
  VCPU:1 @C                 | 1
  1=VCPU:1 @A               | 0
  1=VCPU:1 @C               | 1
  VCPU:1,DISK_GB:1000       | 6
  VCPU:1,DISK_GB:1000 @A    | 4
  VCPU:1,DISK_GB:1000 @B    | 0
  VCPU:1,DISK_GB:1000 @C    | 1
  VCPU:1,DISK_GB:1000 !@A   | 0
  VCPU:1,DISK_GB:1000 !@B   | 4
  VCPU:1,DISK_GB:1000 !@C   | 3`,
);

/** The candidates of the engine, after a check that the oracle agrees. */
function find(drawing: string, text: string): readonly string[] {
  const { engine, oracle } = findBoth(drawing, readRequest(text));
  expect(engine).toEqual(oracle);
  return engine.candidates;
}

describe('where Placement itself answers wrongly', () => {
  test.each(['', 'iso', 'none'])('amounts are summed separately for each candidate, whatever the policy (%j)', (policy) => {
    const drawing = `
      cn1    VCPU 8
        sub  VCPU 8`;
    expect(find(drawing, `VCPU:1 1=VCPU:1 ${policy}`)).toEqual([
      'cn1:VCPU=1 sub:VCPU=1 | *=cn1 1=sub',
      'cn1:VCPU=1 sub:VCPU=1 | *=sub 1=cn1',
      'cn1:VCPU=2 | *=cn1 1=cn1',
      'sub:VCPU=2 | *=sub 1=sub',
    ]);
  });

  const sharedByTwo = `
    cn1  VCPU 8                 @A
    cn2  VCPU 8                 @A
    cn3  VCPU 8
    ss1  DISK_GB 1000  SHARING  @A
    sn1  NET 1000      SHARING  @A`;

  test('a shared disk that alone serves the group without suffix is combined with a suffixed group of every tree that it serves', () => {
    expect(find(sharedByTwo, 'DISK_GB:10 1=VCPU:1')).toEqual([
      'cn1:VCPU=1 ss1:DISK_GB=10 | *=ss1 1=cn1',
      'cn2:VCPU=1 ss1:DISK_GB=10 | *=ss1 1=cn2',
    ]);
  });

  test('sharing providers that serve a request without any host are one candidate, however many trees they serve', () => {
    const alone = ['sn1:CUSTOM_NET=1 ss1:DISK_GB=10 | *=ss1 1=sn1'];
    expect(find(sharedByTwo, 'DISK_GB:10 1=NET:1')).toEqual(alone);
    expect(find(sharedByTwo, 'DISK_GB:10,NET:1')).toEqual(['sn1:CUSTOM_NET=1 ss1:DISK_GB=10 | *=sn1+ss1']);
  });
});
