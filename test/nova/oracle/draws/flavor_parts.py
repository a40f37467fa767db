"""Draws flavors with all that may accompany them: each has a few of the parts below, whose values are now and then malformed."""
import json

from nova_as_oracle import chance, some, uuid_of

JUNK = ['', '0', '-1', 'x', '1.5', 'foo', 'True ', ' 2', '3-1', '0-99', '^', ',']
ANSWERS = ['true', 'false', 'yes', 'no', '1', '0', 'on', 'off', 'True', 'FALSE', 't', 'n', 'maybe']
TRAITS = ['HW_CPU_X86_AVX2', 'HW_CPU_HYPERTHREADING', 'STORAGE_DISK_SSD', 'CUSTOM_GOLD', 'COMPUTE_VOLUME_MULTI_ATTACH', 'HW_NIC_SRIOV']
CLASSES = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB', 'VGPU', 'FPGA', 'PCI_DEVICE', 'CUSTOM_LICENSE', 'CUSTOM_BAREMETAL_GOLD', 'NOTHING']
SUFFIXES = ['', '', '', '1', '2', '_gpu', '-a']
PORT_CLASSES = ['NET_BW_EGR_KILOBIT_PER_SEC', 'NET_BW_IGR_KILOBIT_PER_SEC', 'NET_PACKET_RATE_KILOPACKET_PER_SEC']
PORT_TRAITS = ['CUSTOM_PHYSNET_A', 'CUSTOM_PHYSNET_B', 'CUSTOM_VNIC_TYPE_NORMAL', 'CUSTOM_VNIC_TYPE_DIRECT']
ALIASES = ['gpu', 'nic', 'fpga']
DEVICE_TYPES = ['type-PCI', 'type-PF', 'type-VF']


class Drawn:
    """A flavor and its image while they are drawn."""

    def __init__(self, dice):
        self.dice = dice
        self.vcpus = dice.choice([1, 2, 2, 3, 4, 4, 6, 8, 8, 12, 16])
        self.memory = dice.choice([512, 1024, 2048, 2048, 3072, 4096, 8192])
        self.specs, self.image, self.facts = {}, {}, {}

    def value(self, values, junk=0.04):
        return self.dice.choice(JUNK) if chance(self.dice, junk) else str(self.dice.choice(values))

    def set(self, name, values, flavor=0.75, image=0.3):
        """In the flavor, in the image, in both or in none."""
        if chance(self.dice, flavor):
            self.specs[name] = self.value(values)
        if chance(self.dice, image):
            self.image[name.replace(':', '_')] = self.value(values)


def cpu_policy(drawn):
    drawn.set('hw:cpu_policy', ['dedicated', 'dedicated', 'shared', 'mixed'], 0.8, 0.25)


def dedicated(drawn):
    drawn.specs['hw:cpu_policy'] = 'dedicated'
    if chance(drawn.dice, 0.7):
        drawn.set('hw:cpu_thread_policy', ['prefer', 'isolate', 'require'], 0.8, 0.3)
    if chance(drawn.dice, 0.4):
        emulator(drawn)


def mixed(drawn):
    drawn.specs['hw:cpu_policy'] = 'mixed'
    if chance(drawn.dice, 0.6):
        drawn.specs['hw:cpu_dedicated_mask'] = mask(drawn)
    if chance(drawn.dice, 0.4):
        realtime(drawn)
    if chance(drawn.dice, 0.3):
        emulator(drawn)


def thread_policy(drawn):
    drawn.set('hw:cpu_thread_policy', ['prefer', 'isolate', 'require'])


def emulator(drawn):
    drawn.set('hw:emulator_threads_policy', ['isolate', 'isolate', 'share'], 1, 0)


def realtime(drawn):
    drawn.set('hw:cpu_realtime', ['yes', 'true', 'no', 'True'], 1, 0)
    if chance(drawn.dice, 0.85):
        drawn.set('hw:cpu_realtime_mask', [mask(drawn) for _ in range(3)], 0.8, 0.3)


def mask(drawn):
    dice = drawn.dice
    if chance(dice, 0.05):
        return dice.choice(JUNK)
    parts = []
    for _ in range(dice.randint(1, 3)):
        first = dice.randrange(drawn.vcpus)
        last = dice.randrange(first, drawn.vcpus + (1 if chance(dice, 0.05) else 0))
        space = ' ' if chance(dice, 0.1) else ''
        parts.append(dice.choice(['', '', '^']) + (str(first) if first == last else f'{first}{space}-{space}{last}'))
    return dice.choice([',', ',', ', ']).join(parts)


def numa_nodes(drawn):
    drawn.set('hw:numa_nodes', [1, 2, 2, 2, 3, 4], 0.8, 0.3)


def numa_described(drawn):
    dice = drawn.dice
    count = dice.choice([1, 2, 2, 3])
    given, sign = (drawn.specs, 'hw:') if chance(dice, 0.7) else (drawn.image, 'hw_')
    if chance(dice, 0.93):
        given[f'{sign}numa_nodes'] = str(count)
    processors = list(range(drawn.vcpus))
    dice.shuffle(processors)
    places = sorted(dice.randint(0, drawn.vcpus) for _ in range(count - 1))
    memory = drawn.memory
    for cell in range(count):
        own = processors[([0] + places)[cell]:(places + [drawn.vcpus])[cell]]
        part = memory if cell == count - 1 else dice.randrange(0, memory + 1, 128)
        memory -= part
        if chance(dice, 0.97):
            given[f'{sign}numa_cpus.{cell}'] = ','.join(map(str, own)) if chance(dice, 0.95) else mask(drawn)
        if chance(dice, 0.97):
            given[f'{sign}numa_mem.{cell}'] = str(part if chance(dice, 0.97) else part + 1)


def pages(drawn):
    drawn.set('hw:mem_page_size', ['small', 'large', 'any', '4', '2048', '1048576', '2MB', '1GB', '1G', '4KB', '2Mib', '512kb'], 0.85, 0.25)
    if chance(drawn.dice, 0.3):
        locked(drawn)


def locked(drawn):
    drawn.set('hw:locked_memory', ANSWERS)


def resources(drawn):
    dice = drawn.dice
    for _ in range(dice.randint(1, 3)):
        name = dice.choice(CLASSES)
        amounts = [drawn.vcpus, drawn.vcpus, drawn.vcpus + 1, 0] if name in ('VCPU', 'PCPU') else [0, 1, 2, 8, 500]
        drawn.specs[f'resources{dice.choice(SUFFIXES)}:{name}'] = drawn.value(amounts)


def traits(drawn):
    dice = drawn.dice
    for name in some(dice, TRAITS, 1, 2):
        if chance(dice, 0.7):
            drawn.specs[f'trait{dice.choice(SUFFIXES)}:{name}'] = drawn.value(['required', 'required', 'forbidden'])
        if chance(dice, 0.35):
            drawn.image[f'trait:{name}'] = drawn.value(['required'])


def group_policy(drawn):
    drawn.specs['group_policy'] = drawn.value(['none', 'isolate'])


def encryption(drawn):
    drawn.set('hw:mem_encryption', ANSWERS, 0.8, 0.4)
    if chance(drawn.dice, 0.75):
        drawn.image['hw_firmware_type'] = drawn.dice.choice(['uefi', 'uefi', 'uefi', 'bios'])
    if chance(drawn.dice, 0.4):
        drawn.image['hw_machine_type'] = drawn.dice.choice(['q35', 'pc-q35-6.2', 'pc', 'virt'])


def trusted_module(drawn):
    drawn.set('hw:tpm_version', ['1.2', '2.0', '2.0'], 0.85, 0.3)
    if chance(drawn.dice, 0.6):
        drawn.set('hw:tpm_model', ['tpm-tis', 'tpm-crb'])


def persistent_memory(drawn):
    labels = ['2GB', '4GB', 'SMALL', 'my-label', 'a_b', ' 6GB', '', 'a.b']
    drawn.specs['hw:pmem'] = ','.join(drawn.dice.choice(labels) for _ in range(drawn.dice.randint(1, 3)))


def secure_boot(drawn):
    drawn.set('os:secure_boot', ['required', 'disabled', 'optional'])


def ephemeral_encryption(drawn):
    drawn.set('hw:ephemeral_encryption', ANSWERS)
    if chance(drawn.dice, 0.6):
        drawn.set('hw:ephemeral_encryption_format', ['luks', 'plain'])


def guest_settings(drawn):
    dice = drawn.dice
    for name in some(dice, ['hw:pmu', 'hw:vif_multiqueue_enabled', 'hw:serial_port_count', 'topology'], 1, 2):
        if name == 'topology':
            for part in some(dice, ['sockets', 'cores', 'threads', 'max_sockets', 'max_cores', 'max_threads'], 1, 3):
                drawn.set(f'hw:cpu_{part}', [1, 2, 4, 8])
        else:
            drawn.set(name, [0, 1, 2, 4] if name == 'hw:serial_port_count' else ANSWERS, 0.75, 0.6)


def devices(drawn):
    dice = drawn.dice
    names = some(dice, ALIASES, 1)
    drawn.facts['pciPassthrough'] = {'aliases': [alias for name in names for alias in alias_of(dice, name)]}
    asked = [dice.choice(names if chance(dice, 0.95) else ALIASES) for _ in range(dice.randint(1, 3))]
    space = ' ' if chance(dice, 0.2) else ''
    drawn.specs['pci_passthrough:alias'] = f',{space}'.join(f'{name}:{space}{drawn.value([1, 1, 2, 4], 0.03)}' for name in asked)
    if chance(dice, 0.5):
        pci_policy(drawn)


def alias_of(dice, name):
    kind = {'deviceType': dice.choice(DEVICE_TYPES)} if chance(dice, 0.8) else {}
    policy = {'numaPolicy': dice.choice(['REQUIRED', 'LEGACY', 'PREFERRED', 'SOCKET'])} if chance(dice, 0.5) else {}
    for product in range(dice.choice([1, 1, 1, 2])):
        ids = {'vendorId': dice.choice(['8086', '10de', '15b3']), 'productId': f'10f{product}'}
        yield {'name': name, **ids, **kind, **policy}


def pci_policy(drawn):
    drawn.set('hw:pci_numa_affinity_policy', ['required', 'preferred', 'legacy', 'socket'])


def profile_of(dice):
    groups = []
    for _ in range(dice.randint(1, 2)):
        group = {f'resources:{dice.choice(["FPGA", "VGPU", "CUSTOM_ACCELERATOR"])}': str(dice.randint(1, 2))}
        for trait in some(dice, TRAITS, 0, 2):
            group[f'trait:{trait}'] = dice.choice(['required', 'required', 'forbidden'])
        if chance(dice, 0.3):
            group['accel:bitstream_id'] = uuid_of(dice)
        groups.append({'properties': [{'key': key, 'value': value} for key, value in group.items()]})
    return groups


def device_profile(drawn):
    drawn.specs['accel:device_profile'] = 'profile'
    drawn.facts['deviceProfile'] = profile_of(drawn.dice)


def port_request(dice):
    def group():
        amounts = {name: dice.randint(1, 5) * 1000 for name in some(dice, PORT_CLASSES, 1)}
        return {'resources': amounts, 'required': some(dice, PORT_TRAITS, 0, 2)}
    if chance(dice, 0.4):
        return group()
    groups = [{'id': uuid_of(dice), **group()} for _ in range(dice.randint(1, 2))]
    same = {'same_subtree': [each['id'] for each in groups]} if chance(dice, 0.7) else {}
    return {'request_groups': groups, **same}


def ports(drawn):
    dice = drawn.dice
    drawn.facts['ports'] = []
    for _ in range(dice.randint(1, 2)):
        port = {'port': uuid_of(dice)}
        if chance(dice, 0.75):
            port['resourceRequest'] = json.dumps(port_request(dice), separators=(',', ':'))
        if chance(dice, 0.2):
            port['remoteManaged'] = True
        if chance(dice, 0.15):
            port['deviceProfile'] = profile_of(dice)
        drawn.facts['ports'].append(port)


def image_filters(drawn):
    dice = drawn.dice
    drawn.facts['prefilters'] = {**drawn.facts.get('prefilters', {}), **{name: True for name in some(dice, ['imageType', 'imageMetadata'], 1)}}
    drawn.facts['imageDiskFormat'] = dice.choice(['raw', 'qcow2', 'vmdk', 'iso', 'ploop', 'strange'])
    values = {
        'hw_cdrom_bus': ['ide', 'sata', 'scsi', 'virtio'], 'hw_disk_bus': ['virtio', 'scsi', 'usb', 'lxc'],
        'hw_video_model': ['cirrus', 'vga', 'virtio', 'none', 'qxl'], 'hw_vif_model': ['virtio', 'e1000', 'rtl8139', 'ne2k_pci', 'VirtualE1000'],
        'hw_architecture': ['x86_64', 'aarch64', 'i686', 'AMD64', 'ppc64le'], 'hw_emulation_architecture': ['aarch64', 'x86_64', 's390x'],
        'hw_viommu_model': ['intel', 'smmuv3', 'virtio', 'auto']}
    for name in some(dice, values, 0, 3):
        drawn.image[name] = dice.choice(values[name])


def aggregate_filters(drawn):
    dice = drawn.dice
    drawn.facts['prefilters'] = {
        **drawn.facts.get('prefilters', {}), 'project': 'p1',
        **{name: True for name in some(dice, ['projectAggregates', 'isolatedAggregates'])},
        **({'projectAggregateRequired': True} if chance(dice, 0.4) else {}),
        **({'availabilityZone': dice.choice(['az1', 'az2'])} if chance(dice, 0.6) else {}),
        'hostAggregates': [
            {'aggregate': uuid_of(dice), 'metadata': [{'key': key, 'value': value} for key, value in metadata_of(dice).items()]}
            for _ in range(dice.randint(0, 4))]}


def metadata_of(dice):
    metadata = {}
    if chance(dice, 0.5):
        metadata['availability_zone'] = dice.choice(['az1', 'az2', 'az3'])
    if chance(dice, 0.5):
        metadata[dice.choice(['filter_tenant_id', 'filter_tenant_id3', 'tenant'])] = dice.choice(['p1', 'p2'])
    for trait in some(dice, TRAITS, 0, 2):
        metadata[f'trait:{trait}'] = dice.choice(['required', 'required', 'forbidden'])
    return metadata


PARTS = [
    cpu_policy, dedicated, mixed, thread_policy, emulator, realtime, numa_nodes, numa_described, pages, locked, resources, resources, traits,
    traits, group_policy, encryption, trusted_module, persistent_memory, secure_boot, ephemeral_encryption, guest_settings, guest_settings,
    devices, devices, pci_policy, device_profile, ports, image_filters, aggregate_filters]


def draw(dice):
    drawn = Drawn(dice)
    for part in some(dice, PARTS, 0, 4):
        part(drawn)
    sizes = {
        'vcpus': drawn.vcpus, 'memoryMb': drawn.memory, 'rootGb': dice.choice([0, 1, 10, 40]), 'ephemeralGb': dice.choice([0, 0, 5]),
        'swapMb': dice.choice([0, 0, 1, 1024, 1500])}
    facts = {
        'imageProperties': drawn.image, 'pciPassthrough': {'aliases': []}, **drawn.facts,
        **({'bootedFromVolume': True} if chance(dice, 0.2) else {})}
    return {'flavor': {'name': None, **sizes, 'extraSpecs': drawn.specs}, 'facts': facts}
