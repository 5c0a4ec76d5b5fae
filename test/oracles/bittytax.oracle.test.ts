import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'
import { readFile } from '../../web/account/import/read-file.ts'
import type { Amount } from '../../web/account/import/movement.ts'
import { FILES } from '../account/import-files.ts'
import { installPythonTool } from './install-python-tool.ts'

// BittyTax, a tax program of others, reads the files of exchanges as Sluice reads them.

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'sluice-bittytax-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Line {
  at: Date
  isBuy: boolean
  /** of ETH and BTC, with at most four decimals, so that products have at most eight */
  base: string
  quote: string
  fee: string
}

const amounts = fc.integer({ min: 1, max: 10_000_000 }).map((units) => String(units / 10_000))
const lines: fc.Arbitrary<Line> = fc.record({
  at: fc
    .integer({ min: Date.UTC(2017, 0, 1) / 1_000, max: Date.UTC(2026, 0, 1) / 1_000 })
    .map((seconds) => new Date(seconds * 1_000)),
  isBuy: fc.boolean(),
  base: amounts,
  quote: amounts,
  fee: amounts,
})

const day = (at: Date) => at.toISOString().slice(0, 10)
const clock = (at: Date) => at.toISOString().slice(11, 19)
const spaced = (at: Date) => `${day(at)} ${clock(at)}`
const dayFirst = (at: Date) => `${day(at).slice(2).split('-').toReversed().join('-')} ${clock(at)}`
function american(at: Date): string {
  const hours = at.getUTCHours()
  const time = `${hours % 12 || 12}:${clock(at).slice(3)} ${hours < 12 ? 'AM' : 'PM'}`
  return `${at.getUTCMonth() + 1}/${at.getUTCDate()}/${at.getUTCFullYear()} ${time}`
}
const times = (a: string, b: number) => String(Number((Number(a) * b).toFixed(8)))

/** The lines of a file, below the header of the sample. */
const WRITE: Partial<Record<keyof typeof FILES, (line: Line, id: number) => string | string[]>> = {
  Bitstamp: ({ at, isBuy, base, quote, fee }) => [
    `1,Main Account,Market,${isBuy ? 'Buy' : 'Sell'},${at.toISOString()},${base},ETH,${quote},BTC,1,BTC,${fee},BTC,7`,
    `2,Main Account,${isBuy ? 'Deposit' : 'Withdrawal'},,${at.toISOString()},${quote},BTC,,,,,,,`,
  ],
  'Bitfinex, trades': ({ at, isBuy, base, quote, fee }) =>
    `1,ETH/BTC,${isBuy ? '' : '-'}${base},${quote},-${fee},0.2,BTC,${dayFirst(at)},9`,
  'Bitfinex, movements': ({ at, isBuy, base, fee }) =>
    `1,${dayFirst(at)},BTC,COMPLETED,${isBuy ? '' : '-'}${base},-${fee},bc1,aa,`,
  'Crypto.com App': ({ at, isBuy, base, quote }) => [
    `${spaced(at)},Buy,BTC,${base},,,GBP,${quote},1,crypto_purchase,`,
    `${spaced(at)},BTC -> ETH,BTC,-${base},ETH,${quote},GBP,1,1,crypto_exchange,`,
    `${spaced(at)},x,BTC,${isBuy ? base : `-${base}`},,,GBP,1,1,${isBuy ? 'referral_gift' : 'crypto_withdrawal'},`,
  ],
  'KuCoin, filled orders': ({ at, isBuy, base, quote, fee }) =>
    `1,Spot,a,ETH-BTC,${isBuy ? 'BUY' : 'SELL'},LIMIT,1,${base},${quote},1,${spaced(at)},${fee},,TAKER,BTC`,
  'KuCoin, withdrawals': ({ at, base, fee }) => `1,Main,${spaced(at)},,SUCCESS,${fee},${base},BTC,BTC,bc1`,
  'KuCoin, deposits': ({ at, base, fee }) => `1,Main,${spaced(at)},BTC,${base},${fee},BTC,SUCCESS,`,
  'OKX, trading history': ({ at, base, quote, fee }, id) => [
    `${id},1${id},${spaced(at)},Spot,ETH-BTC,Sell,${quote},BTC,0,0,0,0,-1,1,BTC`,
    `${id},1${id},${spaced(at)},Spot,ETH-BTC,Buy,${base},ETH,0,-${fee},0,0,1,1,ETH`,
  ],
  'OKX, funding history': ({ at, isBuy, base, fee }) =>
    `1,${spaced(at)},${isBuy ? 'Deposit' : 'Withdrawal'},${isBuy ? '' : '-'}${base},0,0,${fee},BTC`,
  'Poloniex, trades': ({ at, isBuy, base, quote }) =>
    `${spaced(at)},ETH/BTC,Exchange,${isBuy ? 'Buy' : 'Sell'},1,${base},${quote},0.2%,1,0,0,${isBuy ? 'ETH' : 'BTC'},${times(isBuy ? base : quote, 0.002)}`,
  'Poloniex, withdrawals': ({ at, base, fee }) =>
    `${spaced(at)},BTC,${times(String(Number(base) + Number(fee)), 1)},${fee},${base},bc1,COMPLETE: aa`,
  'Poloniex, deposits': ({ at, base }) => `${spaced(at)},BTC,${base},bc1,COMPLETE`,
  'Bittrex, orders': ({ at, isBuy, base, quote, fee }) =>
    `a,BTC-ETH,${american(at)},LIMIT_${isBuy ? 'BUY' : 'SELL'},1,${times(String(Number(base) + 1), 1)},1,${fee},${quote},1,False,,0,False,${american(at)},0,`,
  'Bittrex, deposits': ({ at, base }) => `1,BTC,${base},3,${american(at)},aa,bc1,Blockchain,,,a,CONFIRMED`,
  'Bittrex, withdrawals': ({ at, base, fee }) =>
    `a,BTC,${base},bc1,${american(at)},True,False,${fee},False,aa`,
  'FTX, trades': ({ at, isBuy, base, quote, fee }) =>
    `1,${at.toISOString()},ETH/BTC,${isBuy ? 'buy' : 'sell'},limit,${base},1,${quote},${fee},BTC`,
  'FTX, withdrawals': ({ at, base, fee }) => `1,${at.toISOString()},BTC,${base},bc1,complete,aa,${fee}`,
  'FTX, deposits': ({ at, base }) => `1,${at.toISOString()},BTC,${base},complete,,aa`,
}

const textOf = (amounts: readonly (Amount | null)[]) =>
  amounts.map((one) => (one ? `${formatDecimal(one.amount)} ${one.asset}` : '')).join(' ')
const amountOf = (quantity: string, asset: string): Amount | null =>
  Number(quantity) === 0 ? null : { amount: decimal(quantity), asset }

const ours = (file: string) =>
  readFile(file).entries.flatMap((entry) => {
    if ('left' in entry && entry.left.startsWith('it is the other side')) return []
    if (!('movement' in entry)) return JSON.stringify(entry)
    const { at, received, spent, fees } = entry.movement
    return `${at.toISOString().slice(0, 19)} ${textOf([received, spent, fees[0] ?? null])}`
  })

const theirs = (csv: string) =>
  (parse(csv, { columns: true }) as Record<string, string>[]).map((row) => {
    const of = (side: string) => amountOf(row[`${side} Quantity`]!, row[`${side} Asset`]!)
    return `${row['Timestamp']!.slice(0, 19)} ${textOf([of('Buy'), of('Sell'), of('Fee')])}`
  })

let programs: string
beforeAll(async () => {
  const requirements = ['BittyTax==0.6.0', 'python-dateutil==2.9.0.post0']
  programs = await installPythonTool({ name: 'bittytax-0.6.0', requirements })
}, 600_000)

test.each(Object.entries(WRITE))(
  'BittyTax reads the same from a file of %s',
  async (name, write) => {
    const [header] = FILES[name as keyof typeof FILES].split('\n')
    const some = fc.sample(lines, { numRuns: 100, seed: 26 })
    const file = [header!.replace('UTC+08:00', 'UTC'), ...some.flatMap(write), ''].join('\n')
    const [input, output] = [join(folder, `${name}.csv`), join(folder, `${name}.out.csv`)]
    writeFileSync(input, file)
    const script = join(import.meta.dirname, 'bittytax_reads.py')
    await run(join(programs, 'python'), [script, input, '--format', 'CSV', '-o', output], {
      // Its configuration is written to the home.
      env: { ...process.env, HOME: folder },
    })
    const [read, converted] = [ours(file), theirs(readFileSync(output, 'utf8'))]
    expect(read.length).toBeGreaterThanOrEqual(100)
    expect(read.toSorted()).toEqual(converted.toSorted())
  },
  60_000,
)
