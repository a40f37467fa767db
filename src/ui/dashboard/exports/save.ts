// Saves a text as a file of the person's.
import { fileName } from '../formats/names.ts';

const types = { csv: 'text/csv', json: 'application/json', dot: 'text/vnd.graphviz', svg: 'image/svg+xml' } as const;

export function saveFile(name: string, extension: keyof typeof types, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${types[extension]};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName(name, extension);
  link.click();
  // The browser has taken it by then; kept for ever it would hold the memory of every file.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
