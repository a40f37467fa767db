// The names that mark Nova's compute nodes and the service that runs on each of them.

/** The service that runs on every compute node. */
export const computeProgram = 'nova-compute';

/** The trait that distinguishes compute nodes from other roots. */
export const computeNodeTrait = 'COMPUTE_NODE';

/** The trait of nodes whose service gets no new instances; Nova's pre-filter excludes them. */
export const disabledTrait = 'COMPUTE_STATUS_DISABLED';

/** The kind of the records of compute nodes. */
export const computeNodeKind = 'compute_node';

/** The kind and the name of the record with the settings of the cloud. */
export const settingsKind = 'nova_settings';

/** Set in the record of a node whose disk is on a pool, whether or not the pool exists yet. */
export const sharedStorageFact = 'hasSharedStorage';

/** In the record of a node: the number of builds that failed since the last success, if any. */
export const failedBuildsFact = 'failedBuilds';
