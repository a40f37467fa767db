// Variables of the environment that look like settings but are not: most are misspelt.
import { nearestTo } from '../domain/nearest.ts';

// Variables that Kubernetes injects for every service of a namespace.
const serviceLink = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;

/** A warning about each variable that looks like a setting but is not. */
export function unknownVariables(environment: Readonly<Record<string, string | undefined>>, known: readonly string[]): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (!name.startsWith('PLACEMENT_') || known.includes(name)) return [];
    if (name.startsWith('PLACEMENT_PORT_') || serviceLink.test(name) || (name.endsWith('_PORT') && value.includes('://'))) return [];
    const nearest = nearestTo(name, known);
    return [`${name} is not a setting and is ignored${nearest === null ? '' : `; did you mean ${nearest}?`}`];
  });
}
