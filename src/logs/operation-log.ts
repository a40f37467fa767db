// What happens when an operation of either API has ended: it is measured, its span ends, and it may be logged. Slow operations always are, as warnings; of
// the others a share. Of what the caller sent, a line contains only names, ids and the path, without secrets.
import type { Logger } from 'pino';
import type { TellOperation } from '../measures/activity.ts';
import { measures } from '../measures/measures.ts';
import type { Settings } from '../settings/settings.ts';

export function tellOperations(
  log: Logger,
  { logOperations: share, slowOperation }: Pick<Settings, 'logOperations' | 'slowOperation'>,
): TellOperation {
  return (activity, { operation, requestId, globalRequestId, caller, details }) => {
    const { surface, startedAt, statements, rows, code, traceId } = activity;
    const milliseconds = performance.now() - startedAt;
    measures.operations.observe(milliseconds / 1000, surface, operation);
    activity.end(operation);
    const isSlow = milliseconds >= slowOperation;
    if (!isSlow && (!log.isLevelEnabled('info') || Math.random() >= share)) return;
    const line = {
      requestId,
      ...(globalRequestId !== null && { globalRequestId }),
      ...(traceId !== null && { traceId }),
      surface,
      operation,
      ...details,
      ms: Math.round(milliseconds * 10) / 10,
      statements,
      rows,
      ...(code !== null && { code }),
      user: caller?.user ?? null,
      project: caller?.project ?? null,
    };
    if (isSlow) log.warn(line, 'slow operation');
    else log.info(line, 'operation');
  };
}
