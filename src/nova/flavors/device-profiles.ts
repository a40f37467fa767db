// The requests of a Cyborg device profile: a list of groups, each written like the extra specs of a flavor.
import type { Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { InputCheck } from '../../operations/request/input.ts';
import { type Property, readProperties } from '../terms/properties.ts';
import { emptyGroup, type RequestDraft, renderGroup } from './request-draft.ts';

/** A group of a profile, such as `resources:FPGA` 1 and `trait:CUSTOM_FPGA_INTEL` required; others, such as `accel:bitstream_id`, are not for Placement. */
export interface DeviceProfileGroup {
  readonly properties: readonly Property[];
}

/** Begins the suffixes of a profile's groups; their index and the port with the profile follow. */
export const profilePrefix = 'device_profile_';

/** Adds the groups of a profile, of the flavor or of a port. Refuses INVALID_INPUT below `path`. */
export function addDeviceProfile(draft: RequestDraft, profile: readonly DeviceProfileGroup[], path: Path, port = ''): void {
  const check = new InputCheck();
  check.size(path, profile, 0, limits.searchGroups);
  for (const [index, { properties }] of profile.entries()) {
    const here = [...path, index, 'properties'];
    const group = emptyGroup();
    // A suffix within a profile has no meaning: its groups are identified by their index.
    for (const [key, value] of Object.entries(readProperties(properties, here))) draft.readKey(key, value, group);
    draft.addForeign(renderGroup(`${profilePrefix}${index}${port}`, group), here);
  }
}
