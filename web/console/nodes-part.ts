import type { NodeUsage } from '../../db/console/read-node-usage.ts'
import { count } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import { gauge, type Mood } from './figures.ts'

/** Shows what nodes have spent of their allowances; nothing where none was asked. */
export function nodesPart(usage: readonly NodeUsage[]): Html {
  if (usage.length === 0) return html``
  return html`<h3>Nodes today</h3>
    ${table({
      label: 'Nodes today',
      columns: ['Network', 'Account', 'Requests', 'Units', 'Of the account', 'Allowance'],
      numbers: ['Requests', 'Units', 'Of the account'],
      rows: usage.map((one) => [
        one.networkId,
        one.account,
        count(one.requestsToday),
        count(one.unitsToday),
        count(one.accountToday),
        allowanceOf(one),
      ]),
    })}`
}

/** What the account has spent of its day or month. The mark is half of it. */
function allowanceOf({ allowance, accountToday, accountThisMonth }: NodeUsage): Html | string {
  if (allowance === null) return 'none known'
  const spent = allowance.per === 'day' ? accountToday : accountThisMonth
  const part = spent / allowance.units
  const mood: Mood = part >= 1 ? 'bad' : part >= 0.8 ? 'odd' : 'good'
  const words = `${count(spent)} of ${count(allowance.units)} this ${allowance.per}`
  return html`${gauge({ value: spent, limit: allowance.units / 2, mood, label: words })}<span class="soft"
      >${words}</span
    >`
}
