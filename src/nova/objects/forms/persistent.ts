// Fields of every object that is a database row.
import { boolean, dateTime, nullable } from './fields.ts';

export const persistentFields = {
  created_at: nullable(dateTime),
  updated_at: nullable(dateTime),
  deleted_at: nullable(dateTime),
  deleted: boolean,
};
