"""Whether Nova takes an extra spec with a value when a flavor is made: a known name with a valid value, and names in no namespace of its own."""
import re

from nova import exception
from nova.api.validation.extra_specs import validators

from nova_as_oracle import chance

VALUES = [
    '', '0', '1', '2', '8', '-1', '16', '1.5', 'true', 'no', 'On', 'maybe', 'required', 'forbidden', 'none', 'isolate', 'dedicated', 'prefer',
    'large', '2MB', '2048', '0-3,^1', 'gpu:1', 'a:1,b: 2', 'label,other', '2.0', 'tpm-crb', 'socket', 'virtio', 'auto', 'luks', 'high', 'custom',
    'reset', 'disabled', '>= 4', 'text with words', 'ÄÖ']
WORDS = ['hw', 'os', 'accel', 'quota', 'vmware', 'resources', 'trait', 'capabilities', 'hw_rng', 'pci_passthrough', 'other', 'powervm']
PARAMETERS = {'group': ['', '1', '_gpu'], 'num': ['0', '3', 'x'], 'filter': ['', ':arch', ':a:b'], 'key': ['ssd'], 'resource': ['LICENSE'], 'trait': ['GOLD']}


def draw(dice):
    # Most names are those of the standard traits and classes.
    names = [name for name in validators.VALIDATORS if chance(dice, 0.1) or not re.match('(trait|resources){', name)]
    name = dice.choice(names)
    key = re.sub(r'\{(\w+)\}', lambda found: dice.choice(PARAMETERS[found[1]]), name)
    if chance(dice, 0.15):
        key = f'{dice.choice(WORDS)}:{dice.choice(["unknown", key.split(":")[-1]])}'
    value = dice.choice(values_of(validators.VALIDATORS[name].value) if chance(dice, 0.6) else VALUES)
    return {'key': key, 'value': value, 'says': verdict(key, value)}


def values_of(form):
    """Values that the validator is likely to take."""
    if form['type'] is bool:
        return ['true', 'no', '1', 'off']
    if form['type'] is int:
        return [str(number) for number in (form.get('min', 0), form.get('max', 8), 1, form.get('min', 0) - 1, form.get('max', 8) + 1)]
    return [str(word) for word in form.get('enum', VALUES)]


def verdict(key, value):
    try:
        validators.validate(key, value)
        return {'valid': True}
    except exception.ValidationError:
        return {'valid': False}
