import { expect } from 'vitest'
import { call } from '../../sandbox/chain/calls.ts'
import { jsonRpc } from '../setup/anvil.ts'
import { USDC } from '../setup/facilitator.ts'
import { query } from '../setup/query.ts'
import { insist, type Purchase } from './paying-clients.ts'

/** Whether the chain has settled a payment. */
export async function isSettled(rpcUrl: string, { payer, nonce }: Purchase): Promise<boolean> {
  const data = call('UsdCoin', 'authorizationState', [payer, nonce])
  return BigInt(await jsonRpc(rpcUrl, 'eth_call', [{ to: USDC, data }, 'latest'])) === 1n
}

/**
 * Checks payments once everything runs again: each payment settled on the chain has exactly one stored
 * answer, which the payer got and gets again; no other payment was served. Returns the settled total in base
 * units.
 */
export async function checkPurchases(
  purchases: readonly Purchase[],
  where: { rpcUrl: string; databaseUrl: string; url: () => string },
): Promise<bigint> {
  let settledUnits = 0n
  for (const purchase of purchases) {
    const { nonce, amount, bodies, transactions, statuses } = purchase
    const wasSettled = await isSettled(where.rpcUrl, purchase)
    const rows = await query<{ state: string; transaction: string | null; body: string | null }>(
      where.databaseUrl,
      `select state, transaction, convert_from(body, 'UTF8') as body
       from payments left join payment_answers on payment_id = id where nonce = $1`,
      [nonce],
    )
    const found = JSON.stringify({ statuses, rows })
    if (!wasSettled) {
      expect([bodies.size, found]).toEqual([0, found])
      expect([rows.some(({ state }) => state === 'settled'), found]).toEqual([false, found])
      continue
    }
    settledUnits += amount
    expect([bodies.size, transactions.size, found]).toEqual([1, 1, found])
    expect(rows).toEqual([{ state: 'settled', transaction: [...transactions][0], body: [...bodies][0] }])
    await insist(purchase, { url: where.url, deadlineMs: 0 })
    expect([statuses.at(-1), bodies.size, transactions.size]).toEqual([200, 1, 1])
  }
  return settledUnits
}
