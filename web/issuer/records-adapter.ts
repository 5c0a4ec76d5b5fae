import type pg from 'pg'
import { type Adapter, type AdapterFactory, errors } from 'oidc-provider'
import { createIssuerRecords, type IssuerRecord } from '../../db/account/issuer-records.ts'

/** An agent that no user lets in within a day is forgotten. */
const NEW_AGENT_S = 86_400

/** Keeps what the provider knows in Postgres, so that it survives a restart and several processes share it. */
export function recordsAdapter(pool: pg.Pool): AdapterFactory {
  return (model): Adapter => {
    const records = createIssuerRecords(pool, model)
    const payloadOf = (found: IssuerRecord | null, id?: string) =>
      found
        ? {
            ...found.payload,
            ...(id !== undefined && { jti: id }),
            ...(found.consumedAt && { consumed: Math.floor(found.consumedAt.getTime() / 1_000) }),
          }
        : undefined
    return {
      // Everything that is kept here expires. Only agents that registered themselves have no time of their own.
      upsert: (id, { jti: _id, ...payload }, seconds) => records.keep(id, payload, seconds ?? NEW_AGENT_S),
      find: async (id) => payloadOf(await records.find(id), id),
      findByUid: async (uid) => payloadOf(await records.findByUid(uid)),
      // Of the device flow, which is off.
      findByUserCode: async () => undefined,
      async consume(id) {
        // The provider has looked before: of two requests at the same moment, both saw an unused code.
        if (!(await records.consume(id))) throw new errors.InvalidGrant('it was used before')
      },
      destroy: (id) => records.drop(id),
      revokeByGrantId: (grantId) => records.revokeGrant(grantId),
    }
  }
}
