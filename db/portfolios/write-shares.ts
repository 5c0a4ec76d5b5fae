import { type Selectable, sql } from 'kysely'
import type { Db } from '../schema.ts'
import { createShareToken, hashShareToken, keyPasscode } from '../values/share-token.ts'
import { uuidV7 } from '../values/uuid-v7.ts'
import type { PortfolioShare } from './tables.ts'

/** Operator commands, run with the rights of the database's owner. */

/** The owner of a portfolio, and whether the owner has Degen, which sharing needs. */
export function findPortfolioOwner(
  db: Db,
  portfolioId: string,
): Promise<{ accountId: string; degen: boolean } | undefined> {
  return db
    .selectFrom('portfolios')
    .innerJoin('accounts', 'accounts.id', 'portfolios.account_id')
    .select(['accounts.id as accountId', 'accounts.degen'])
    .where((eb) => eb(eb.cast<string>(eb.ref('portfolios.id'), 'text'), '=', portfolioId))
    .executeTakeFirst()
}

/** Creates a share and returns its token, which cannot be read later. */
export async function createShare(
  db: Db,
  share: { portfolioId: string; passcode: { digits: string; pepper: string } | null; now: Date },
): Promise<{ shareId: string; token: string }> {
  const { portfolioId, passcode, now } = share
  const [shareId, token] = [uuidV7(now.getTime()), createShareToken()]
  const keyed = passcode && keyPasscode({ passcode: passcode.digits, pepper: passcode.pepper })
  await db
    .insertInto('portfolio_shares')
    .values({
      id: shareId,
      portfolio_id: portfolioId,
      token_hash: hashShareToken(token),
      passcode_hash: keyed && sql<Buffer>`share_passcode_hash(${shareId}::uuid, ${keyed})`,
      locked_until: null,
      revoked_at: null,
    })
    .execute()
  return { shareId, token }
}

/** Replaces the token of a share; the old one stops at once. Passcode and rights stay, tries are reset. */
export async function rotateShare(db: Db, shareId: string): Promise<{ token: string } | null> {
  const token = createShareToken()
  const result = await db
    .updateTable('portfolio_shares')
    .set({ token_hash: hashShareToken(token), wrong_passcodes: 0, locked_until: null })
    .where((eb) => eb(eb.cast<string>(eb.ref('id'), 'text'), '=', shareId))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n ? { token } : null
}

/** Revokes a share: its token stops at once. */
export async function revokeShare(db: Db, shareId: string): Promise<{ revoked: number }> {
  const result = await db
    .updateTable('portfolio_shares')
    .set({ revoked_at: sql<Date>`now()` })
    .where((eb) => eb(eb.cast<string>(eb.ref('id'), 'text'), '=', shareId))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return { revoked: Number(result.numUpdatedRows) }
}

type ShareLine = Pick<Selectable<PortfolioShare>, 'id' | 'wrong_passcodes' | 'created_at' | 'revoked_at'> & {
  passcode: boolean
  locked_until: string | null
}

/** The shares of a portfolio, in the order of their creation. */
export function listShares(db: Db, portfolioId: string): Promise<ShareLine[]> {
  return db
    .selectFrom('portfolio_shares')
    .select((eb) => [
      'id',
      eb('passcode_hash', 'is not', null).$castTo<boolean>().as('passcode'),
      'wrong_passcodes',
      // As text, because a permanent lock is 'infinity'.
      eb.cast<string | null>('locked_until', 'text').as('locked_until'),
      'created_at',
      'revoked_at',
    ])
    .where('portfolio_id', '=', portfolioId)
    .orderBy('created_at')
    .execute()
}
