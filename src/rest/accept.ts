// Which of the types that can be had a caller prefers, by its header `accept`.

interface Range {
  readonly type: string;
  readonly quality: number;
}

/**
 * The offer that the header wants most, the earlier of two that it wants alike; null when it wants none. Without a header, or with one
 * that takes anything, the first offer.
 */
export function preferredType<Offer extends string>(accept: string | undefined, offers: readonly Offer[]): Offer | null {
  if (accept === undefined || accept.trim() === '') return offers[0] ?? null;
  const ranges = parse(accept);
  let best: { offer: Offer; quality: number } | null = null;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality > (best?.quality ?? 0)) best = { offer, quality };
  }
  return best?.offer ?? null;
}

function parse(accept: string): Range[] {
  return accept.split(',').flatMap((part) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return type === '' ? [] : [{ type, quality: quality === undefined ? 1 : Number(quality) || 0 }];
  });
}

/** The range that says most about a type decides. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  for (const name of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const range = ranges.find((candidate) => candidate.type === name);
    if (range) return range.quality;
  }
  return 0;
}
