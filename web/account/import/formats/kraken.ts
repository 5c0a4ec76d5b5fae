import { sign, ZERO } from '../../../../db/values/decimal.ts'
import { amountIn, amountsIn, entryOf, noteOf, numberIn, timeIn, Unreadable } from '../fields.ts'
import type { Entry, ImportFormat, Row } from '../movement.ts'

const MOVES = [
  'deposit',
  'withdrawal',
  'staking',
  'dividend',
  'earn',
  'reward',
  'trade',
  'spend',
  'receive',
  'sale',
  'conversion',
]
const OWN_NAMES: Record<string, string> = { XBT: 'BTC', XDG: 'DOGE', ETH2: 'ETH' }

/**
 * Kraken's ledger. Lines of one `refid` are the sides of a trade. A transfer between the own wallets of an account is
 * no transaction, and a line without `txid` repeats one that is still pending.
 */
export const kraken: ImportFormat = {
  name: 'Kraken',
  columns: ['txid', 'refid', 'time', 'type', 'asset', 'amount', 'fee'],
  read(rows) {
    const entries: Entry[] = []
    for (const group of Map.groupBy(rows, (row) => row.get('refid')).values()) {
      const [first, second, ...more] = group.filter((row) => row.get('txid') !== '')
      for (const row of group)
        if (row.get('txid') === '')
          entries.push({ line: row.line, left: 'it is pending, and comes again when it is done' })
      if (!first) continue
      if (!second) entries.push(entryOf(first.line, () => single(first)))
      else if (more.length > 0) {
        const reason = `refid: ${group.length} lines have "${first.get('refid')}", and a trade has two`
        for (const { line } of group) entries.push({ line, refused: reason })
      } else {
        entries.push(entryOf(first.line, () => pair(first, second)))
        entries.push({ line: second.line, left: `it is the other side of line ${first.line}` })
      }
    }
    return entries
  },
}

function pair(first: Row, second: Row) {
  const [gave, got] = sign(numberIn(first, 'amount') ?? ZERO) < 0 ? [first, second] : [second, first]
  if (assetOf(gave) === assetOf(got)) return 'it moves between the wallets of the account'
  return {
    at: timeIn(first, 'time'),
    received: amountIn(got, 'amount', assetOf(got)),
    spent: amountIn(gave, 'amount', assetOf(gave)),
    fees: [...feesOf(gave), ...feesOf(got)],
    note: noteOf(first.get('type')),
  }
}

function single(row: Row) {
  const type = row.get('type').toLowerCase()
  if (type === 'transfer') return 'it moves between the wallets of the account'
  if (!MOVES.includes(type)) throw new Unreadable(`type: "${type}" is not known`)
  const amount = numberIn(row, 'amount')
  const own = amountIn(row, 'amount', assetOf(row))
  if (amount === null || !own) return 'the amount is 0'
  const isIn = sign(amount) > 0
  return {
    at: timeIn(row, 'time'),
    received: isIn ? own : null,
    spent: isIn ? null : own,
    fees: feesOf(row),
    note: noteOf(row.get('type')),
  }
}

const feesOf = (row: Row) => amountsIn(row, 'fee', assetOf(row))

/** Kraken's own codes, of before it used those of everybody: `XXBT`, `ZEUR`. Others, such as `ZETA`, are symbols. */
const OLD_CODE = /^(?:X(XBT|ETH|LTC|XRP|XLM|XMR|ZEC|ETC|REP|MLN|XDG|ICN|NMC)|Z(USD|EUR|GBP|CAD|JPY|AUD|CHF))$/
/** What is staked or on hold: `DOT.S`, `ETH2.S`, `DOT28.S`, `USD.HOLD`. */
const HELD = /^([A-Z0-9]+?)(?:\d{2})?\.(?:[A-Z]|HOLD)$/

function assetOf(row: Row): string {
  const code = row.get('asset')
  const plain = HELD.exec(code)?.[1] ?? code
  const [, coin, currency] = OLD_CODE.exec(plain) ?? []
  const name = coin ?? currency ?? plain
  return OWN_NAMES[name] ?? name
}
