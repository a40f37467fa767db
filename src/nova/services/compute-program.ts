// What marks Nova's compute nodes and the service that runs on each of them. Knows names only.

/** The service that runs on every compute node. */
export const computeProgram = 'nova-compute';

/** The trait that distinguishes compute nodes from other roots. */
export const computeNodeTrait = 'COMPUTE_NODE';

/** The trait of nodes whose service gets no new instances: Nova's pre-filter leaves them out. */
export const disabledTrait = 'COMPUTE_STATUS_DISABLED';

/** The kind of the records of compute nodes. */
export const computeNodeKind = 'compute_node';

/** In the record of a node whose disk is in truth that of a pool, whether or not there is one yet. */
export const sharedStorageFact = 'hasSharedStorage';

/** In the record of a node on which builds have failed since the last that succeeded: how many. */
export const failedBuildsFact = 'failedBuilds';
