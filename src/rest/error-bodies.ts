// Renders errors: as JSON in upstream's form, or as HTML or plain text on request. The sentences around a message, and even their whitespace, are those of
// upstream and its framework: the command line client shows the text after the last line break.
import { preferredType } from '../http/accept.ts';
import { has, type Microversion, newestVersion, oldestVersion } from './microversions.ts';
import type { ErrorStatus, RestError } from './rest-error.ts';

const malformed = 'The server could not comply with the request since it is either malformed or otherwise incorrect.';

const statuses: Readonly<Record<ErrorStatus, { readonly title: string; readonly explanation: string }>> = {
  400: { title: 'Bad Request', explanation: malformed },
  401: {
    title: 'Unauthorized',
    explanation:
      'This server could not verify that you are authorized to access the document you requested. Either you supplied the wrong credentials (e.g., bad password), or your browser does not understand how to supply the credentials required.',
  },
  403: { title: 'Forbidden', explanation: 'Access was denied to this resource.' },
  404: { title: 'Not Found', explanation: 'The resource could not be found.' },
  405: { title: 'Method Not Allowed', explanation: malformed },
  406: { title: 'Not Acceptable', explanation: malformed },
  408: { title: 'Request Timeout', explanation: 'The server has waited too long for the request to be sent by the client.' },
  409: { title: 'Conflict', explanation: 'There was a conflict when trying to complete your request.' },
  413: { title: 'Request Entity Too Large', explanation: 'The body of your request was too large for this server.' },
  415: { title: 'Unsupported Media Type', explanation: malformed },
  421: { title: 'Misdirected Request', explanation: malformed },
  429: { title: 'Too Many Requests', explanation: 'This caller has sent too many requests.' },
  431: { title: 'Request Header Fields Too Large', explanation: malformed },
  500: {
    title: 'Internal Server Error',
    explanation: 'The server has either erred or is incapable of performing the requested operation.',
  },
  503: { title: 'Service Unavailable', explanation: 'The server is currently unavailable. Please try again at a later time.' },
};

/** The known facts about the failed request. */
export interface FailedRequest {
  readonly method: string;
  readonly accept: string | undefined;
  readonly contentType: string | undefined;
  /** Null if the error occurred before the version was negotiated. */
  readonly version: Microversion | null;
  readonly requestId: string;
  /** The body of a 401, if the method of authentication has one. Default: the usual forms. */
  readonly unauthorizedBody?: string | null;
}

/** The body of an error and its content type. */
export function renderError(error: RestError, request: FailedRequest): { readonly contentType: string; readonly body: string } {
  const { title } = statuses[error.status];
  const { unauthorizedBody = null } = request;
  if (error.status === 401 && unauthorizedBody !== null) return { contentType: 'application/json', body: unauthorizedBody };
  const type = preferredType(request.accept, ['application/json', 'text/html']) ?? 'text/plain';
  if (type === 'application/json') return { contentType: type, body: JSON.stringify(errorDocument(error, request)) };
  const status = `${error.status} ${title}`;
  const lines = bodyOf(error, request);
  if (type === 'text/plain') return { contentType: `${type}; charset=UTF-8`, body: `${status}\n\n${lines.map(withoutTags).join('\n\n ')}` };
  const paragraphs = lines.map(escapeHtml).join('<br /><br />\n');
  return {
    contentType: `${type}; charset=UTF-8`,
    body: `<html>\n <head>\n  <title>${status}</title>\n </head>\n <body>\n  <h1>${status}</h1>\n  ${paragraphs}\n </body>\n</html>`,
  };
}

function errorDocument(error: RestError, request: FailedRequest): object {
  const { status, code, isAboutVersion, isBeforeService } = error;
  const { title } = statuses[status];
  if (isBeforeService) {
    const message = error.message === '' ? statuses[status].explanation : `${bodyOf(error, request).join('<br /><br />\n').trimEnd()}\n\n`;
    return { message, code: `${status} ${title}`, title };
  }
  return {
    errors: [
      {
        status,
        title,
        detail: bodyOf(error, request).map(withoutTags).join('\n\n '),
        ...(request.version !== null && has(request.version, 'errorCodes') ? { code } : {}),
        request_id: request.requestId,
        ...(isAboutVersion ? { max_version: newestVersion, min_version: oldestVersion } : {}),
      },
    ],
  };
}

/** The standard sentence of the status, and the message. */
function bodyOf({ status, message }: RestError, { method, accept = anything, contentType = 'None' }: FailedRequest): [string, string] {
  const requestedType = accept.trim() === anything ? 'application/json' : accept;
  if (status === 405) return [`The method ${method} is not allowed for this resource. `, message];
  if (status === 406)
    return [`The resource could not be generated that was acceptable to your browser (content of type ${requestedType}. `, message];
  if (status === 415) return [`The request media type ${contentType} is not supported by this server. `, message];
  return [statuses[status].explanation, `${message}  `];
}

const anything = '*/*';

/** On one line, without anything that looks like HTML. */
function withoutTags(text: string): string {
  const line = text.replaceAll('\n', ' ').replaceAll('\r', '');
  let kept = '';
  let from = 0;
  for (;;) {
    const open = line.indexOf('<', from);
    const close = open === -1 ? -1 : line.indexOf('>', open);
    if (close === -1) return kept + line.slice(from);
    kept += line.slice(from, open);
    from = close + 1;
  }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
