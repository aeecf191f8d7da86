import { hash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { messagesStamp } from '#platform/text/messages.ts'
import { createEngine, type Engine, type RenderLimits, type Scope } from './engine.theme.ts'
import { type Asset, readTheme, stampOf, ThemeError, type ThemeFolders } from './files.ts'
import type { ThemeFault } from './state.ts'

/** The folder of the themes that come with the service. */
const THEMES_FOLDER = fileURLToPath(new URL('../../../themes/', import.meta.url))

/** The folder of the theme that every other one is based on. */
const DEFAULT = 'default'

/** How often the files of a theme are looked at, so that a change shows at once and costs nothing under load. */
const LOOK_AGAIN_MS = 1000

/**
 * A rendered page or part of it. With a fault, it comes from the files as they were before somebody broke them, or from the
 * default theme.
 */
export type Rendered = { html: string; fault: ThemeFault | undefined }

export type Theme = {
  /** Renders a whole page. Throws a ThemeError if it has never been shown in this process, and there is no other theme to show. */
  render(template: string, scope: Scope, globals: Scope): Rendered
  /** Renders what one visitor sees of a page, without its frame. */
  renderContent(template: string, scope: Scope, globals: Scope): Rendered
  /** Renders what many visitors see of a page: everything but its frame. */
  renderShared(template: string, scope: Scope, globals: Scope): Rendered
  /** Renders the frame around the content of a page. */
  renderLayout(template: string, content: string, scope: Scope, globals: Scope): Rendered
  findAsset(name: string): Asset | undefined
  /** A word that differs after any change of a file of the theme, or of the texts of the service. */
  version(): string
}

export type ThemeOptions = {
  folder: string
  themesFolder?: string
  /** Where the theme is, if it is one of the operator: what it does not have comes from the default theme. */
  path?: string
  lookAgainMs?: number
  limits?: RenderLimits
  /** The theme that is shown instead of files that have never worked in this process. */
  instead?: Theme
}

/** Opens a theme. Its files may change while the service runs: a page whose files are broken is shown as before. */
export function openTheme(options: ThemeOptions): Theme {
  const { folder, themesFolder = THEMES_FOLDER, lookAgainMs = LOOK_AGAIN_MS, limits, instead } = options
  const folders = foldersOf(options, themesFolder)
  /** There may be many themes of the operator, so a fault in one names it. */
  const named = (found: ThemeFault) => (folders.base === undefined ? found : inTheme(folder, found))
  const unreadable: ThemeFault = { file: folder, line: undefined, message: 'could not be read' }
  let engine: Engine | undefined
  let stamp = ''
  let version = ''
  let lookedAt = Number.NEGATIVE_INFINITY
  let fault: ThemeFault | undefined
  /** The engine with which each template, and the layout around it, was last rendered without a fault. */
  const good = new Map<string, Engine>()

  function load(): void {
    lookedAt = performance.now()
    try {
      const found = stampOf(folders)
      if (found === stamp) return
      stamp = found
      version = hash('sha256', `${stamp}\n${messagesStamp('pages')}`).slice(0, 12)
      engine = createEngine(readTheme(folders), folder, limits)
      fault = undefined
    } catch (error) {
      if (error instanceof ThemeError) fault = named(error.fault)
      else {
        // Whoever replaces files leaves some out for a moment.
        stamp = ''
        fault = unreadable
      }
    }
  }

  function look(): void {
    if (performance.now() - lookedAt >= lookAgainMs) load()
  }

  function current(): Engine {
    look()
    if (engine === undefined) throw new ThemeError(fault ?? unreadable)
    return engine
  }

  /** `renderInstead` is for files that have never worked. */
  function renderPart(
    part: string,
    renderWith: (engine: Engine) => string,
    renderInstead: (theme: Theme) => Rendered,
  ): Rendered {
    let latest: Engine | undefined
    try {
      latest = current()
      const html = renderWith(latest)
      good.set(part, latest)
      return { html, fault }
    } catch (error) {
      const found = fault ?? named(faultOf(error))
      const before = good.get(part)
      if (before !== undefined && before !== latest) return { html: renderWith(before), fault: found }
      if (instead === undefined) throw error
      return { html: renderInstead(instead).html, fault: found }
    }
  }

  const renderLayout: Theme['renderLayout'] = (template, content, scope, globals) =>
    renderPart(
      `layout of ${template}`,
      (chosen) => chosen.renderLayout(template, content, scope, globals),
      (other) => other.renderLayout(template, content, scope, globals),
    )

  const renderContent: Theme['renderContent'] = (template, scope, globals) =>
    renderPart(
      template,
      (chosen) => chosen.renderContent(template, scope, globals),
      (other) => other.renderContent(template, scope, globals),
    )

  return {
    render(template, scope, globals) {
      const content = renderContent(template, scope, globals)
      const page = renderLayout(template, content.html, scope, globals)
      return { html: page.html, fault: content.fault ?? page.fault }
    },
    renderShared: (template, scope, globals) =>
      renderPart(
        template,
        (chosen) => chosen.renderShared(template, scope, globals),
        (other) => other.renderShared(template, scope, globals),
      ),
    renderContent,
    renderLayout,
    findAsset(name) {
      look()
      return engine?.files.assets.get(name)
    },
    version() {
      look()
      return instead === undefined ? version : `${version} ${instead.version()}`
    },
  }
}

function foldersOf({ folder, path }: Pick<ThemeOptions, 'folder' | 'path'>, themesFolder: string): ThemeFolders {
  return path === undefined ? { path: `${themesFolder}${folder}` } : { path, base: `${themesFolder}${DEFAULT}` }
}

function inTheme(folder: string, fault: ThemeFault): ThemeFault {
  return { ...fault, file: `${folder}/${fault.file}` }
}

/** The mistakes in a theme of the operator that are found without showing a page. */
export function findFaults(theme: Required<Pick<ThemeOptions, 'folder' | 'path'>>): ThemeFault[] {
  const { folder } = theme
  try {
    const engine = createEngine(readTheme(foldersOf(theme, THEMES_FOLDER)), folder)
    return engine.check().map((fault) => inTheme(folder, fault))
  } catch (error) {
    return [inTheme(folder, faultOf(error))]
  }
}

/** The fault in a theme that an error tells of; other errors are defects of the service. */
function faultOf(error: unknown): ThemeFault {
  if (error instanceof ThemeError) return error.fault
  throw error
}
