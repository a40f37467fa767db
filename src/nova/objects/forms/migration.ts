// Migration on the wire. `migration_type` is migration, resize, live-migration or evacuation.
import { boolean, integer, nullable, text, uuid } from './fields.ts';
import { defineForm, defineList } from './form.ts';
import { persistentFields } from './persistent.ts';

const progress = ['memory', 'disk'].flatMap((what) => [`${what}_total`, `${what}_processed`, `${what}_remaining`]);

export const migrationForm = defineForm({
  name: 'Migration',
  version: '1.8',
  fields: {
    ...persistentFields,
    id: integer,
    uuid,
    source_compute: nullable(text),
    dest_compute: nullable(text),
    source_node: nullable(text),
    dest_node: nullable(text),
    dest_compute_id: nullable(integer),
    instance_uuid: nullable(uuid),
    status: nullable(text),
    migration_type: text,
    old_instance_type_id: nullable(integer),
    new_instance_type_id: nullable(integer),
    hidden: boolean,
    cross_cell_move: boolean,
    user_id: nullable(text),
    project_id: nullable(text),
  },
  steps: [
    { below: '1.8', drop: ['dest_compute_id'] },
    { below: '1.7', drop: ['user_id', 'project_id'] },
    { below: '1.6', drop: ['cross_cell_move'] },
    { below: '1.5', drop: ['uuid'] },
    { below: '1.4', drop: progress },
    { below: '1.2', drop: ['migration_type', 'hidden'] },
  ],
});

export const migrationListForm = defineList('MigrationList', '1.5', migrationForm);
