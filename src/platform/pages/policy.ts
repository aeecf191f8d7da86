/**
 * The rules that browsers apply to the pages of one site. Sources are written as in a Content-Security-Policy; an empty
 * list allows nothing. Each site states its own policy where it is registered.
 */
export type PagePolicy = {
  scripts: readonly string[]
  styles: readonly string[]
  images: readonly string[]
  fonts?: readonly string[]
  /** Sound and film. */
  media?: readonly string[]
  /** The addresses that scripts may ask. */
  connections?: readonly string[]
  /** Where the description of the site as an app comes from. */
  manifests?: readonly string[]
  /** The sites whose pages may be shown in a frame of this page. */
  frames?: readonly string[]
  /** The addresses that forms may be sent to, and redirected to. */
  formActions: readonly string[]
  /** The sites that may show a page in a frame. */
  frameAncestors: readonly string[]
}

function directive(name: string, sources: readonly string[]): string[] {
  return sources.length === 0 ? [] : [`${name} ${sources.join(' ')}`]
}

/** The same for directives that default-src does not cover: without a source they have to say so. */
function closedDirective(name: string, sources: readonly string[]): string[] {
  return directive(name, sources.length === 0 ? ["'none'"] : sources)
}

function contentSecurityPolicy(policy: PagePolicy): string {
  return [
    ["default-src 'none'"],
    directive('script-src', policy.scripts),
    directive('style-src', policy.styles),
    directive('img-src', policy.images),
    directive('font-src', policy.fonts ?? []),
    directive('media-src', policy.media ?? []),
    directive('connect-src', policy.connections ?? []),
    directive('manifest-src', policy.manifests ?? []),
    directive('frame-src', policy.frames ?? []),
    closedDirective('form-action', policy.formActions),
    closedDirective('frame-ancestors', policy.frameAncestors),
    ["base-uri 'none'"],
  ]
    .flat()
    .join('; ')
}

/** Makes the headers that carry a policy. A page with a form that leads elsewhere adds that address to those of its site. */
export function policyHeaders(policy: PagePolicy): (formAction?: string) => Record<string, string> {
  // Browsers that know frame-ancestors pass over x-frame-options, which can name no site but the page's own.
  const framing: Record<string, string> = policy.frameAncestors.length === 0 ? { 'x-frame-options': 'DENY' } : {}
  const withoutAddition = { ...framing, 'content-security-policy': contentSecurityPolicy(policy) }
  return (formAction) => {
    if (formAction === undefined) return withoutAddition
    const formActions = [...policy.formActions, formAction]
    return { ...framing, 'content-security-policy': contentSecurityPolicy({ ...policy, formActions }) }
  }
}
