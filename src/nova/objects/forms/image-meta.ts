// ImageMeta on the wire: the image of an instance, with its properties under Nova's names.
import { integer, listOf, nullable, opaque, text } from './fields.ts';
import { type Data, defineForm, nested, refuseValues } from './form.ts';

/** The other fields have many types and are passed on unchanged. */
export const imageMetaPropsForm = defineForm({
  name: 'ImageMetaProps',
  version: '1.43',
  fields: { traits_required: listOf(text) },
  steps: [
    { below: '1.43', change: refuseValues('hw_mem_encryption_model', 'amd-sev-snp') },
    { below: '1.42', drop: ['hw_mem_encryption_model'] },
    { below: '1.41', drop: ['hw_usb_model', 'hw_redirected_usb_ports'] },
    { below: '1.40', drop: ['hw_sound_model'] },
    { below: '1.39', change: refuseValues('hw_vif_model', 'igb') },
    { below: '1.38', drop: ['hw_firmware_stateless'] },
    { below: '1.37', drop: ['hw_ephemeral_encryption_secret_uuid'] },
    { below: '1.36', drop: ['hw_maxphysaddr_mode', 'hw_maxphysaddr_bits'] },
    { below: '1.35', drop: ['hw_virtio_packed_ring'] },
    { below: '1.34', drop: ['hw_viommu_model'] },
    { below: '1.33', drop: ['hw_locked_memory'] },
    { below: '1.32', drop: ['hw_ephemeral_encryption', 'hw_ephemeral_encryption_format'] },
    { below: '1.31', drop: ['hw_emulation_architecture'] },
    { below: '1.30', change: refuseValues('hw_video_model', 'bochs') },
    { below: '1.29', drop: ['hw_input_bus'] },
    { below: '1.28', change: refuseValues('hw_pci_numa_affinity_policy', 'socket') },
    { below: '1.27', drop: ['hw_tpm_model', 'hw_tpm_version'] },
    { below: '1.26', change: refuseValues('hw_cpu_policy', 'mixed') },
    { below: '1.25', drop: ['hw_pci_numa_affinity_policy'] },
    { below: '1.24', drop: ['hw_mem_encryption'] },
    { below: '1.23', drop: ['hw_pmu'] },
    { below: '1.22', change: refuseValues('hw_video_model', 'gop', 'virtio', 'none') },
    { below: '1.21', drop: ['hw_time_hpet'] },
    { below: '1.20', drop: ['traits_required'] },
    { below: '1.19', drop: ['img_hide_hypervisor_id'] },
    { below: '1.16', change: leaveOutDisabledWatchdog },
    { below: '1.15', drop: ['hw_rescue_bus', 'hw_rescue_device'] },
    { below: '1.14', drop: ['hw_pointer_model'] },
    { below: '1.13', drop: ['os_secure_boot'] },
    { below: '1.11', drop: ['hw_firmware_type'] },
    { below: '1.10', drop: ['hw_cpu_realtime_mask'] },
    { below: '1.9', drop: ['hw_cpu_thread_policy'] },
    { below: '1.7', drop: ['img_config_drive'] },
    { below: '1.6', change: refuseValues('hw_disk_bus', 'lxc', 'uml') },
    { below: '1.5', drop: ['os_admin_user'] },
    { below: '1.4', drop: ['hw_vif_multiqueue_enabled'] },
    { below: '1.2', drop: ['img_hv_type', 'img_hv_requested_version'] },
    { below: '1.1', drop: ['os_require_quiesce'] },
  ],
});

export const imageMetaForm = defineForm({
  name: 'ImageMeta',
  version: '1.8',
  fields: {
    id: text,
    name: text,
    status: text,
    owner: text,
    container_format: text,
    disk_format: text,
    min_disk: nullable(integer),
    min_ram: nullable(integer),
    tags: opaque,
    properties: nested(imageMetaPropsForm),
  },
  steps: [],
});

/** Older versions have no word for it, and no watchdog is what they do without the field. */
function leaveOutDisabledWatchdog({ hw_watchdog_action, ...data }: Data): Data {
  return hw_watchdog_action === undefined || hw_watchdog_action === 'disabled' ? data : { ...data, hw_watchdog_action };
}
