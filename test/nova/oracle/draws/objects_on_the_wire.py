"""Versioned objects with values in some of their fields, and how Nova sends them to receivers of older versions."""
import datetime

from nova import exception
from nova import objects
from nova.objects import base
from oslo_utils import timeutils

from nova_as_oracle import answer, chance, some, uuid_of

NAMES = [
    'ComputeNode', 'ComputeNode', 'ComputeNode', 'ComputeNode', 'Destination', 'Flavor', 'ImageMetaProps', 'Instance', 'InstanceGroup',
    'InstancePCIRequests', 'Migration', 'NetworkMetadata', 'PciDevice', 'PciDevicePool', 'RequestGroup', 'RequestLevelParams', 'RequestSpec',
    'SchedulerLimits', 'SchedulerRetries', 'Selection', 'Service']
WORDS = ['', 'x', 'cn1', 'two words', 'Ünïcode']
SERVICES = {'cn1': 4}


def draw(dice):
    name = dice.choice(NAMES)
    made = draw_object(dice, name)
    manifest = {}
    list_versions(dice, made, manifest)
    given = {'object': in_order(made.obj_to_primitive()), 'manifest': manifest, 'services': SERVICES}
    objects.Service.get_by_compute_host = service_of
    return {**given, 'says': answer(lambda: {'object': in_order(made.obj_to_primitive(manifest[name], manifest))})}


def service_of(_context, host):
    if host not in SERVICES:
        raise exception.ComputeHostNotFound(host=host)
    return objects.Service(id=SERVICES[host])


def class_of(name):
    return base.NovaObjectRegistry.obj_classes()[name][0]


def list_versions(dice, made, manifest):
    """The receiver's version of each kind of object in an object: of the same major version, and at most Nova's own."""
    major, newest = map(int, made.VERSION.split('.'))
    manifest.setdefault(made.obj_name(), f'{major}.{dice.randint(0, newest)}')
    for name in made.fields:
        value = getattr(made, name) if made.obj_attr_is_set(name) else None
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, base.NovaObject):
                list_versions(dice, each, manifest)


def draw_object(dice, name, depth=0):
    kind = class_of(name)
    made = kind()
    for field, form in sorted(kind.fields.items()):
        if (name not in WHOLE and chance(dice, 0.3 if depth == 0 else 0.6)) or field in UNDRAWN.get(name, ()):
            continue
        value = None if form.nullable and chance(dice, 0.25) else draw_value(dice, form, depth, field)
        if value is not SKIPPED:
            setattr(made, field, value)
    if chance(dice, 0.5):
        made.obj_reset_changes()
    return made


# Nova decides by fields of these whether others are set: in its database all are.
WHOLE = ('Migration', 'PciDevice')
SKIPPED = object()
# Not read from elsewhere by reading them, and kinds of objects that this project passes on unread.
UNDRAWN = {'Instance': ('fault',), 'RequestSpec': ('numa_topology',)}


def draw_value(dice, form, depth, name):
    kind = type(form).__name__
    if kind in ('ObjectField', 'ListOfObjectsField'):
        if depth > 2:
            return SKIPPED
        inner = (form._type if kind == 'ObjectField' else form._type._element_type._type)._obj_name
        if inner not in DRAWN_INSIDE:
            return SKIPPED
        return draw_object(dice, inner, depth + 1) if kind == 'ObjectField' else [draw_object(dice, inner, depth + 1) for _ in range(dice.randint(0, 2))]
    draws = uuid_of if name.endswith('uuid') else DRAWS.get(kind)
    if draws:
        return draws(dice)
    if getattr(form, 'valid_values', None):
        return dice.choice(list(form.valid_values))
    return SKIPPED


DRAWN_INSIDE = {
    'ComputeNode', 'ComputeNodeList', 'Destination', 'Flavor', 'HVSpec', 'ImageMeta', 'ImageMetaProps', 'InstanceGroup', 'InstancePCIRequest',
    'InstancePCIRequests', 'NetworkMetadata', 'PciDevice', 'PciDeviceList', 'PciDevicePool', 'PciDevicePoolList', 'RequestGroup',
    'RequestLevelParams', 'SchedulerLimits', 'SchedulerRetries'}


def word(dice):
    return dice.choice(WORDS)


def words(dice):
    return [word(dice) for _ in range(dice.randint(0, 2))]


def moment(dice):
    return timeutils.normalize_time(datetime.datetime(2026, 1, 1) + datetime.timedelta(seconds=dice.randrange(10**7)))


DRAWS = {
    'IntegerField': lambda dice: dice.choice([0, 1, 64, 4096, -1]),
    'NonNegativeIntegerField': lambda dice: dice.choice([0, 1, 64]),
    'FloatField': lambda dice: dice.choice([0.0, 1.0, 1.5, 16.0]),
    'NonNegativeFloatField': lambda dice: dice.choice([0.0, 1.5]),
    'BooleanField': lambda dice: chance(dice, 0.5),
    'FlexibleBooleanField': lambda dice: chance(dice, 0.5),
    'StringField': word,
    'UUIDField': uuid_of,
    'DateTimeField': moment,
    'IPAddressField': lambda dice: dice.choice(['10.0.0.7', 'fd00::7']),
    'ListOfStringsField': words,
    'SetOfStringsField': lambda dice: set(words(dice)),
    'ListOfListsOfStringsField': lambda dice: [words(dice)],
    'ListOfUUIDField': lambda dice: [uuid_of(dice)],
    'DictOfStringsField': lambda dice: {each: word(dice) for each in words(dice)},
    'DictOfNullableStringsField': lambda dice: {each: dice.choice([None, word(dice)]) for each in words(dice)},
    'DictOfIntegersField': lambda dice: {each: dice.randint(0, 9) for each in words(dice)},
    'DictOfListOfStringsField': lambda dice: {each: words(dice) for each in words(dice)},
    'ListOfDictOfNullableStringsField': lambda dice: [{each: dice.choice([None, word(dice)]) for each in words(dice)}],
}


def in_order(primitive):
    """Sets have no order of their own."""
    if isinstance(primitive, dict):
        return {key: sorted(value) if key.endswith('.changes') else in_order(value) for key, value in primitive.items()}
    if isinstance(primitive, (list, tuple)):
        return [in_order(value) for value in primitive]
    return primitive
