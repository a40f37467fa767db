// A moment: how long ago it was, and the exact time when the pointer is on it. The words follow the clock.
import { useEffect, useState } from 'react';
import { exactMoment, formatAgo } from '../formats/moments.ts';

export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function Moment({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={exactMoment(at)}>
      {formatAgo(at, now)}
    </time>
  );
}
