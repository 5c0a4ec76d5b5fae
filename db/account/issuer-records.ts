import { hash } from 'node:crypto'
import type pg from 'pg'

// Role `issuer` may execute these functions but reads no table.

/** A record of the OpenID provider without its id. */
export type IssuerPayload = Record<string, unknown>

export interface IssuerRecord {
  payload: IssuerPayload
  /** null: not used yet */
  consumedAt: Date | null
}

/** An id is as good as a password, for example that of a session. Only its hash is stored. */
const hashId = (id: string): Buffer => hash('sha256', id, 'buffer')

/** The records of one kind (`model`) of the OpenID provider: sessions, sign-ins, grants, codes. */
export function createIssuerRecords(pool: pg.Pool, model: string) {
  async function read(by: { id: string } | { uid: string }): Promise<IssuerRecord | null> {
    const { rows } = await pool.query<IssuerRecord>(
      'select payload, consumed_at as "consumedAt" from issuer_record($1, $2, $3)',
      'id' in by ? [model, hashId(by.id), null] : [model, null, by.uid],
    )
    return rows[0] ?? null
  }

  return {
    /** Stores or replaces a record for `seconds`. */
    async keep(id: string, payload: IssuerPayload, seconds: number): Promise<void> {
      await pool.query('select keep_issuer_record($1, $2, $3, $4)', [
        model,
        hashId(id),
        JSON.stringify(payload),
        seconds,
      ])
    },
    find: (id: string): Promise<IssuerRecord | null> => read({ id }),
    findByUid: (uid: string): Promise<IssuerRecord | null> => read({ uid }),
    /** false: it was used before, or is gone. */
    async consume(id: string): Promise<boolean> {
      const { rows } = await pool.query<{ done: boolean }>('select consume_issuer_record($1, $2) as done', [
        model,
        hashId(id),
      ])
      return rows[0]!.done
    },
    async drop(id: string): Promise<void> {
      await pool.query('select drop_issuer_record($1, $2)', [model, hashId(id)])
    },
    async revokeGrant(grantId: string): Promise<void> {
      await pool.query('select revoke_issuer_grant($1)', [grantId])
    },
  }
}
