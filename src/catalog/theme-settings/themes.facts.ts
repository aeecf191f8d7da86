/** The theme of a shop whose owner has chosen none. */
export const DEFAULT_THEME = 1

/** A theme: its name for shop owners, and the name of its folder. `path` is where a theme of the operator is. */
export type ThemeEntry = { name: string; folder: string; path?: string }

const SHIPPED: readonly [number, ThemeEntry][] = [[DEFAULT_THEME, { name: 'Default', folder: 'default' }]]

const known = new Map<number, ThemeEntry>(SHIPPED)

/** The themes that shops can be made with, by id. */
export const THEMES: ReadonlyMap<number, ThemeEntry> = known

/** Replaces the themes of the operator. The program does it once, before anything can name a theme. */
export function setOwnThemes(own: ReadonlyMap<number, ThemeEntry>): void {
  known.clear()
  for (const [id, entry] of [...SHIPPED, ...own]) known.set(id, entry)
}
