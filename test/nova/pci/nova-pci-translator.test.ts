// Plays what Nova's own tests expect of PCI devices in Placement.
import { describe, expect, test } from 'vitest';
import { cardsOf, checkCards } from '../../../src/nova/pci/pci-cards.ts';
import { pciClassName, pciTraitNames } from '../../../src/nova/pci/pci-names.ts';
import type { PciDevice } from '../../../src/nova/pci/pci-pools.ts';
import { InputCheck } from '../../../src/operations/request/input.ts';
import { refusalOf } from '../../support/versioned-objects.ts';
import { cardVectors, classVectors, refusedVectors, traitVectors, translatorLeftOut } from './nova-pci-translator.ts';

function check(devices: readonly PciDevice[]): void {
  const checking = new InputCheck();
  checkCards(checking, [], devices);
  checking.done();
}

test.each(traitVectors)('the traits %s are %s (trait_normalization)', (list, traits) => {
  expect(new Set(pciTraitNames(list))).toEqual(new Set(traits));
});

test.each(classVectors)('a device %s:%s of the class %s is %s (resource_class_normalization)', (vendor, product, named, resourceClass) => {
  expect(pciClassName(named, vendor, product)).toBe(resourceClass);
});

describe('devices that Nova refuses', () => {
  test.each(refusedVectors)('$origin', ({ devices }) => {
    check(devices.slice(0, -1));
    const problems = refusalOf(() => check(devices));
    expect(problems.map(({ path }) => path[0])).toEqual([String(devices.length - 1)]);
  });
});

describe('devices as cards', () => {
  test.each(cardVectors)('$origin', ({ devices, cards }) => {
    check(devices);
    const found = cardsOf(devices).map(({ address, total, traits, isSpent }) => [
      address,
      total,
      traits.includes('HW_PCI_ONE_TIME_USE'),
      isSpent,
    ]);
    expect(found).toEqual(cards);
  });
});

test('so many of the 21 tests are played, and so many not, for a reason', () => {
  const names = [...refusedVectors, ...cardVectors].map(({ origin }) => origin.split(':')[0]);
  const played = new Set(['trait_normalization', 'resource_class_normalization', ...names]).size;
  expect({ played, left: Object.keys(translatorLeftOut).length }).toEqual({ played: 8, left: 13 });
});
