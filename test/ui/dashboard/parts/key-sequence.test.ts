// Which action the pressed keys mean, on the layouts that people have.
import { describe, expect, test } from 'vitest';
import { type KeyPress, keySequence } from '../../../../src/ui/dashboard/parts/key-sequence.ts';

type Pressed = Partial<KeyPress> & { readonly key: string; readonly isAltGraph?: boolean };

/** The actions that the presses complete, in their order. */
function actionsOf(...presses: readonly (string | Pressed)[]): string[] {
  const read = keySequence(['g h', 'g o', '/', '?', '[', 'l', 'Backspace']);
  return presses.flatMap((press) => {
    const { isAltGraph = false, ...given } = typeof press === 'string' ? { key: press } : press;
    const none = { ctrlKey: false, altKey: false, metaKey: false, isComposing: false, timeStamp: 0 };
    return read({ ...none, getModifierState: (name) => name === 'AltGraph' && isAltGraph, ...given }) ?? [];
  });
}

describe('a key of one character', () => {
  test.each([
    ['the German / is Shift+7', ['Shift', '/'], ['/']],
    ['the US ? is Shift+/', ['Shift', '?'], ['?']],
    ['Caps Lock is pressed first', ['CapsLock', '?'], ['?']],
    ['a dialog was closed by Escape just before', ['Escape', 'l'], ['l']],
    ['the focus was moved by Tab just before', ['Tab', 'Tab', '/'], ['/']],
    ['a dead key was pressed just before', ['Dead', '/'], ['/']],
    ['a key without an action was pressed just before', ['x', '?'], ['?']],
    ['it follows a prefix that it does not belong to', ['g', '?'], ['?']],
  ])('acts if %s', (_case, presses, actions) => {
    expect(actionsOf(...presses)).toEqual(actions);
  });

  test('acts with AltGr, whichever modifiers the system reports for it', () => {
    expect(actionsOf({ key: 'AltGraph', isAltGraph: true }, { key: '[', isAltGraph: true })).toEqual(['[']);
    expect(actionsOf({ key: '[', ctrlKey: true, altKey: true, isAltGraph: true })).toEqual(['[']);
  });

  test('does not act with Control, Alt or Meta, which are for the browser, nor within a composition', () => {
    expect(
      actionsOf({ key: 'l', ctrlKey: true }, { key: 'l', altKey: true }, { key: 'l', metaKey: true }, { key: 'l', isComposing: true }),
    ).toEqual([]);
  });
});

describe('a sequence', () => {
  test('acts with its second key, and needs its first again', () => {
    expect(actionsOf('g', 'h', 'h', 'g', 'o')).toEqual(['g h', 'g o']);
  });

  test.each(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Dead', 'Escape', 'Tab'])('goes on after %s', (key) => {
    expect(actionsOf('g', key, 'h')).toEqual(['g h']);
  });

  test('begins anew with its first key, and ends with a foreign one', () => {
    expect(actionsOf('g', 'g', 'h')).toEqual(['g h']);
    expect(actionsOf('g', 'x', 'h')).toEqual([]);
  });

  test('ends after a while', () => {
    expect(actionsOf({ key: 'g', timeStamp: 0 }, { key: 'h', timeStamp: 1500 })).toEqual(['g h']);
    expect(actionsOf({ key: 'g', timeStamp: 0 }, { key: 'h', timeStamp: 1501 })).toEqual([]);
  });
});

test('a named key acts if it is an action', () => {
  expect(actionsOf('Backspace')).toEqual(['Backspace']);
});
