/**
 * A name for something whose title others may have, too: the second of them is called `Film, sale #2`. Files name things so,
 * because ids are others elsewhere.
 */
export function numberedName(title: string, number: number): string {
  return number === 1 ? title : `${title} #${number}`
}

/** The title and the number in such a name; undefined if it has none. */
export function readNumberedName(name: string): { title: string; number: number } | undefined {
  const [, title, number] = /^(.*) #(\d{1,9})$/s.exec(name) ?? []
  return title === undefined ? undefined : { title, number: Number(number) }
}
