import { Context, Liquid, type Template, toValueSync } from 'liquidjs'
import { safeHtml } from '#platform/text/safe-html.ts'
import { ThemeError, type ThemeFiles } from './files.ts'
import { addFilters } from './filters.theme.ts'
import { addRememberedSnippets } from './remembered-snippets.theme.ts'
import type { ThemeFault } from './state.ts'

/** Values that templates show: plain data, read by name. */
export type Scope = { readonly [name: string]: unknown }

/** What templates write to. */
export type Output = { readonly buffer: string; write(value: unknown): void }

/** The bounds of one page. A page of the default theme takes a few milliseconds and a few ten thousand characters. */
export type RenderLimits = { timeMs: number; characters: number; memory: number }

/** The time runs on while a busy machine does something else, so that it is far above what a page takes. */
const LIMITS: RenderLimits = { timeMs: 5000, characters: 2_000_000, memory: 20_000_000 }

const LAYOUT = 'layout/theme.liquid'

/** One state of a theme's files, with its templates compiled when they are first used. */
export type Engine = {
  files: ThemeFiles
  /** Renders a template. Snippets see the globals too. Throws a ThemeError. */
  renderContent(template: string, scope: Scope, globals: Scope): string
  /** renderContent for what many visitors see: snippets that were given the same before are not rendered again. */
  renderShared(template: string, scope: Scope, globals: Scope): string
  /** Renders the layout around the content of a template. Throws a ThemeError. */
  renderLayout(template: string, content: string, scope: Scope, globals: Scope): string
  /** The mistakes that are found without rendering, such as a tag without its end and a filter that does not exist. */
  check(): ThemeFault[]
}

/** Makes the engine of a theme. `folder` is the name of the theme in the addresses of its assets. */
export function createEngine(files: ThemeFiles, folder: string, limits: RenderLimits = LIMITS): Engine {
  const engine = new Liquid({
    root: 'templates',
    layouts: 'layout',
    partials: 'snippets',
    extname: '.liquid',
    cache: true,
    relativeReference: false,
    outputEscape: 'escape',
    ownPropertyOnly: true,
    strictFilters: true,
    dynamicPartials: true,
    fs: readFrom(files.templates),
  })
  addFilters(engine, files, folder)
  const remembering = addRememberedSnippets(engine, () => boundedOutput(limits.characters))
  const compiled = new Map<string, Template[]>()

  function compile(path: string): Template[] {
    const before = compiled.get(path)
    if (before !== undefined) return before
    const text = files.templates.get(path)
    if (text === undefined) throw new ThemeError({ file: path, line: undefined, message: 'is missing' })
    const templates = engine.parse(text, path)
    compiled.set(path, templates)
    return templates
  }

  function render(path: string, scope: Scope, globals: Scope): string {
    try {
      const options = { sync: true, globals, renderLimit: limits.timeMs, memoryLimit: limits.memory }
      const context = new Context(scope, engine.options, options)
      const output = boundedOutput(limits.characters)
      toValueSync(engine.renderer.renderTemplates(compile(path), context, output))
      return output.buffer
    } catch (error) {
      throw asThemeError(error, path)
    }
  }

  return {
    files,
    renderContent: (template, scope, globals) => render(`templates/${template}.liquid`, scope, globals),
    renderShared: (template, scope, globals) => render(`templates/${template}.liquid`, scope, remembering(globals)),
    // What the template knows of its page is a part of what the globals have of it.
    renderLayout: (template, content, { page, ...scope }, globals) =>
      render(
        LAYOUT,
        { ...scope, page: globals.page ?? page, template, content_for_layout: safeHtml(content) },
        remembering(globals),
      ),
    check: () =>
      [...files.templates.keys()].flatMap((path) => {
        try {
          compile(path)
          return []
        } catch (error) {
          return asThemeError(error, path).fault
        }
      }),
  }
}

/** Collects what templates write, and stops one that writes without end. */
function boundedOutput(charactersMax: number): Output {
  let html = ''
  return {
    get buffer() {
      return html
    },
    write(value: unknown) {
      html += typeof value === 'string' ? value : String(value ?? '')
      if (html.length > charactersMax) throw new Error(`the page is longer than ${charactersMax} characters`)
    },
  }
}

/** LiquidJS reads snippets through this. There is no way out of the theme, because there are no files behind it. */
function readFrom(templates: ReadonlyMap<string, string>) {
  const read = (path: string) => templates.get(path) ?? ''
  return {
    readFileSync: read,
    readFile: async (path: string) => read(path),
    existsSync: (path: string) => templates.has(path),
    exists: async (path: string) => templates.has(path),
    contains: async () => true,
    containsSync: () => true,
    sep: '/',
    dirname: (path: string) => path.split('/').slice(0, -1).join('/'),
    resolve: (folder: string, name: string, extension: string) =>
      `${folder.replace(/\/$/, '')}/${name.endsWith(extension) ? name : `${name}${extension}`}`,
  }
}

type Located = { token?: { file?: string; begin?: number; input?: string }; originalError?: Error; message: string }

/** LiquidJS wraps an error once for every snippet that leads to it; the innermost one knows the line. */
function asThemeError(error: unknown, path: string): ThemeError {
  if (error instanceof ThemeError) return error
  const { token, originalError, message }: Located = error instanceof Error ? error : { message: String(error) }
  if (originalError instanceof ThemeError) return originalError
  const line = token?.input?.slice(0, token.begin ?? 0).split('\n').length
  const text = (originalError?.message ?? message).split(', file:')[0] ?? ''
  return new ThemeError({ file: token?.file ?? path, line, message: text.slice(0, 500) }, error)
}
