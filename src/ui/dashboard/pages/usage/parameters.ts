// What charts keep in the address, beside what others keep there.
import { useSearchParams } from 'wouter';

/** The parameters, and how one of them is set, or removed with null. */
export function useParameters(): readonly [URLSearchParams, (key: string, value: string | null) => void] {
  const [parameters, setParameters] = useSearchParams();
  const set = (key: string, value: string | null) =>
    setParameters((old) => {
      const next = new URLSearchParams(old);
      if (value === null) next.delete(key);
      else next.set(key, value);
      return next;
    });
  return [parameters, set];
}
