// Saves texts as a file on the person's machine.
import { fileName } from '../formats/names.ts';

const types = { csv: 'text/csv', json: 'application/json', dot: 'text/vnd.graphviz', svg: 'image/svg+xml' } as const;

/** The parts are one after another in the file. */
export function saveFile(name: string, extension: keyof typeof types, ...parts: readonly BlobPart[]): void {
  const address = URL.createObjectURL(new Blob([...parts], { type: `${types[extension]};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName(name, extension);
  link.click();
  // By then the browser has read it. Addresses that are never revoked keep the memory of their files.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
