import { THEMES } from '#catalog/theme-settings/rules.ts'
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

const DEFAULT = 'default'

/** Opens each theme when a page first needs it: the engine would cost every start, also one without visitors. */
export function openThemes(options: Omit<ThemeOptions, 'folder' | 'instead'> = {}): Themes {
  const open = new Map<string, Promise<Theme>>()

  function theme(folder: string): Promise<Theme> {
    const before = open.get(folder)
    if (before !== undefined) return before
    const opened = import('./theme.ts').then(async ({ openTheme }) =>
      openTheme(folder === DEFAULT ? { ...options, folder } : { ...options, folder, instead: await theme(DEFAULT) }),
    )
    open.set(folder, opened)
    return opened
  }

  return {
    find: (id) => theme(THEMES.get(id)?.folder ?? DEFAULT),
    async findAsset(folder, name) {
      const isKnown = [...THEMES.values()].some((known) => known.folder === folder)
      return isKnown ? (await theme(folder)).findAsset(name) : undefined
    },
    faultOf: (error) => (error instanceof ThemeError ? error.fault : undefined),
  }
}
