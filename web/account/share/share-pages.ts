import cookie from '@fastify/cookie'
import formBody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, rateLimited, sharedPortfolioNotFound } from '../../../api/errors.ts'
import { createFailureBucket, WRONG_CREDENTIALS } from '../../../api/metering/failure-bucket.ts'
import { openShare } from '../../../api/portfolios/open-share.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import type { SharedPortfolio, Shares } from '../../../db/portfolios/shares.ts'
import { atMost } from '../../parts/at-most.ts'
import { sendErrorPage, wayOn } from '../../parts/error-page.ts'
import { readForm } from '../../parts/form.ts'
import { html } from '../../parts/html.ts'
import { createSealedCookies, type SealedCookie } from '../../parts/sealed-cookies.ts'
import { sendPage } from '../../parts/send-page.ts'
import { servePath } from '../../parts/serve-path.ts'
import { TIME_CHART_SCRIPT } from '../../parts/time-chart.ts'
import { readShared } from './read-shared.ts'
import { shareView } from './share-view.ts'

const MAX_FORM_BYTES = 1_024
const MAX_CONCURRENT = 4

export interface ShareDeps {
  shares: Shares
  db: ReadonlyDb
  now: () => Date
  monotonicMs: () => number
  /** Secret that encrypts the passcode cookies. */
  secret: string
  secure: boolean
}

/**
 * Pages of share links: the portfolio, or a form for its passcode. Texts, statuses and the lock are those of
 * the API. A correct passcode is kept for an hour in a sealed cookie of that URL and checked again with each
 * view.
 */
export function sharePages(deps: ShareDeps): (app: FastifyInstance) => Promise<void> {
  const { shares, db, now } = deps
  const failures = createFailureBucket({ monotonicMs: deps.monotonicMs, ...WRONG_CREDENTIALS })
  const few = atMost(MAX_CONCURRENT)

  return async (app) => {
    await app.register(cookie)
    await app.register(formBody, { bodyLimit: MAX_FORM_BYTES })
    app.setErrorHandler((error, request, reply) => sendErrorPage(error, request, reply))
    const cookies = createSealedCookies(deps)

    /** Returns the portfolio, or the error that the API would return. */
    async function open(
      request: FastifyRequest,
      passcode: string | undefined,
    ): Promise<SharedPortfolio | ApiError> {
      const waitS = failures.waitS(request.ip)
      if (waitS > 0) return rateLimited({ 'retry-after': String(waitS) })
      try {
        return await openShare({ shares }, { token: tokenOf(request), passcode })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        failures.count(request.ip)
        return error
      }
    }

    async function view(
      request: FastifyRequest,
      reply: FastifyReply,
      opened: SharedPortfolio,
    ): Promise<FastifyReply> {
      const shared = await few(() => readShared(db, { opened, now: now() }))
      if (!shared) return refuse(request, reply, sharedPortfolioNotFound())
      return sendPage(reply, {
        title: shared.name,
        body: shareView(shared),
        script: TIME_CHART_SCRIPT,
        compressed: true,
      })
    }

    servePath(app, '/p/:token', {
      async GET(request, reply) {
        const kept = cookieOf(request)
        const passcode = (await cookies.get(request, kept))?.['passcode']
        const opened = await open(request, passcode)
        if (!(opened instanceof ApiError)) return view(request, reply, opened)
        // The stored passcode is wrong now: do not try it again with the next view.
        if (passcode !== undefined) cookies.clear(reply, kept)
        return refuse(request, reply, opened)
      },
      async POST(request, reply) {
        const passcode = readForm(request.body).text('passcode')
        const opened = await open(request, passcode)
        if (opened instanceof ApiError) return refuse(request, reply, opened)
        await cookies.set(reply, cookieOf(request), { passcode })
        return reply.redirect(`/p/${tokenOf(request)}`, 303)
      },
    })
  }
}

const tokenOf = (request: FastifyRequest): string => (request.params as { token: string }).token

const cookieOf = (request: FastifyRequest): SealedCookie => ({
  name: 'sluice_passcode',
  path: `/p/${encodeURIComponent(tokenOf(request))}`,
  seconds: 3_600,
})

/**
 * Shows the error of the API, with a form if a passcode is missing or wrong. Reveals no more than the API.
 */
function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  { statusCode, message, headers }: ApiError,
): FastifyReply {
  const isPasscode = message.startsWith('Passcode')
  const body = html`<p class="panel${isPasscode ? ' notice' : ' problem'}" role="status">${message}</p>
    ${
      !isPasscode &&
      html`${statusCode < 429 && html`<p>Ask the person who sent you the link for another one.</p>`}
      ${wayOn(request)}`
    }
    ${
      isPasscode &&
      html`<form method="post">
        <label
          >Passcode, six digits
          <input
            name="passcode"
            inputmode="numeric"
            pattern="[0-9]{6}"
            maxlength="6"
            autocomplete="off"
            required
            autofocus /></label
        ><button>Show the portfolio</button>
      </form>`
    }`
  return sendPage(reply.headers(headers), { status: statusCode, title: 'Shared portfolio', body })
}
