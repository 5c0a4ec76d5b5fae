import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type Provider from 'oidc-provider'
import { MCP_PATH } from '../../clients/mcp/mcp-path.ts'
import { allowAgent } from '../../db/account/agents.ts'
import { createIssuerRecords } from '../../db/account/issuer-records.ts'
import { html } from '../parts/html.ts'
import { servePath } from '../parts/serve-path.ts'
import { AGENT_S, AGENT_SCOPE } from './agent-clients.ts'
import type { Interactions, SignInStep } from './interactions.ts'

const MOST_NAME = 80

interface ConsentDeps {
  provider: Provider
  pool: pg.Pool
  /** Address of the provider. */
  issuer: string
  accountUrl: string
}

/** Adds the page where a user lets an agent read their account, or does not. */
export function addConsentPages(app: FastifyInstance, steps: Interactions, deps: ConsentDeps): void {
  const { provider, pool, issuer, accountUrl } = deps
  const registrations = createIssuerRecords(pool, 'Client')

  /** The agent that asks, and for whom. null: the sign-in has not come so far. */
  async function asked({ prompt, params, subject }: SignInStep) {
    if (prompt !== 'consent' || subject === null) return null
    const client = await provider.Client.find(String(params['client_id']))
    if (!client) return null
    const redirect = new URL((params['redirect_uri'] as string | undefined) ?? client.redirectUris![0]!)
    const name = (client.clientName?.trim() || client.clientId).slice(0, MOST_NAME)
    return { client, name, redirect, subject }
  }

  servePath(app, '/interaction/:uid/consent', {
    GET: steps(async (step) => {
      const agent = await asked(step)
      if (!agent) return step.redirect(step.home)
      const { name, redirect } = agent
      const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(redirect.hostname)
      return step.show({
        title: 'Let an agent read your account?',
        // The answer leads to the agent.
        formTargets: [redirect.origin === 'null' ? redirect.protocol : redirect.origin],
        body: html`<p>
            <strong>${name}</strong> asks to use this installation for you. It calls itself so; nobody has
            checked the name. The answer goes to
            <code>${redirect.origin === 'null' ? redirect.protocol : redirect.host}</code>${
              isLocal ? ', a program on this computer' : ''
            }.
          </p>
          <h2>It may</h2>
          <ul>
            <li>
              read your portfolios, wallets, exchange accounts, transactions, profit and loss, and all market
              data
            </li>
            <li>
              spend the credits of your account: each read costs what it costs with a key, up to all that are
              left
            </li>
            <li>keep this access for ${AGENT_S / 86_400} days, or until you end it</li>
          </ul>
          <h2>It may not</h2>
          <ul>
            <li>change, add or delete anything, or move funds</li>
            <li>see your password, your keys or the credentials of exchanges</li>
          </ul>
          <p>You see and end connected agents at <a href="${accountUrl}/account/agents">your account</a>.</p>
          <form class="row" method="post" action="${step.home}/consent">
            <button name="answer" value="yes">Let ${name} read</button>
            <button name="answer" value="no" class="plain">Refuse</button>
          </form>`,
      })
    }),
    POST: steps(async (step) => {
      const agent = await asked(step)
      if (!agent) return step.redirect(step.home)
      const { client, name, subject } = agent
      const refuse = (description: string) =>
        step.answer({ error: 'access_denied', error_description: description })
      if (step.form.text('answer') !== 'yes') return refuse('The user refused.')
      const { clientId } = client
      if (!(await allowAgent(pool, { issuer, subject, clientId, name })))
        return refuse('The user has no account here.')
      // Its registration must last as long as what is allowed here.
      const registered = await registrations.find(clientId)
      if (registered) await registrations.keep(clientId, registered.payload, AGENT_S)
      const grant = new provider.Grant({ clientId, accountId: subject })
      const scopes = ((step.params['scope'] as string | undefined) ?? '').split(' ')
      const own = scopes.filter((scope) => ['openid', 'offline_access', AGENT_SCOPE].includes(scope))
      if (own.length > 0) grant.addOIDCScope(own.join(' '))
      grant.addResourceScope(`${accountUrl}${MCP_PATH}`, AGENT_SCOPE)
      return step.answer({ consent: { grantId: await grant.save() } })
    }),
  })
}
