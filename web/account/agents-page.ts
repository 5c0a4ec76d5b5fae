import type pg from 'pg'
import { notFound } from '../../api/errors.ts'
import { MCP_PATH } from '../../clients/mcp/mcp-path.ts'
import { type ConnectedAgent, listAgents, setAgentEnded } from '../../db/account/agents.ts'
import { day } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import type { AccountVisit } from './visit.ts'

export const AGENTS = '/account/agents'

/** The agents that read the account over MCP, each with a button to end it. */
export function agentsPages({ pool, url }: { pool: pg.Pool; url: string }) {
  const set =
    (isEnded: boolean) =>
    async ({ account: { accountId }, form, redirect }: AccountVisit): Promise<void> => {
      const agent = { accountId, subject: form.text('subject'), clientId: form.text('client') }
      if (!(await setAgentEnded(pool, { ...agent, isEnded }))) throw notFound()
      await redirect(AGENTS, {
        message: isEnded ? 'The agent is ended. It reads nothing more.' : 'The agent may read again.',
      })
    }

  return {
    list: async ({ account, csrf, flash, show }: AccountVisit): Promise<void> => {
      const agents = await listAgents(pool, account.accountId)
      show({
        title: 'Agents',
        body: html`${await flash()}
          <p>
            Connect an agent to <code>${url}${MCP_PATH}</code>. It opens a page here where you let it in.
            Agents read your account and spend its credits; they change nothing.
          </p>
          ${agents.length === 0 && html`<p class="soft">No agents yet.</p>`}
          ${agents.map((agent) => panel(agent, csrf))}`,
      })
    },
    end: set(true),
    allow: set(false),
  }
}

function panel(agent: ConnectedAgent, csrf: Html): Html {
  const { name, subject, clientId, connectedAt, lastUsedAt, endedAt } = agent
  return html`<section class="panel">
    <h2>${name}</h2>
    <dl>
      <dt>Connected</dt>
      <dd>${day(connectedAt)}</dd>
      <dt>Last used</dt>
      <dd>${lastUsedAt ? day(lastUsedAt) : 'never'}</dd>
      ${
        endedAt &&
        html`<dt>Ended</dt>
          <dd>${day(endedAt)}</dd>`
      }
    </dl>
    <form method="post" action="${AGENTS}/${endedAt ? 'allow' : 'end'}">
      ${csrf}<input type="hidden" name="subject" value="${subject}" />
      <input type="hidden" name="client" value="${clientId}" />
      ${
        endedAt
          ? html`<button class="plain">Let ${name} in again</button>`
          : html`<button class="bad">End ${name}</button>`
      }
    </form>
  </section>`
}
