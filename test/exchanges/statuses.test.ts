import ccxt, { type Exchange } from 'ccxt'
import { expect, test } from 'vitest'
import type { ExchangeSpec } from '../../activities/exchanges/exchange.ts'
import { EXCHANGE_SPECS, exchangeSpec } from '../../activities/exchanges/exchanges.ts'
import { ledgerPage } from '../../activities/exchanges/ledger-rows.ts'
import { transferPage } from '../../activities/exchanges/rows.ts'
import { meaningOfStatus, type TransferStatus } from '../../activities/exchanges/transfer-status.ts'

const specs = EXCHANGE_SPECS.map((spec) => [spec.source.name, spec] as const)
type Class = Exchange & Record<string, (status: string, type?: string) => string>
const classOf = ({ source: { name }, options }: ExchangeSpec) =>
  new ccxt[name as 'binance']({ options }) as Class

/** What turns statuses of transfers and of entries of ledgers into CCXT's words, by the classes that have it. */
const PARSERS = [
  'parseTransactionStatus',
  'parseTransactionStatusByType',
  'parseDepositStatus',
  'parseWithdrawalStatus',
  'parseLedgerEntryStatus',
] as const

test.each(specs)('%s: every status that its class of CCXT knows has a meaning', (_name, spec) => {
  const client = classOf(spec)
  const sources = PARSERS.flatMap((parser) => (parser in client ? [String(client[parser])] : []))
  expect(sources).not.toEqual([])
  const words = new Set(
    sources.flatMap((source) => [...source.matchAll(/: '(\w+)',/g)].map(([, word]) => word!)),
  )
  expect(words.size).toBeGreaterThan(0)
  expect([...words].filter((word) => meaningOfStatus(word, spec.statuses) === null)).toEqual([])
})

type Documented = Partial<Record<'deposit' | 'withdrawal', Record<TransferStatus, string>>>

/** Statuses by the documentation of the exchange, separated by spaces. */
const DOCUMENTED: Record<string, Documented> = {
  // https://developers.binance.com/docs/wallet/capital/deposite-history and /withdraw-history
  binance: {
    deposit: { ok: '1 6', pending: '0 7 8', failed: '2' },
    withdrawal: { ok: '6', pending: '0 2 4', failed: '1 3 5' },
  },
  // https://www.okx.com/docs-v5/en/#funding-account-rest-api-get-deposit-history and -get-withdrawal-history
  okx: {
    deposit: { ok: '2', pending: '0 8 11 12 13 14 17', failed: '' },
    withdrawal: { ok: '2', pending: '19 17 10 0 4 5 6 8 9 12 7 1 15 16 -3', failed: '-2 -1' },
  },
  // https://bybit-exchange.github.io/docs/v5/enum#depositstatus and #withdrawstatus
  bybit: {
    deposit: { ok: '3 10012', pending: '0 1 2 10011', failed: '4' },
    withdrawal: {
      ok: 'success BlockchainConfirmed',
      pending: 'SecurityCheck Pending MoreInformationRequired Unknown',
      failed: 'CancelByUser Reject Fail',
    },
  },
  // https://www.gate.com/docs/developers/apiv4/en/#retrieve-deposit-records and #retrieve-withdrawal-records
  gate: {
    deposit: { ok: 'DONE DEP_CREDITED', pending: 'REVIEW PEND MANUAL TRACK', failed: 'INVALID BLOCKED' },
    withdrawal: {
      ok: 'DONE BCODE',
      pending: 'CANCELPEND DMOVE EXTPEND FVERIFY LOCKED MANUAL REQUEST REVIEW VERIFY PROCES PEND SPLITPEND',
      failed: 'CANCEL FAIL INVALID REJECT',
    },
  },
  // https://docs.whitebit.com/api-reference/account-wallet/get-deposit-withdraw-history
  whitebit: {
    deposit: { ok: '3 7', pending: '5 15 21 22 27 28', failed: '4 9' },
    withdrawal: { ok: '3 7', pending: '1 2 5 6 10 11 12 13 14 15 16 17 21', failed: '4' },
  },
  // https://www.kucoin.com/docs-new/rest/account-info/withdrawals/get-withdrawal-history
  kucoin: {
    deposit: { ok: 'SUCCESS', pending: 'PROCESSING', failed: 'FAILURE' },
    withdrawal: { ok: 'SUCCESS', pending: 'REVIEW PROCESSING WALLET_PROCESSING', failed: 'FAILURE' },
  },
  // https://github.com/xt-com/xt-api: its public module
  xt: { deposit: { ok: 'SUCCESS', pending: 'SUBMIT REVIEW AUDITED PENDING', failed: 'FAIL CANCEL' } },
  // https://docs.cdp.coinbase.com/coinbase-app/track-apis/transactions
  coinbase: {
    deposit: {
      ok: 'completed',
      pending: 'pending waiting_for_signature waiting_for_clearing',
      failed: 'failed expired canceled',
    },
  },
}

const documented = Object.entries(DOCUMENTED).flatMap(([name, lists]) =>
  Object.entries(lists).map(([kind, statuses]) => [name, kind as keyof Documented, statuses] as const),
)
test.each(documented)('%s: each documented status of a %s has its meaning', (name, kind, statuses) => {
  const spec = exchangeSpec(name)
  const client = classOf(spec)
  const parser = PARSERS.find((one) => one in client)!
  for (const [meaning, texts] of Object.entries(statuses))
    for (const status of texts.split(' ').filter(Boolean)) {
      const transfer = { id: status, timestamp: 1_772_323_200_000, currency: 'BTC', amount: '1' }
      const { rows, quarantined } = transferPage(
        [{ ...transfer, status: client[parser]!(status, kind) }],
        kind,
        spec.statuses,
      )
      expect([status, quarantined, rows.map((row) => row.status)]).toEqual([status, [], [meaning]])
    }
})

test('a status without a meaning is put aside with its name', () => {
  const transfer = {
    id: '1',
    timestamp: 1_772_323_200_000,
    currency: 'BTC',
    amount: '1',
    status: 'teleported',
  }
  const aside = [{ reason: 'a status without a meaning here: teleported', payload: expect.anything() }]
  expect(transferPage([transfer], 'deposit')).toMatchObject({ rows: [], quarantined: aside, count: 1 })
  const entry = { ...transfer, direction: 'in', info: { type: 'gift' } }
  const spec = { kinds: {}, feeIncluded: true }
  expect(ledgerPage([entry], spec)).toMatchObject({ rows: [], quarantined: aside, count: 1 })
})

test('entries of a ledger that never happened are failed, and those to come are pending', () => {
  const entry = {
    timestamp: 1_772_323_200_000,
    currency: 'BTC',
    amount: '1',
    direction: 'in',
    info: { type: 'gift' },
  }
  const { statuses } = exchangeSpec('coinbase')
  const words = ['ok', null, 'waiting_for_clearing', 'pending', 'expired', 'canceled', 'failed']
  const entries = words.map((status, id) => ({ ...entry, id: String(id), status }))
  const { rows } = ledgerPage(entries, { kinds: {}, feeIncluded: true }, statuses)
  expect(rows.map(({ status }) => status)).toEqual([
    'ok',
    'ok',
    'pending',
    'pending',
    'failed',
    'failed',
    'failed',
  ])
})
