import { amount, type Money } from '../../parts/format.ts'
import { html, type Html } from '../../parts/html.ts'
import { table } from '../../parts/table.ts'
import { change } from './change.ts'
import { type Asked, linkTo } from './asked.ts'
import type { HeldCoin } from './read-overview.ts'

/** Part of the value below which a coin is dust. */
const DUST = 0.0001

/** Coins with their part of the value. Hidden, with their number: spam, dust, and what is no longer held. */
export function coinsTable(
  coins: readonly HeldCoin[],
  { asked, money, isAll }: { asked: Asked; money: Money; isAll: boolean },
): Html {
  const total = coins.reduce((sum, { value }) => sum + value, 0)
  const isDust = ({ value, count }: HeldCoin) => count !== 0 && value < total * DUST
  const groups = {
    spam: coins.filter(({ isSpam }) => isSpam),
    dust: coins.filter((coin) => !coin.isSpam && isDust(coin)),
    past: coins.filter(({ isSpam, count }) => !isSpam && count === 0),
  }
  const hidden = new Set(isAll ? [] : Object.values(groups).flat())
  const shown = coins.filter((coin) => !hidden.has(coin))
  const reasons = [
    ...(groups.spam.length > 0 ? [`${groups.spam.length} of spam`] : []),
    ...(groups.dust.length > 0 ? [`${groups.dust.length} worth nearly nothing`] : []),
    ...(groups.past.length > 0 ? [`${groups.past.length} no longer held`] : []),
  ]
  return html`${
    shown.length === 0
      ? html`<p class="soft">Nothing is held.</p>`
      : html`<div class="wide coins">
          ${table({ label: 'Coins', columns: ['Coin', ...NUMBERS], numbers: NUMBERS, rows: shown.map((coin) => row(coin, { total, asked, money })) })}
        </div>`
  }
  ${
    reasons.length > 0 &&
    html`<p class="soft">
      ${isAll ? 'Also shown' : 'Hidden'}: ${reasons.join(', ')}.
      <a href="${linkTo('overview', asked, { all: isAll ? undefined : 'true' })}#coins"
        >${isAll ? 'Hide them' : 'Show all coins'}</a
      >
    </p>`
  }`
}

const NUMBERS = [
  'Amount',
  'Price',
  'Value',
  'Part',
  'Cost',
  'Average buy',
  '24 hours',
  'Unrealised',
  'Realised',
]

function row(
  coin: HeldCoin,
  { total, asked, money }: { total: number; asked: Asked; money: Money },
): (Html | string)[] {
  const part = total > 0 ? Math.max(0, coin.value / total) * 100 : 0
  const link = linkTo('coin', asked, { coinId: coin.coinId })
  return [
    html`<a href="${link}">${coin.name || coin.coinId}</a> <span class="soft">${coin.symbol}</span>`,
    amount(coin.count),
    coin.price === null ? 'no price' : money.price(coin.price),
    money.worth(coin.value),
    html`${part.toFixed(1)} %<svg
        class="part"
        viewBox="0 0 100 1"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect class="track" width="100" height="1" />
        <rect class="s0" width="${part.toFixed(1)}" height="1" />
      </svg>`,
    money.worth(coin.cost),
    coin.averageBuy === 0 ? '' : money.price(coin.averageBuy),
    ...[coin.profit24h, coin.unrealized, coin.realized].map((value) => change(value, money)),
  ]
}
