// Addresses of pages: by the name if an address can hold it, otherwise by the uuid.

export interface NamedProvider {
  readonly uuid: string;
  readonly name: string;
}

/** Browsers fold dots in paths, and some characters would end the path. */
const fitsAddress = (name: string) => /^[\w.:@-]+$/.test(name) && name !== '.' && name !== '..';

export const providerAddress = ({ uuid, name }: NamedProvider): string => `/providers/${fitsAddress(name) ? name : uuid}`;
