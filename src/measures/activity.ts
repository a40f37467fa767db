// What one operation does: counted for its line in the log, and reported to OpenTelemetry. Without an SDK of OpenTelemetry, its API does nothing.
//
// An activity is passed on explicitly, with the database of its request. AsyncLocalStorage would cost a sixth of the processor time of a small request with
// Node 20, with or without an SDK. Therefore spans of statements and searches are made after their end, with the times that they had.
import { type Context, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

type Surface = 'graphql' | 'rest';

/** A statement that has ended. Times are those of `performance.now()`. */
export interface NotedStatement {
  readonly pool: string;
  readonly since: number;
  readonly startedAt: number;
  readonly rows: number;
  readonly hasFailed: boolean;
}

/** How an operation ended, and what is logged about it. */
export interface EndedOperation {
  /** A route, or the field of Query or Mutation: from a closed list. */
  readonly operation: string;
  readonly requestId: string;
  /** The caller's request id. */
  readonly globalRequestId: string | null;
  readonly caller: { readonly user: string; readonly project: string | null } | null;
  /** Facts that only one API has. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Called for each operation that has ended. */
export type TellOperation = (activity: Activity, ended: EndedOperation) => void;

/** Codes of faults of the service or its database. */
const faults: ReadonlySet<string> = new Set(['INTERNAL_SERVER_ERROR', 'UNAVAILABLE', 'OUTCOME_UNKNOWN', 'ANSWER_INCOMPLETE', '500', '503']);

/** `version-trace-parent-flags`, by W3C Trace Context. */
const traceparent = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

const isTraceId = (id: string) => !/^0*$/.test(id);

const tracer = trace.getTracer('placement-gateway');

export class Activity {
  /** `performance.now()` when it began, in milliseconds. */
  readonly startedAt = performance.now();
  readonly surface: Surface;
  statements = 0;
  rows = 0;
  /** The code of the first refusal. */
  code: string | null = null;
  readonly #span: Span;
  readonly #context: Context;
  readonly #given: string;
  /** The offset of the time of day from `performance.now()`, the same for all spans: each lies within that of the operation, and short ones do not vanish. */
  readonly #clock = Date.now() - this.startedAt;

  /** `headers`: those of the request, which may name the trace that it belongs to. */
  constructor(surface: Surface, headers: Readonly<Record<string, unknown>>) {
    this.surface = surface;
    this.#given = String(headers.traceparent ?? '');
    const from = propagation.extract(context.active(), headers);
    this.#span = tracer.startSpan(surface, { kind: SpanKind.SERVER, startTime: this.#clock + this.startedAt }, from);
    this.#context = this.#span.isRecording() ? trace.setSpan(from, this.#span) : from;
  }

  /** The trace of the span or, without one, the caller's; null for neither. */
  get traceId(): string | null {
    const { traceId } = this.#span.spanContext();
    return isTraceId(traceId) ? traceId : (traceparent.exec(this.#given)?.[1] ?? null);
  }

  noteStatement({ pool, since, startedAt, rows, hasFailed }: NotedStatement): void {
    this.statements += 1;
    this.rows += rows;
    if (!this.#span.isRecording()) return;
    const span = this.#begin('statement', SpanKind.CLIENT, startedAt);
    span.setAttribute('db.system.name', 'postgresql');
    span.setAttribute('db.response.returned_rows', rows);
    span.setAttribute('placement.pool', pool);
    span.setAttribute('placement.wait_ms', startedAt - since);
    if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(this.#now());
  }

  /** Records a search in memory that has just ended. */
  noteSearch(kind: string, startedAt: number): void {
    if (!this.#span.isRecording()) return;
    const span = this.#begin('search', SpanKind.INTERNAL, startedAt);
    span.setAttribute('placement.search', kind);
    span.end(this.#now());
  }

  noteRefusal(code: string): void {
    this.code ??= code;
  }

  end(operation: string): void {
    const { code } = this;
    if (this.#span.isRecording()) {
      this.#span.updateName(`${this.surface} ${operation}`);
      this.#span.setAttribute('placement.surface', this.surface);
      this.#span.setAttribute('placement.statements', this.statements);
      this.#span.setAttribute('placement.rows', this.rows);
      if (code !== null) this.#span.setAttribute('placement.code', code);
      if (code !== null && faults.has(code)) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end(this.#now());
  }

  #now(): number {
    return this.#clock + performance.now();
  }

  /** Begins a span. Attributes are set afterwards, because the SDK copies those given here twice, whatever the sampler decides. */
  #begin(name: string, kind: SpanKind, startedAt: number): Span {
    return tracer.startSpan(name, { kind, startTime: this.#clock + startedAt }, this.#context);
  }
}
