import { type Defi, toDefi } from '../../../api/defi/defi-positions.ts'
import { currentRate } from '../../../api/prices/current-rate.ts'
import { portfolioDefi } from '../../../api/portfolios/portfolio-defi.ts'
import { syncedWalletsOf } from '../../../api/portfolios/synced-wallets.ts'
import { type HeldCollection, readHeldCollections } from '../../../db/nft/read-wallet.ts'
import type { Portfolio } from '../../../db/portfolios/read-portfolios.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { amount, count, minute, type Money, moneyIn } from '../../parts/format.ts'
import { html, type Html } from '../../parts/html.ts'
import { table } from '../../parts/table.ts'
import { askedShape, linkTo, type PortfolioVisit, readQuery, selectOwn } from './asked.ts'
import { change } from './change.ts'
import { chooser, pendingNote } from './chooser.ts'

/** NFTs are summed from all transfers of a wallet, so not for any number of wallets at once. */
const WALLETS = 20

/** What the wallets hold beside coins: positions in DeFi protocols, and NFTs by collection. */
export function positionsPage({ db, now }: { db: ReadonlyDb; now: () => Date }) {
  return async ({ request, account: { accountId }, show }: PortfolioVisit): Promise<void> => {
    const asked = readQuery(request, askedShape)
    const { all, selected } = await selectOwn(db, { accountId, portfolio: asked.portfolio })
    const { currency } = asked
    const money = moneyIn(currency)
    const perUsd = Number(await currentRate(db, { currency, now: now() }))
    const { pending, ...found } = await portfolioDefi(db, selected.portfolios)
    const defi = await toDefi(db, found)
    show({
      title: 'DeFi and NFTs',
      body: html`<p><a href="${linkTo('overview', asked)}">Back to the portfolio</a></p>
        ${await chooser(db, { page: 'positions', all, asked })} ${pendingNote(pending, all)}
        <h2>DeFi</h2>
        <p class="soft">
          A token that represents a position is also among the coins: do not add both. Profit is the value
          less what was paid for that token.
        </p>
        ${defiTable(defi, { currency, money, perUsd })}
        <h2>NFTs</h2>
        ${await nfts(db, { portfolios: selected.portfolios, currency, money, perUsd })}`,
    })
  }
}

interface Shown {
  currency: string
  money: Money
  /** units of the currency for a USD, at the rate of now */
  perUsd: number
}

/** Cost in BTC and ETH is at the rates of the time of each purchase. */
function profitIn(
  currency: string,
  profit: { USD: number; BTC: number; ETH: number; perUsd: number },
): number {
  if (currency === 'BTC' || currency === 'ETH') return profit[currency]
  return profit.USD * profit.perUsd
}

const NUMBERS = ['Value', 'Profit', 'Liquidation below 1', 'Debt']

function defiTable({ protocols }: Defi, { currency, money, perUsd }: Shown): Html {
  if (protocols.length === 0) return html`<p class="soft">No positions.</p>`
  const rows = protocols.flatMap(({ name, url, blockchain, investments }) =>
    investments.map((one) => [
      html`<a href="${url}" rel="noreferrer">${name}</a> <span class="soft">${blockchain.name}</span>`,
      html`${one.name}${one.assets.map(({ title, amount: held, symbol }) => html`<span class="small">${title} ${amount(held)} ${symbol}</span>`)}`,
      one.value ? money.worth(one.value.USD * perUsd) : 'no price',
      one.profit && change(profitIn(currency, { ...one.profit, perUsd }), money),
      one.healthRate?.toFixed(2),
      one.debtRatio === undefined ? '' : `${(one.debtRatio * 100).toFixed(1)} %`,
      one.unlockAt && minute(new Date(one.unlockAt)),
    ]),
  )
  const columns = ['Protocol', 'Position', ...NUMBERS, 'Locked until']
  return table({ label: 'DeFi', columns, numbers: NUMBERS, rows })
}

async function nfts(
  db: ReadonlyDb,
  { portfolios, money, perUsd }: Shown & { portfolios: readonly Portfolio[] },
): Promise<Html> {
  const wallets = [...Map.groupBy(await syncedWalletsOf(db, portfolios), ({ address }) => address)]
  const held: HeldCollection[] = []
  // One after the other, so that a page uses one connection.
  for (const [address, networks] of wallets.slice(0, WALLETS)) {
    const networkIds = networks.map(({ networkId }) => networkId)
    held.push(...(await readHeldCollections(db, { address, networkIds })))
  }
  const worth = (usd: string | null) => (usd === null ? 'no price' : money.worth(Number(usd) * perUsd))
  const columns = ['Collection', 'Tokens', 'Floor price', 'At the floor price']
  const left = wallets.length - WALLETS
  return html`${
    held.length === 0
      ? html`<p class="soft">No NFTs.</p>`
      : table({
          label: 'NFTs',
          columns,
          numbers: columns.slice(1),
          rows: held.map((one) => [
            html`${one.name} <span class="soft">${one.blockchain}</span>`,
            count(one.tokens),
            worth(one.floorUsd),
            worth(one.totalFloorUsd),
          ]),
        })
  }
  ${left > 0 && html`<p class="soft">${left} more wallets are not looked at: choose their portfolio above.</p>`}`
}
