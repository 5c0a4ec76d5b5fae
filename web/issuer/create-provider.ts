import Provider, { type Configuration } from 'oidc-provider'
import { html } from '../../web/parts/html.ts'
import { page, pageHeaders } from '../../web/parts/page.ts'
import type pg from 'pg'
import type { Users } from '../../db/account/users.ts'
import type { IssuerConfig } from './config.ts'
import { recordsAdapter } from './records-adapter.ts'
import { SHELL_CLIENT } from '../../db/values/demo-names.ts'
import type { SigningKeys } from './signing-keys.ts'

const SCOPES = 'sluice:read sluice:write'
const TOKEN_TTL_S = 3_600

/**
 * A real OpenID provider with the account page as its client (authorization code with PKCE), and in the sandbox the
 * shell (client credentials).
 */
export function createProvider(
  config: IssuerConfig,
  { keys, pool, users }: { keys: SigningKeys; pool: pg.Pool; users: Users },
): Provider {
  const { audience, client, shellSecret, demoUsers } = config
  const configuration: Configuration = {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${client.url}/account/callback`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
      ...(shellSecret === null
        ? []
        : [
            {
              client_id: SHELL_CLIENT,
              client_secret: shellSecret,
              redirect_uris: [],
              grant_types: ['client_credentials'],
              response_types: [],
            },
          ]),
    ],
    adapter: recordsAdapter(pool),
    jwks: { keys: keys.jwks as NonNullable<Configuration['jwks']>['keys'] },
    cookies: {
      keys: keys.cookies,
      // Cookies ignore ports, so the names must differ from those of the account page on the same host.
      names: { session: 'issuer_session', interaction: 'issuer_interaction', resume: 'issuer_resume' },
    },
    scopes: ['openid'],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      userinfo: { enabled: false },
      clientCredentials: { enabled: shellSecret !== null },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        getResourceServerInfo: () => ({
          scope: SCOPES,
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: TOKEN_TTL_S,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: async (_ctx, sub) =>
      Object.hasOwn(demoUsers, sub) || (await users.isEnabled(sub))
        ? { accountId: sub, claims: () => ({ sub }) }
        : undefined,
    // Client and API are ours, so no consent page is needed.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      })
      grant.addOIDCScope('openid')
      grant.addResourceScope(audience, SCOPES)
      await grant.save()
      return grant
    },
    ttl: {
      AccessToken: TOKEN_TTL_S,
      ClientCredentials: TOKEN_TTL_S,
      IdToken: 600,
      Session: 28_800,
      Interaction: 1_800,
      Grant: 28_800,
    },
    renderError(ctx, { error, error_description: description }) {
      ctx.set(pageHeaders())
      ctx.body = page({
        title: 'Request failed',
        body: html`<p class="panel problem">${description ?? error}</p>
          <p><a href="${client.url}/account">Go to the account page</a></p>`,
      })
    },
  }
  const provider = new Provider(config.issuer, configuration)
  // The server says itself how it is reached, whatever the client sent.
  provider.proxy = true
  return provider
}
