import type pg from 'pg'
import { hashShareToken, isPasscode, isShareToken, keyPasscode } from '../values/share-token.ts'

/** The portfolio that a share token opens. */
export interface SharedPortfolio {
  portfolioId: string
  /** Its owner. */
  accountId: string
}

/**
 * Why a token opens nothing. `unknown`: also malformed or revoked; `unentitled`: its owner has no Degen;
 * `passcode`: missing, malformed, wrong, or locked after too many wrong ones.
 */
export type ShareRefusal = 'unknown' | 'unentitled' | 'passcode'

export interface Shares {
  open: (share: { token: string; passcode: string | undefined }) => Promise<SharedPortfolio | ShareRefusal>
}

/**
 * `pool` connects as role `meter`, which may execute `open_share` but not read the shares. Without the pepper
 * every passcode is wrong.
 */
export function createShares({ pool, pepper }: { pool: pg.Pool; pepper: string | undefined }): Shares {
  return {
    async open({ token, passcode }) {
      if (!isShareToken(token)) return 'unknown'
      const isTry = passcode !== undefined && isPasscode(passcode) && pepper !== undefined
      const { rows } = await pool.query<{
        refusal: ShareRefusal | null
        portfolio_id: string
        account_id: string
      }>({
        name: 'open_share',
        text: 'select refusal, portfolio_id, account_id from open_share($1, $2)',
        values: [hashShareToken(token), isTry ? keyPasscode({ passcode, pepper }) : null],
      })
      const { refusal, portfolio_id: portfolioId, account_id: accountId } = rows[0]!
      return refusal ?? { portfolioId, accountId }
    },
  }
}
