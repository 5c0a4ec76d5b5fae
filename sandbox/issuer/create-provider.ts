import Provider, { type Configuration } from 'oidc-provider'
import { html } from '../../web/parts/html.ts'
import { page, pageHeaders } from '../../web/parts/page.ts'
import type { IssuerConfig } from './config.ts'
import { SHELL_CLIENT } from '../../db/values/demo-names.ts'
import type { SigningKeys } from './signing-keys.ts'

const SCOPES = 'sluice:read sluice:write'
const TOKEN_TTL_S = 3_600

/**
 * A real OpenID provider with two clients: the account page (authorization code with PKCE) and the shell
 * (client credentials). It keeps sessions and tokens in memory, so everybody signs in again after a restart.
 */
export function createProvider(config: IssuerConfig, keys: SigningKeys): Provider {
  const { audience, client } = config
  const configuration: Configuration = {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${client.url}/account/callback`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
      {
        client_id: SHELL_CLIENT,
        client_secret: config.shellSecret,
        redirect_uris: [],
        grant_types: ['client_credentials'],
        response_types: [],
      },
    ],
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
      clientCredentials: { enabled: true },
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
    findAccount: (_ctx, sub) =>
      Object.hasOwn(config.users, sub) ? { accountId: sub, claims: () => ({ sub }) } : undefined,
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
      Interaction: 3_600,
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
  return new Provider(config.issuer, configuration)
}
