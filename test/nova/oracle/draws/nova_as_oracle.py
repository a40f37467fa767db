"""The installed Nova, ready to be asked: its objects are registered, its databases are empty ones in memory, and it calls no other service."""
import inspect
import logging
import os
import traceback
import warnings

warnings.simplefilter('ignore')
logging.disable(logging.CRITICAL)

import eventlet  # noqa: E402,F401
from nova import version  # noqa: E402
from nova import conf  # noqa: E402
from nova import config  # noqa: E402
from nova import context as contexts  # noqa: E402
from nova import objects  # noqa: E402
from nova.db.api import api as api_database  # noqa: E402
from nova.db.api import models as api_models  # noqa: E402

RELEASE = version.version_string()

CONF = conf.CONF
config.parse_args(['nova'], default_config_files=[], configure_db=False)
CONF.set_override('connection', 'sqlite://', group='api_database')
CONF.set_override('connection', 'sqlite://', group='database')
objects.register_all()

CONTEXT = contexts.get_admin_context()
api_database.configure(CONF)
api_models.BASE.metadata.create_all(api_database.context_manager.writer.get_engine())


def answer(ask):
    """What Nova answers; a refusal is the name of its exception. What these files themselves raise is a defect of theirs."""
    try:
        return ask()
    except Exception as refusal:
        if os.path.dirname(traceback.extract_tb(refusal.__traceback__)[-1].filename) == os.path.dirname(__file__):
            raise
        return {'refused': type(refusal).__name__}


def call(function, **named):
    """Calls a function of Nova with those arguments that it has: later releases have more."""
    return function(**{name: value for name, value in named.items() if name in inspect.signature(function).parameters})


def uuid_of(dice):
    digits = '%032x' % dice.getrandbits(128)
    return f'{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}'


def chance(dice, probability):
    return dice.random() < probability


def some(dice, choices, least=0, most=None):
    """Some of the choices, each at most once."""
    choices = list(choices)
    return dice.sample(choices, dice.randint(least, min(len(choices), most or len(choices))))
