import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { databaseUrlOf, type RunningSluice, startSluice } from '../start/running.ts'
import { settle } from '../start/settle.ts'
import { differences, filledTables, type StoredTable, storedTables } from '../setup/stored-tables.ts'

// First starts, each beside another installation that starts at the same moment. Their homes are new except
// for the sandbox anchor, so that all have the same world and their rows can be compared.

const STARTS = 10
/** Metrics ports of the two installations, which use three ports each. */
const METRICS_PORTS = ['19464', '19474'] as const

/** Columns with random values, start-time values or own ports, which differ between installations. */
const OWN: Record<string, string[]> = {
  accounts: ['id', 'anchor_at'],
  api_keys: ['hash', 'account_id', 'prefix'],
  books: ['connection_id', 'portfolio_id'],
  coin_fold_days: ['fold_id'],
  coin_folds: ['fold_id'],
  coin_moves: ['fold_id'],
  credit_periods: ['account_id', 'starts_at', 'ends_at'],
  exchange_balances: ['connection_id'],
  exchange_connections: ['id', 'account_id', 'fingerprint'],
  exchange_cursors: ['connection_id'],
  exchange_legs: ['connection_id'],
  exchange_secrets: ['connection_id', 'account_id', 'key_id', 'wrapped_key', 'ciphertext', 'sealed_at'],
  exchange_transactions: ['connection_id'],
  idempotent_answers: ['account_id', 'key', 'request_id', 'fingerprint', 'body'],
  identities: ['account_id', 'issuer'],
  lot_uses: ['fold_id', 'acquired', 'disposed'],
  manual_transactions: ['id', 'portfolio_id'],
  news_sources: ['etag', 'last_modified'],
  // Contains the port of the sandbox, which is the next free one beside another installation.
  nft_assets: ['image_url'],
  operators: ['issuer'],
  pl_states: ['book_id'],
  portfolio_snapshots: ['portfolio_id'],
  portfolios: ['id', 'account_id'],
  rate_states: ['account_id'],
  scopes: ['book_id', 'account_id'],
  // A node is named by its host and port, and its allowance is that of the host.
  sources: ['name', 'account'],
  transaction_days: ['ledger'],
  usage_days: ['account_id'],
  wallet_transaction_counts: ['revision'],
}

const begunAt = new Date()
const homes: string[] = []
let anchorFile: string
let undisturbed: Map<string, StoredTable>

const read = ({ home }: RunningSluice) => storedTables(databaseUrlOf(home), begunAt, OWN)

/** Runs `npm start` in an empty home, or in one that has only the anchor of the first. */
async function firstStart(metricsPort: string, anchor?: string): Promise<RunningSluice> {
  const home = mkdtempSync(join(tmpdir(), 'sluice-ten-'))
  homes.push(home)
  chmodSync(home, 0o755)
  if (anchor !== undefined) copyFileSync(anchor, join(home, 'sandbox-anchor'))
  return startSluice({ home, env: { API_PORT: String(await freePort()), METRICS_PORT: metricsPort } })
}

beforeAll(async () => {
  const sluice = await firstStart(METRICS_PORTS[0])
  anchorFile = join(sluice.home, 'sandbox-anchor')
  await settle(sluice)
  let before = await read(sluice)
  await vi.waitFor(
    async () => {
      const now = await read(sluice)
      const changed = differences(before, now)
      before = now
      expect(changed).toEqual([])
    },
    { timeout: 120_000, interval: 10_000 },
  )
  undisturbed = before
  await sluice.end()
}, 400_000)

afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true })
})

test.each(Array.from({ length: STARTS }, (_, i) => i + 1))(
  'A10 first start %i beside another one completes with the rows of an undisturbed start',
  async () => {
    const both = await Promise.allSettled([
      firstStart(METRICS_PORTS[0], anchorFile),
      firstStart(METRICS_PORTS[1]),
    ])
    const started = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    try {
      expect(both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([])
      const [sluice, other] = started as [RunningSluice, RunningSluice]
      for (const { output } of started) expect(output()).not.toMatch(/^.*warning: /m)
      await Promise.all(started.map(settle))
      await vi.waitFor(
        async () => {
          expect(differences(undisturbed, await read(sluice))).toEqual([])
          expect(filledTables(await read(other))).toEqual(filledTables(undisturbed))
        },
        { timeout: 120_000, interval: 5_000 },
      )
    } finally {
      await Promise.all(started.map((one) => one.end()))
    }
  },
  500_000,
)
