// The planted defects are where they say. Whether the tests notice them is decided by `npm run defects`, which takes long.
import { expect, test } from 'vitest';
import { core } from '../../../tools/defects/core.ts';
import { planted } from '../../../tools/defects/defect.ts';
import { ofReservations } from '../../../tools/defects/reservations.ts';
import { ofSharedCalls } from '../../../tools/defects/shared-calls.ts';
import { surfaces } from '../../../tools/defects/surfaces.ts';
import { isCode, readSourceFiles } from '../../support/source-files.ts';
import { mutants } from '../../torture/mutants.ts';

const defects = [...core, ...ofReservations, ...ofSharedCalls, ...surfaces];
const texts = new Map(readSourceFiles().map(({ path, text }) => [path, text]));

test('a defect is planted only where its text occurs once', () => {
  const defect = { name: '', file: '', text: '<', instead: '<=', tests: [] };
  expect(['a < b', 'a = b', 'a < b < c'].map((source) => planted(source, defect))).toEqual(['a <= b', null, null]);
});

test('no planted defect is stale, and the tests that must notice it are there', () => {
  expect(defects.filter((defect) => planted(texts.get(defect.file) ?? '', defect) === null)).toEqual([]);
  expect(defects.flatMap(({ tests }) => tests).filter((file) => !texts.has(file))).toEqual([]);
});

test('neither is one that is planted in the functions of a database', () => {
  const pieces = mutants.flatMap(({ function: name, alsoIn = name, replace }) =>
    [name, alsoIn].flatMap((of) => replace.map(([piece]) => [of, piece] as const)),
  );
  const isIn = (name: string, piece: string | RegExp) =>
    ['functions', 'steps'].some((room) => {
      const text = texts.get(`src/db/writes/${room}/${name}.sql`) ?? '';
      return typeof piece === 'string' ? text.includes(piece) : piece.test(text);
    });
  expect(pieces.filter(([name, piece]) => !isIn(name, piece))).toEqual([]);
});

test('every room of src has a planted defect', () => {
  const roomsOf = (files: readonly string[]) => new Set(files.flatMap((file) => /^src\/([^/]+)/.exec(file)?.[1] ?? []));
  const rooms = roomsOf([...texts.keys()].filter(isCode));
  expect([...rooms].filter((room) => !roomsOf(defects.map(({ file }) => file)).has(room))).toEqual([]);
});
