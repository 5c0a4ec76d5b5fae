import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type Provider from 'oidc-provider'
import { errors } from 'oidc-provider'
import { html } from '../../web/parts/html.ts'
import { page, pageHeaders } from '../../web/parts/page.ts'
import { DEMO_SUBJECT } from '../../db/values/demo-names.ts'

const MAX_BODY_BYTES = 4_096

/** The sign-in form of the sandbox issuer, at the URL of an interaction. */
export function createSignIn(options: {
  provider: Provider
  /** Passwords by name. */
  users: Readonly<Record<string, string>>
  /** Page to which a successful sign-in redirects. */
  accountUrl: string
}): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { provider, users, accountUrl } = options
  const headers = pageHeaders({ formTargets: [new URL(accountUrl).origin] })

  function show(response: ServerResponse, { status, problem }: { status: number; problem?: string }): void {
    const body = html` ${problem !== undefined && html`<p class="panel problem" role="alert">${problem}</p>`}
      <p>
        Sign in to the sandbox of this installation. <code>npm start</code> prints the users and passwords.
      </p>
      <form method="post">
        <label>User <input name="user" value="${DEMO_SUBJECT}" autocomplete="username" required /></label>
        <label
          >Password <input name="password" type="password" autocomplete="current-password" required autofocus
        /></label>
        <button>Sign in</button>
      </form>`
    response.writeHead(status, headers).end(page({ title: 'Sign in', body }))
  }

  return async (request, response) => {
    try {
      await provider.interactionDetails(request, response)
      if (request.method !== 'POST') return show(response, { status: 200 })
      const form = new URLSearchParams(await bodyOf(request))
      const user = form.get('user') ?? ''
      const isRight = Object.hasOwn(users, user) && isSame(form.get('password') ?? '', users[user]!)
      if (!isRight) return show(response, { status: 401, problem: 'User or password is wrong.' })
      await provider.interactionFinished(request, response, { login: { accountId: user } })
    } catch (error) {
      // The sign-in expired or was started in another browser.
      if (!(error instanceof errors.SessionNotFound)) throw error
      const body = html`<p class="panel problem">
          This sign-in has expired or was started in another browser.
        </p>
        <p><a href="${accountUrl}/account">Start again</a></p>`
      response.writeHead(400, headers).end(page({ title: 'Sign in', body }))
    }
  }
}

const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))

async function bodyOf(request: IncomingMessage): Promise<string> {
  const length = Number(request.headers['content-length'] ?? Infinity)
  return length <= MAX_BODY_BYTES ? text(request) : ''
}
