import type pg from 'pg'
import { callValue } from './call-value.ts'

/** An agent that a user of an account let in. */
export interface ConnectedAgent {
  /** The user, as the provider calls them. */
  subject: string
  clientId: string
  name: string
  connectedAt: Date
  /** null: never; else at most a minute too old */
  lastUsedAt: Date | null
  /** null: it may read */
  endedAt: Date | null
}

/** Lists the agents of an account, the newest first. Role `account`. */
export async function listAgents(pool: pg.Pool, accountId: string): Promise<ConnectedAgent[]> {
  const { rows } = await pool.query<ConnectedAgent>(
    `select subject, client_id as "clientId", name, connected_at as "connectedAt", last_used_at as "lastUsedAt",
       ended_at as "endedAt" from account_agents($1)`,
    [accountId],
  )
  return rows
}

/** Ends an agent, or lets it in again. false: the account has no such agent. Role `account`. */
export const setAgentEnded = (
  pool: pg.Pool,
  agent: { accountId: string; subject: string; clientId: string; isEnded: boolean },
): Promise<boolean> =>
  callValue(pool, 'end_agent($1, $2, $3, $4)', [
    agent.accountId,
    agent.subject,
    agent.clientId,
    agent.isEnded,
  ])

/** A user lets an agent in. false: the user has no account. Role `issuer`. */
export const allowAgent = (
  pool: pg.Pool,
  agent: { issuer: string; subject: string; clientId: string; name: string },
): Promise<boolean> =>
  callValue(pool, 'allow_agent($1, $2, $3, $4)', [agent.issuer, agent.subject, agent.clientId, agent.name])
