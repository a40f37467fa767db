// The licences that a package may have if it is installed with the gateway or bundled into its pages: those that require no more than a
// notice. Copyleft, unknown and custom licences need a person's decision.

const permissive = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'PSF-2.0', 'Unlicense'],
]);

/** Whether an SPDX expression allows choosing only permissive licences. Refuses nested expressions, because no package here has one. */
export function isPermissive(expression: string): boolean {
  const [, inner = expression] = /^\(([^()]*)\)$/.exec(expression) ?? [];
  return inner.split(' OR ').some((choice) => choice.split(' AND ').every((licence) => permissive.has(licence.trim())));
}
