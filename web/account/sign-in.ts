import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Configuration, ServerMetadata } from 'openid-client'
import { ApiError } from '../../api/errors.ts'
import { beginSession, endSession } from '../../db/account/sessions.ts'
import type { AccountConfig } from './config.ts'
import { html } from '../parts/html.ts'
import type { SealedCookie, SealedCookies } from '../parts/sealed-cookies.ts'
import { sendPage } from '../parts/send-page.ts'
import { servePath } from '../parts/serve-path.ts'
import { SESSION } from '../parts/visit.ts'
import type { AccountVisit } from './visit.ts'

const BEGUN: SealedCookie = { name: 'sluice_sign_in', path: '/account', seconds: 600 }
const DEADLINE_S = 5

// Loaded on the first sign-in, because only sign-ins need it.
const openidClient = () => import('openid-client')

interface SignInDeps {
  config: Pick<AccountConfig, 'issuer' | 'isEmbedded' | 'clientId' | 'clientSecret' | 'url'>
  /** Connects as role `account`. */
  pool: pg.Pool
  cookies: SealedCookies
  visits: (handle: (visit: AccountVisit) => Promise<void>) => Parameters<typeof servePath>[2]['GET']
}

/** Adds sign-in at the OpenID provider (authorization code with PKCE, state and nonce) and sign-out. */
export function addSignIn(app: FastifyInstance, { config, pool, cookies, visits }: SignInDeps): void {
  const { issuer, isEmbedded, clientId, clientSecret, url } = config
  /** Pages to which a sign-in may redirect. */
  const homes: Record<string, string> = {
    account: '/account',
    console: '/console',
    // Where users of the embedded provider set how they sign in.
    ...(isEmbedded && { security: `${issuer}/security` }),
  }
  const callbackUrl = `${url}/account/callback`
  let found: Promise<Configuration> | null = null

  async function provider(): Promise<Configuration> {
    found ??= discover().catch((cause: unknown) => {
      found = null
      app.log.warn({ issuer, reason: (cause as Error).message }, 'the OpenID provider does not answer')
      throw new ApiError(
        503,
        'Sign-in is unavailable because the OpenID provider does not answer. Try again in a moment.',
      )
    })
    return found
  }

  async function discover(): Promise<Configuration> {
    const client = await openidClient()
    const authenticate: Parameters<typeof client.discovery>[3] = (server, ...rest) =>
      (takesBasic(server) ? client.ClientSecretBasic : client.ClientSecretPost)(clientSecret)(server, ...rest)
    return client.discovery(new URL(issuer), clientId, undefined, authenticate, {
      timeout: DEADLINE_S,
      execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
    })
  }

  servePath(app, '/account/sign-in', {
    async GET(request, reply) {
      const asked = new URLSearchParams(request.url.split('?')[1])
      const to = Object.hasOwn(homes, asked.get('to') ?? '') ? asked.get('to')! : 'account'
      const prompt = asked.get('prompt') === 'login'
      // Set the cookie on the host of the callback. Redirect once only: a proxy may rewrite the Host header.
      if (request.host !== new URL(url).host && !asked.has('here'))
        return reply.redirect(`${url}/account/sign-in?here&to=${to}${prompt ? '&prompt=login' : ''}`, 303)
      const [client, server] = [await openidClient(), await provider()]
      const [state, nonce] = [client.randomState(), client.randomNonce()]
      const verifier = client.randomPKCECodeVerifier()
      await cookies.set(reply, BEGUN, { state, nonce, verifier, to })
      const target = client.buildAuthorizationUrl(server, {
        redirect_uri: callbackUrl,
        scope: 'openid',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // After a sign-out the provider must ask for the password again.
        ...(prompt && { prompt: 'login' }),
      })
      return reply.redirect(target.href, 303)
    },
  })

  servePath(app, '/account/callback', {
    async GET(request, reply) {
      const begun = await cookies.get(request, BEGUN)
      cookies.clear(reply, BEGUN)
      const [client, server] = [await openidClient(), await provider()]
      const tokens =
        begun &&
        (await client
          .authorizationCodeGrant(server, new URL(`${url}${request.url}`), {
            pkceCodeVerifier: begun['verifier']!,
            expectedState: begun['state']!,
            expectedNonce: begun['nonce']!,
            idTokenExpected: true,
          })
          .catch((error: Error) => {
            request.log.info({ requestId: request.id, reason: error.message }, 'a sign-in failed')
            return null
          }))
      const subject = tokens?.claims()?.sub
      if (subject === undefined) {
        const body = html`<p class="panel problem">The sign-in was not completed.</p>
          <p><a class="button" href="/account/sign-in">Sign in</a></p>`
        return sendPage(reply, { status: 400, title: 'Sign in', body })
      }
      // End the former session of this browser.
      const { session: former } = (await cookies.get(request, SESSION)) ?? {}
      if (former !== undefined) await endSession(pool, former)
      const session = await beginSession(pool, { issuer, subject, seconds: SESSION.seconds })
      await cookies.set(reply, SESSION, { session, csrf: randomBytes(24).toString('base64url') })
      return reply.redirect(homes[begun!['to'] ?? 'account']!, 303)
    },
  })

  servePath(app, '/account/sign-out', {
    POST: visits(async ({ signOut }) => signOut('/account/signed-out'))!,
  })

  servePath(app, '/account/signed-out', {
    async GET(_request, reply) {
      const body = html`<p>You are signed out of Sluice.</p>
        <p><a class="button" href="/account/sign-in?prompt=login">Sign in</a></p>`
      return sendPage(reply, { title: 'Signed out', body })
    },
  })
}

const takesBasic = ({ token_endpoint_auth_methods_supported: methods }: ServerMetadata): boolean =>
  methods === undefined || methods.includes('client_secret_basic')
