// The fields of every object that is a row of a database.
import { boolean, dateTime, nullable } from '../fields.ts';

export const persistentFields = {
  created_at: nullable(dateTime),
  updated_at: nullable(dateTime),
  deleted_at: nullable(dateTime),
  deleted: boolean,
};
