import type pg from 'pg'
import { z } from 'zod'
import { lockInstantKey, storeInstantKey } from '../../db/nft/instant-keys.ts'
import type { InstantKey } from '../../db/nft/tables.ts'
import { transact } from '../../db/transact.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { isSourceError } from '../errors.ts'
import type { HttpClient } from '../http-client.ts'
import { OPENSEA } from './sources/opensea.ts'

/** Keys that the worker makes for itself, which all workers share. */
export interface InstantKeys {
  /** The key in force. It is renewed a day before it ends. */
  current: () => Promise<string>
  /** The key to use after one was refused. */
  replace: (refused: string) => Promise<string>
}

/** A key ends after seven days. */
const RENEW_MS = DAY_MS
/** OpenSea gives an address two keys an hour. */
const APART_MS = HOUR_MS / 2
/** For how long the key in force is remembered. */
const REMEMBER_MS = 60_000

const answer = z.object({ api_key: z.string().min(1).max(500), expires_at: z.iso.datetime({ offset: true }) })

export function openSeaKeys(deps: {
  pool: pg.Pool
  http: HttpClient
  url: string
  now: () => Date
}): InstantKeys {
  const { pool, http, url, now } = deps
  let known: { key: string; until: number } | undefined

  async function make(): Promise<{ key: string; expiresAt: Date }> {
    const made = await http.fetchJson({ source: OPENSEA, url: `${url}/auth/keys`, body: {}, schema: answer })
    return { key: made.api_key, expiresAt: new Date(made.expires_at) }
  }

  /** The stored key, or another one when it does not do. */
  function keyUnless(isDone: (stored: InstantKey) => boolean): Promise<string> {
    return transact(pool, async (transaction) => {
      const nowMs = now().getTime()
      const stored = await lockInstantKey(transaction, OPENSEA)
      if (stored && (!isDone(stored) || nowMs < stored.made_at.getTime() + APART_MS))
        return remember(stored.key)
      try {
        const { key, expiresAt } = await make()
        await storeInstantKey(transaction, { source: OPENSEA, key, madeAt: new Date(nowMs), expiresAt })
        return remember(key)
      } catch (error) {
        // An old key is good until it ends.
        if (stored && isSourceError(error) && stored.expires_at.getTime() > nowMs) return remember(stored.key)
        throw error
      }
    })
  }

  function remember(key: string): string {
    known = { key, until: now().getTime() + REMEMBER_MS }
    return key
  }

  return {
    current: async () =>
      known && now().getTime() < known.until
        ? known.key
        : keyUnless(({ expires_at }) => now().getTime() > expires_at.getTime() - RENEW_MS),
    replace: (refused) => keyUnless(({ key }) => key === refused),
  }
}
