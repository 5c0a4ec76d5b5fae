import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import { decimal, formatDecimal, negate, ZERO } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { installPythonTool } from './install-python-tool.ts'
import type { LotEvent } from './lot-events.ts'

const run = promisify(execFile)
const START_MS = Date.parse('2001-01-01')
/** beancount rounds amounts to the decimal places of their neighbours, and computes with 28 digits. */
const PLACES = 16

export async function installBeancount(): Promise<string> {
  return await installPythonTool({
    name: 'beancount-3.2.3',
    requirements: ['beancount==3.2.3', 'beanquery==0.2.0'],
  })
}

/**
 * The gain that beancount books for each disposal, by event key. All histories share one ledger, each with
 * its own account. A beancount ledger has only days, so each event gets the next day.
 */
export async function beancountGains(input: {
  programs: string
  folder: string
  events: readonly LotEvent[]
  method: CostMethod
}): Promise<Map<string, Decimal>> {
  const file = join(input.folder, `${input.method}.beancount`)
  await writeFile(file, ledgerText(input))
  await run(join(input.programs, 'bean-check'), [file])
  const query = "SELECT narration, number WHERE account = 'Income:Gains'"
  const args = ['-f', 'csv', file, query]
  const { stdout } = await run(join(input.programs, 'bean-query'), args, { maxBuffer: 64 * 1024 * 1024 })
  // beancount has checked that every disposal balances. It books nothing if the gain is zero.
  const disposals = input.events.filter(({ kind }) => kind === 'dispose')
  const gains = new Map(disposals.map(({ key }) => [key, ZERO]))
  for (const line of stdout.trim().split('\n').slice(1)) {
    const [key, number] = line.split(',').map((cell) => cell.trim())
    gains.set(key!, negate(decimal(number!)))
  }
  return gains
}

function ledgerText({ events, method }: { events: readonly LotEvent[]; method: CostMethod }): string {
  const accounts = new Set(events.map(accountOf))
  const lines = ['2000-01-01 open Equity:Cash', '2000-01-01 open Income:Gains']
  for (const account of accounts) lines.push(`2000-01-01 open ${account} "${method.toUpperCase()}"`)
  for (const event of events) {
    const { key, seq, kind, coinId } = event
    const day = new Date(START_MS + seq * DAY_MS).toISOString().slice(0, 10)
    const quantity = formatDecimal(event.quantity)
    lines.push(`${day} * "${key}"`)
    if (kind === 'acquire')
      lines.push(`  ${accountOf(event)}  ${quantity} ${coinId} {{${places(event.usd)} USD}}`, '  Equity:Cash')
    else
      lines.push(
        `  ${accountOf(event)}  -${quantity} ${coinId} {}`,
        `  Equity:Cash  ${places(event.usd)} USD`,
        '  Income:Gains',
      )
  }
  return `${lines.join('\n')}\n`
}

const accountOf = ({ history }: LotEvent) => `Assets:H${history}`

function places(amount: Decimal): string {
  const [whole, fraction = ''] = formatDecimal(amount).split('.')
  return `${whole}.${fraction.padEnd(PLACES, '0')}`
}
