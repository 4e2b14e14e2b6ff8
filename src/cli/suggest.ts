import { suggest } from '../data/suggest.ts';

/** The known file that was probably meant: an ending that both have says nothing. */
export function suggestFile(name: string, known: Iterable<string>): string | undefined {
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 ? name.slice(dot) : '';
  const others = [...known];
  const alike = new Map(
    others
      .filter((other) => other.endsWith(ending))
      .map((other) => [other.slice(0, other.length - ending.length), other]),
  );
  const near = ending === '' ? undefined : suggest(name.slice(0, dot), alike.keys());
  const whole =
    near === undefined
      ? suggest(
          name,
          others.filter((other) => !other.endsWith(ending) || ending === ''),
        )
      : undefined;
  return near === undefined ? whole : alike.get(near);
}
