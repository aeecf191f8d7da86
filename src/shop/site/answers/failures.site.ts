import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '#platform/errors/problem.ts'
import { asProblem, logged } from '#platform/http/errors.ts'
import type { createSendPage } from '#platform/pages/answers.ts'
import { sendProblemPage } from '#platform/pages/problem-pages.ts'
import { LANGUAGES } from '#platform/text/messages.ts'
import type { ThemeFault } from '#shop/themes/state.ts'
import type { Themes } from '#shop/themes/themes.theme.ts'
import { themeBroken } from '../errors.ts'
import { chooseLanguage } from '../rules.ts'
import { wantedLanguages } from '../visits/visit.cache.ts'
import { browserOf } from '../visits/visits.site.ts'
import { awayPage, themeFaultPage } from './views.ts'

const NOT_FOUND = 404
const UNAVAILABLE = 503
/** What is said on a page without the theme, if the theme cannot say it. */
const PLAIN = new Set([403, UNAVAILABLE])

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The language of a page that the theme does not make. */
function languageOf(request: FastifyRequest): string {
  return chooseLanguage(LANGUAGES, request.visit?.languages ?? wantedLanguages(browserOf(request)))
}

type Options = {
  themes: Themes
  send: ReturnType<typeof createSendPage>
  /** Is it a user of the shop's company who asks? */
  isOwner: (request: FastifyRequest) => Promise<boolean>
}

/** Logs that a theme is broken, and shows its owner where. Undefined for others: they see the page as it was before. */
export type ShowFault = (reply: FastifyReply, fault: ThemeFault | undefined) => Promise<FastifyReply | undefined>

export function createShowFault({ send, isOwner }: Omit<Options, 'themes'>): ShowFault {
  return async (reply, fault) => {
    if (fault === undefined) return undefined
    const { request } = reply
    request.log.error({ file: fault.file, line: fault.line }, `a theme is broken: ${fault.message}`)
    return (await isOwner(request))
      ? send(reply, themeFaultPage(languageOf(request), fault), { status: 500 })
      : undefined
  }
}

/** Answers what fails in this context with a page of the shop, or with a plain one if that fails too. */
export function addFailurePages(app: FastifyInstance, { themes, send, isOwner }: Options): void {
  /** Says a failure without the theme. That nothing can be read is said in the visitor's language. */
  function sendPlain(reply: FastifyReply, problem: Problem): FastifyReply {
    const { request } = reply
    if (problem.status !== UNAVAILABLE) return sendProblemPage(send, reply, problem)
    const page = awayPage(languageOf(request), request.id, SAFE.has(request.method))
    return send(reply.headers(problem.headers), page, { status: problem.status })
  }

  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const fault = themes.faultOf(error)
    const problem =
      fault === undefined ? logged(error, request, asProblem(error, request)) : themeBroken(undefined, error)
    if (fault !== undefined) request.log.error({ err: error }, 'a theme is broken')
    reply.headers(problem.headers)
    if (request.visit === undefined) return sendPlain(reply, problem)
    const model = { problem: { status: problem.status, message: problem.message, request_id: request.id } }
    const template = problem.status === NOT_FOUND ? 'not-found' : 'problem'
    try {
      if (fault !== undefined && (await isOwner(request)))
        return send(reply, themeFaultPage(languageOf(request), fault), { status: 500 })
      const page = { title_key: `${template.replace('-', '_')}.title`, is_private: true }
      return await reply.shopPage(template, { ...model, page }, { status: problem.status })
    } catch (second) {
      // The frame of the page is read from the database, too. If that is away, the theme is not to blame.
      const away = asProblem(second as FastifyError)
      if (away?.status === UNAVAILABLE) return sendPlain(reply, away)
      request.log.error({ err: second }, 'the page of a failure failed too')
      return sendPlain(reply, PLAIN.has(problem.status) ? problem : themeBroken())
    }
  })
}
