import { THEMES, type ThemeEntry } from '#catalog/theme-settings/themes.facts.ts'
import { type Asset, ThemeError } from './files.ts'
import type { ThemeFault } from './state.ts'
import type { Theme, ThemeOptions } from './theme.ts'

export type Themes = {
  /** The theme with this id. A shop whose theme is gone is shown in the default one. */
  find(id: number): Promise<Theme>
  /** An asset by the folder of its theme and its name. */
  findAsset(folder: string, name: string): Promise<Asset | undefined>
  /** The mistake in a theme that an error tells of; undefined for any other error. */
  faultOf(error: Error): ThemeFault | undefined
}

const DEFAULT = { folder: 'default' }

/** Opens each theme when a page first needs it: the engine would cost every start, also one without visitors. */
export function openThemes(options: Omit<ThemeOptions, 'folder' | 'path' | 'instead'> = {}): Themes {
  const open = new Map<string, Promise<Theme>>()

  function theme({ folder, path }: Pick<ThemeEntry, 'folder' | 'path'>): Promise<Theme> {
    const before = open.get(folder)
    if (before !== undefined) return before
    const opened = import('./theme.ts').then(async ({ openTheme }) =>
      openTheme({
        ...options,
        folder,
        ...(path === undefined ? {} : { path }),
        ...(folder === DEFAULT.folder ? {} : { instead: await theme(DEFAULT) }),
      }),
    )
    open.set(folder, opened)
    return opened
  }

  return {
    find: (id) => theme(THEMES.get(id) ?? DEFAULT),
    async findAsset(folder, name) {
      const known = [...THEMES.values()].find((each) => each.folder === folder)
      return known === undefined ? undefined : (await theme(known)).findAsset(name)
    },
    faultOf: (error) => (error instanceof ThemeError ? error.fault : undefined),
  }
}
