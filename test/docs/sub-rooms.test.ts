// ARCHITECTURE.md describes the order of sub-rooms that test/tidy.test.ts enforces.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ordersOfSubRooms } from '../support/source-rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const architecture = readFileSync(`${root}ARCHITECTURE.md`, 'utf8').split('\n');

test.each(Object.entries(ordersOfSubRooms))('the sub-rooms of %s are described in their order', (directory, order) => {
  const row = architecture.find((line) => line.startsWith(`| \`${directory}\` | \``));
  expect(row?.split(' | ')[1]?.replace(/ \([^()]*\)|`| \|$/g, '')).toBe(order);
});

test.each(Object.entries(ordersOfSubRooms))('the order of %s names only sub-rooms that there are', (directory, order) => {
  expect(order.split(/, | > /).filter((subRoom) => !existsSync(`${root}${directory}/${subRoom}`))).toEqual([]);
});
