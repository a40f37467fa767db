"""Puts a gateway in the place of the Placement that Nova's functional tests run in their process."""
import collections
import sys

import fixtures as testing
from nova.scheduler.client import report
from nova.tests.functional import fixtures
from placement.tests.functional.fixtures import placement
import requests

import report_client


class Gateway:
    def __init__(self, url):
        self.url = url
        self.session = requests.Session()
        self.session.headers['x-auth-token'] = 'admin'

    def ask(self, document, **variables):
        answer = self.session.post(self.url + '/graphql', json={'query': document, 'variables': variables}).json()
        if 'errors' in answer:
            raise AssertionError(answer['errors'])
        return answer['data']

    def empty(self):
        """Each test begins with an empty database."""
        while True:
            data = self.ask('{consumers(first: 500) {nodes {uuid}} resourceProviders(first: 500) {nodes {uuid depth}}'
                            ' resourceClasses(first: 500, filter: {isStandard: false}) {nodes {name}}'
                            ' traits(first: 500, filter: {isStandard: false}) {nodes {name}}}')
            if not any(data[kind]['nodes'] for kind in data):
                return
            if data['consumers']['nodes']:
                self.write('releaseAllocations', 'ReleaseAllocationsInput', consumers=[
                    {'consumer': consumer['uuid'], 'expect': {'unchecked': True}} for consumer in data['consumers']['nodes']])
            for provider in sorted(data['resourceProviders']['nodes'], key=lambda provider: -provider['depth']):
                self.write('deleteResourceProvider', 'DeleteResourceProviderInput', resourceProvider=provider['uuid'], expect={'unchecked': True})
            for kind, noun in (('resourceClasses', 'ResourceClass'), ('traits', 'Trait')):
                for named in data[kind]['nodes']:
                    self.write('delete' + noun, f'Delete{noun}Input', name=named['name'])

    def write(self, mutation, kind, **value):
        answer = self.ask('mutation($input: %s!) {%s(input: $input) {userErrors {message}}}' % (kind, mutation), input=value)
        if answer[mutation]['userErrors']:
            raise AssertionError(answer)


def install(url, shim):
    """Returns what Nova's report client calls: how often it calls REST, by method, and GraphQL."""
    gateway, calls = Gateway(url), collections.Counter()

    def set_up(fixture):
        testing.Fixture.setUp(fixture)
        fixture.endpoint = url
        gateway.empty()
    placement.PlacementFixture.setUp = set_up
    for verb in ('get', 'post', 'put', 'delete'):
        count(verb, calls)
    if shim:
        report.SchedulerReportClient = report_client.GraphQLReportClient
    return calls


def count(verb, calls):
    """Tests look at the outcome over REST, too: calls count only if the report client makes them."""
    name = '_fake_' + verb
    original = getattr(fixtures.PlacementFixture, name)

    def call(fixture, client, url, *args, **kwargs):
        caller = sys._getframe(1)
        while caller.f_code.co_filename.startswith(testing.__path__[0]):
            caller = caller.f_back
        if caller.f_globals['__name__'] in (report.__name__, report_client.__name__):
            calls['GraphQL' if url == '/graphql' else 'REST ' + verb] += 1
        return original(fixture, client, url, *args, **kwargs)
    setattr(fixtures.PlacementFixture, name, call)
