import Provider, { type Configuration, errors } from 'oidc-provider'
import { MCP_PATH } from '../../clients/mcp/mcp-path.ts'
import { html } from '../../web/parts/html.ts'
import { page, pageHeaders } from '../../web/parts/page.ts'
import type pg from 'pg'
import type { Users } from '../../db/account/users.ts'
import type { IssuerConfig } from './config.ts'
import {
  AGENT_REGISTRATION,
  AGENT_S,
  AGENT_SCOPE,
  agentResource,
  checkAgentAddresses,
} from './agent-clients.ts'
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
  const agentAudience = `${client.url}${MCP_PATH}`
  const isOwn = (id: string | undefined) => id === client.id || id === SHELL_CLIENT
  const configuration: Configuration = {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${client.url}/account/callback`],
        application_type: 'web',
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
      ...(shellSecret === null
        ? []
        : [
            {
              client_id: SHELL_CLIENT,
              client_secret: shellSecret,
              application_type: 'web' as const,
              token_endpoint_auth_method: 'client_secret_basic' as const,
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
    scopes: ['openid', 'offline_access', AGENT_SCOPE],
    clientDefaults: {
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    },
    issueRefreshToken: async (_ctx, asking) =>
      !isOwn(asking.clientId) && asking.grantTypeAllowed('refresh_token'),
    // An agent works on when its user has signed out.
    expiresWithSession: async (_ctx, { clientId }) => isOwn(clientId),
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      userinfo: { enabled: false },
      clientCredentials: { enabled: shellSecret !== null },
      resourceIndicators: {
        enabled: true,
        defaultResource: ({ oidc }) => (isOwn(oidc.client?.clientId) ? audience : agentAudience),
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource, asking) {
          // Agents get tokens for MCP alone, which the API refuses, and the account page those of the API.
          if (resource !== (isOwn(asking.clientId) ? audience : agentAudience))
            throw new errors.InvalidTarget()
          if (!isOwn(asking.clientId)) {
            checkAgentAddresses(asking)
            return agentResource(agentAudience)
          }
          return {
            scope: SCOPES,
            audience,
            accessTokenFormat: 'jwt',
            accessTokenTTL: TOKEN_TTL_S,
            jwt: { sign: { alg: 'RS256' } },
          }
        },
      },
      ...AGENT_REGISTRATION,
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: async (_ctx, sub) =>
      Object.hasOwn(demoUsers, sub) || (await users.isEnabled(sub))
        ? { accountId: sub, claims: () => ({ sub }) }
        : undefined,
    async loadExistingGrant({ oidc }) {
      // Anybody can register under any name, so each connection of an agent is asked for.
      if (!isOwn(oidc.client?.clientId)) {
        const grantId = oidc.result?.consent?.grantId
        return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId)
      }
      // Client and API are ours, so no consent page is needed.
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
      Grant: (_ctx, { clientId }) => (isOwn(clientId) ? 28_800 : AGENT_S),
      RefreshToken: AGENT_S,
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
