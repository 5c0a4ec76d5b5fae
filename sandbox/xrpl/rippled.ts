import { ok, type Upstream, type UpstreamReply } from '../upstream.ts'
import { rlusd } from './actors.ts'
import type { Held, XrplChain, XrplTx } from './ledger.ts'

const rippleEpoch = 946_684_800
const neutral = 'rrrrrrrrrrrrrrrrrrrrBZbvji'

const failed = (error: string, message: string): UpstreamReply =>
  ok({ result: { error, error_message: message, status: 'error' } })

/** The decimal that the ledger writes for micro-units. */
const valueOf = (units: bigint): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(7, '0')
  const text = `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
  return units < 0n ? `-${text}` : text
}

/** The JSON-RPC of rippled (API version 1) with validated ledgers. `lost`: ledgers before it are not there. */
export function createRippled(chainNow: () => XrplChain, { lost = 0 } = {}): Upstream {
  return ({ bodyText, now }) => {
    const chain = chainNow()
    const { method, params } = JSON.parse(bodyText) as { method: string; params: [Record<string, unknown>] }
    const [asked] = params
    const newest = chain.validated(now)
    const given = asked['ledger_index']
    const ledger = given === 'validated' || given === undefined ? newest : Number(given)
    if (ledger > newest) return failed('lgrNotFound', 'ledgerNotFound')
    const { account = '' } = asked as { account?: string }
    if (method === 'ledger') {
      const closed = chain.closedAt(ledger) - rippleEpoch
      const header = { ledger_index: String(ledger), close_time: closed, closed: true }
      return ok({ result: { ledger: header, ledger_index: ledger, validated: true, status: 'success' } })
    }
    if (method === 'account_info') {
      const held = chain.held(account, ledger)
      if (!held) return failed('actNotFound', 'Account not found.')
      const data = { Account: account, Balance: String(held.drops), LedgerEntryType: 'AccountRoot' }
      return ok({ result: { account_data: data, ledger_index: ledger, validated: true, status: 'success' } })
    }
    if (method === 'account_lines') return lines(account, { held: chain.held(account, ledger), ledger })
    if (method === 'account_tx') return transactions(chain, { account, asked, newest, lost })
    return failed('unknownCmd', 'Unknown method.')
  }
}

function lines(account: string, { held, ledger }: { held: Held | null; ledger: number }): UpstreamReply {
  if (!held) return failed('actNotFound', 'Account not found.')
  const { currency, issuer } = rlusd
  const line = {
    account: issuer,
    balance: valueOf(held.rlusd),
    currency,
    limit: '1000000000',
    limit_peer: '0',
  }
  return ok({ result: { account, lines: [line], ledger_index: ledger, validated: true, status: 'success' } })
}

function transactions(
  chain: XrplChain,
  input: { account: string; asked: Record<string, unknown>; newest: number; lost: number },
): UpstreamReply {
  const { account, asked, newest, lost } = input
  const least = Math.max(Number(asked['ledger_index_min']), lost)
  const most = Math.min(Number(asked['ledger_index_max']), newest)
  if (chain.held(account, newest) === null) return failed('actNotFound', 'Account not found.')
  const { ledger: from = 0 } = (asked['marker'] ?? {}) as { ledger?: number }
  const all = chain.of(account, most).filter(({ ledger }) => ledger >= Math.max(least, from))
  if (asked['forward'] !== true) all.reverse()
  const limit = Number(asked['limit'] ?? 200)
  const next = all[limit]
  const rows = all.slice(0, limit).map((tx) => rowOf(tx, chain.closedAt(tx.ledger) - rippleEpoch))
  return ok({
    result: {
      account,
      ledger_index_min: least,
      ledger_index_max: most,
      limit,
      ...(next && { marker: { ledger: next.ledger, seq: next.position } }),
      transactions: rows,
      validated: true,
      status: 'success',
    },
  })
}

const rowOf = (tx: XrplTx, date: number) => ({
  validated: true,
  tx: {
    hash: tx.hash,
    ledger_index: tx.ledger,
    inLedger: tx.ledger,
    date,
    TransactionType: tx.type,
    Account: tx.account,
    ...(tx.destination && { Destination: tx.destination }),
    Fee: String(tx.fee),
    Sequence: 1,
  },
  meta: {
    TransactionIndex: tx.position,
    TransactionResult: tx.result,
    AffectedNodes: tx.changes.flatMap(nodesOf),
  },
})

/** The account, and its trust line as the low account sees it: half of the accounts are the high one. */
function nodesOf({ account, before, after }: XrplTx['changes'][number]) {
  const root = { LedgerEntryType: 'AccountRoot', LedgerIndex: '0'.repeat(64) }
  const isNew = before.drops === 0n && before.rlusd === 0n
  const fields = { Account: account, Balance: String(after.drops) }
  const accountNode = isNew
    ? { CreatedNode: { ...root, NewFields: fields } }
    : {
        ModifiedNode: {
          ...root,
          FinalFields: fields,
          PreviousFields: before.drops === after.drops ? { Sequence: 1 } : { Balance: String(before.drops) },
        },
      }
  if (before.rlusd === after.rlusd) return [accountNode]
  const { currency, issuer } = rlusd
  const isLow = account < issuer
  const balance = (units: bigint) => ({ currency, issuer: neutral, value: valueOf(isLow ? units : -units) })
  const limit = (owner: string) => ({ currency, issuer: owner, value: '0' })
  const [low, high] = isLow ? [account, issuer] : [issuer, account]
  const line = {
    Balance: balance(after.rlusd),
    LowLimit: limit(low),
    HighLimit: limit(high),
  }
  const state = { LedgerEntryType: 'RippleState', LedgerIndex: '1'.repeat(64) }
  return [
    accountNode,
    { ModifiedNode: { ...state, FinalFields: line, PreviousFields: { Balance: balance(before.rlusd) } } },
  ]
}
