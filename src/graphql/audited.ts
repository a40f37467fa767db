// What the audit log says about a GraphQL operation: its name and the fields that it selects. Both are the caller's words, so they are cut short.
import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import type { RecordAction } from '../domain/audit.ts';

/** What an operation asks for, and whether the audit log has a line about it. */
export interface Audited {
  operation: string | null;
  fields: readonly string[];
  isRecorded: boolean;
  /** Whether the request contained an operation, even an invalid one. */
  isOperation: boolean;
}

const maxFields = 20;

/** Completes lines with what is known about the operation so far; the line of a write names its own field. */
export function recordOperation(record: RecordAction, audited: Audited): RecordAction {
  return (action) => {
    audited.isRecorded = true;
    record({ ...action, operation: audited.operation, fields: action.fields ?? audited.fields });
  };
}

export function noteAsked(audited: Audited, { definitions }: DocumentNode, { name, selectionSet }: OperationDefinitionNode): void {
  audited.operation = nameForLog(name?.value) ?? null;
  const fields = new Set<string>();
  const spread = new Set<string>();
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (fields.size >= maxFields) return;
      if (selection.kind === Kind.FIELD) fields.add(selection.name.value.slice(0, 100));
      else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet);
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = definitions.find((each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === selection.name.value);
        if (fragment?.kind === Kind.FRAGMENT_DEFINITION) visit(fragment.selectionSet);
      }
    }
  };
  visit(selectionSet);
  audited.fields = [...fields];
}

/** A name can be as long as the body. */
export function nameForLog(name: string | null | undefined): string | undefined {
  return name?.slice(0, 100);
}
