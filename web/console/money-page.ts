import type { ReadonlyDb } from '../../db/schema.ts'
import {
  type Customer,
  type OpenPayment,
  type PaymentDay,
  readOpenPayments,
  readPaymentDays,
  readTopCustomers,
  readUsageOfAll,
} from '../../db/console/read-money.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { usdcOf } from '../../db/values/usdc.ts'
import { barChart, legend } from '../parts/bar-chart.ts'
import { count, counted, day } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import { usageChart, usageTables } from '../parts/usage-chart.ts'
import type { Visit } from '../parts/visit.ts'
import { ago, badge, share } from './figures.ts'
import { live, liveSign } from './live.ts'

/** Sums over all accounts cost more than other queries, and nobody needs them sooner. */
const EVERY_S = 30
const DAYS = 30
const MOST_CUSTOMERS = 10
const MOST_OPEN = 50

/** Payments by outcome. `lost`: a reorg removed the settlement. */
const OUTCOMES = [
  { name: 'settled', states: ['settled'], colour: 's2' },
  { name: 'failed', states: ['failed'], colour: 's4' },
  { name: 'unknown or lost', states: ['unknown', 'lost'], colour: 'bad' },
  { name: 'under way', states: ['claimed', 'settling'], colour: 's0' },
] as const
const COLOURS = OUTCOMES.map(({ colour }) => colour)

/** Shows credits and payments in totals. */
export function moneyPage({ db, now }: { db: ReadonlyDb; now: () => Date }) {
  return async ({ show }: Visit): Promise<void> => {
    const [usage, customers, days, open] = await Promise.all([
      readUsageOfAll(db),
      readTopCustomers(db, { limit: MOST_CUSTOMERS }),
      readPaymentDays(db),
      readOpenPayments(db, { limit: MOST_OPEN }),
    ])
    const at = now()
    show({
      title: 'Money',
      body: html`${liveSign(at, { everySeconds: EVERY_S })}
        <h2>Credits by day</h2>
        ${live('credits', usageChart(usage, at))}
        <h2>Payments by day</h2>
        ${live('payments', paymentsChart(days, at))}
        <h2>Open payments</h2>
        ${live('open', openTable(open, at))}
        <h2>Accounts by credits</h2>
        ${live('customers', customersTable(customers))} ${live('figures', usageTables(usage))}`,
    })
  }
}

function customersTable(customers: readonly Customer[]): Html {
  if (customers.length === 0)
    return html`<p class="soft">No account spent credits in the last ${DAYS} days.</p>`
  const most = customers[0]!.credits || 1
  return table({
    label: 'Accounts by credits of the last 30 days',
    columns: ['Account', 'Plan', 'Calls', 'Credits', 'Share', 'Used this period'],
    numbers: ['Calls', 'Credits', 'Used this period'],
    rows: customers.map(({ name, plan, calls, credits, granted, posted }) => [
      name,
      plan,
      count(calls),
      count(credits),
      share(credits / most),
      granted === null ? '–' : `${count(posted!)} of ${count(granted)}`,
    ]),
  })
}

function paymentsChart(rows: readonly PaymentDay[], at: Date): Html {
  const found = Map.groupBy(rows, ({ day }) => day)
  const dates = Array.from({ length: DAYS }, (_, i) => day(new Date(at.getTime() - (DAYS - 1 - i) * DAY_MS)))
  const bars = dates.map((date) => {
    const parts = OUTCOMES.map(({ states }) => totalOf(found.get(date) ?? [], states).payments)
    const said = OUTCOMES.flatMap(({ name }, i) => (parts[i]! > 0 ? [`${count(parts[i]!)} ${name}`] : []))
    return { label: `${date}: ${said.join(', ') || 'none'}`, parts }
  })
  const settled = totalOf(rows, ['settled'])
  const label = `Payments by day in the last ${DAYS} days, ${count(settled.payments)} settled`
  return html`<p>
      ${usdcOf(settled.amount)} USDC by ${counted(settled.payments, 'payment')} in the last ${DAYS} days
      (UTC).
    </p>
    ${barChart({ label, bars, ends: [dates[0]!, 'today'], colours: COLOURS })}
    ${legend(
      OUTCOMES.map(({ name }) => name),
      COLOURS,
    )}
    ${table({
      label: 'Payments by outcome',
      columns: ['Outcome', 'Payments', 'USDC'],
      numbers: ['Payments', 'USDC'],
      rows: OUTCOMES.map(({ name, states }) => {
        const { payments, amount } = totalOf(rows, states)
        return [name, count(payments), usdcOf(amount)]
      }),
    })}`
}

function totalOf(
  rows: readonly PaymentDay[],
  states: readonly string[],
): { payments: number; amount: bigint } {
  const own = rows.filter(({ state }) => states.includes(state))
  return {
    payments: own.reduce((sum, { payments }) => sum + payments, 0),
    amount: own.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
  }
}

function openTable(open: readonly OpenPayment[], at: Date): Html {
  if (open.length === 0) return html`<p class="soft">None. The outcome of every payment is known.</p>`
  return table({
    label: 'Open payments',
    columns: ['Payment', 'State', 'Claimed', 'USDC', 'Asked to settle', 'Last error'],
    numbers: ['USDC', 'Asked to settle'],
    rows: open.map(({ id, state, amount, claimedAt, settles, lastError }) => [
      html`<code>${id}</code>`,
      badge(state === 'unknown' ? 'bad' : 'none', state),
      ago(claimedAt, at),
      usdcOf(BigInt(amount)),
      `${settles}`,
      lastError ?? '–',
    ]),
  })
}
