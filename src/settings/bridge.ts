// The settings of the bridge to another Placement.
import { z } from 'zod';
import { setting } from './setting.ts';

export const bridgeSettings = {
  inFrontOf: setting({
    variable: 'PLACEMENT_IN_FRONT_OF',
    argument: 'url',
    form: z
      .string()
      .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http or https URL')
      .refine((text) => !URL.canParse(text) || new URL(text).username === '', 'must not contain a user')
      .transform((text) => text.replace(/\/+$/, '')),
    absent: null,
    fallback: 'none',
    meaning: 'the Placement that this gateway stands in front of: REST is passed on to it, and this ledger follows, until `bridge lead`',
  }),
  inFrontOfToken: setting({
    variable: 'PLACEMENT_IN_FRONT_OF_TOKEN',
    argument: 'token',
    form: z.string(),
    absent: null,
    isSecret: true,
    mayBeInFile: true,
    fallback: 'that of the service user in Keystone',
    meaning: 'a token of an administrator of that Placement, to read what has changed there and to write what has changed here',
  }),
};
