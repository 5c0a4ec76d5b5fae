import type { Queue } from '../../db/console/read-sources.ts'
import { count } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { ago } from './figures.ts'

/** Shows requested syncs that are not done. */
export function queuePanel(queue: Queue, at: Date): Html {
  const oldest = (instant: Date | null) => (instant ? ago(instant, at) : 'none')
  return html`<dl class="panel">
    <dt>Commands waiting for a workflow</dt>
    <dd>
      ${count(queue.commands)}${queue.oldestCommandAt && html`, the oldest ${ago(queue.oldestCommandAt, at)}`}
    </dd>
    <dt>Wallets and networks</dt>
    <dd>${states(queue.wallets, queue.walletsBegun, queue.walletsFailed)}</dd>
    <dt>Oldest sync of a wallet</dt>
    <dd>${oldest(queue.oldestWalletAt)}</dd>
    ${
      queue.walletsWithGaps > 0 &&
      html`<dt>Wallets with a gap in their history</dt>
        <dd>${count(queue.walletsWithGaps)}: ${queue.gapReason}</dd>`
    }
    ${
      queue.coinsWithGaps > 0 &&
      html`<dt>Coins without a part of their past prices</dt>
        <dd>${count(queue.coinsWithGaps)}: ${queue.priceGapReason}</dd>`
    }
    <dt>Exchange accounts</dt>
    <dd>${states(queue.exchanges, queue.exchangesBegun, queue.exchangesFailed)}</dd>
    <dt>Oldest sync of an exchange</dt>
    <dd>${oldest(queue.oldestExchangeAt)}</dd>
  </dl>`
}

const states = (all: number, begun: number, failed: number): string =>
  `${count(all)}: ${count(begun)} in their first sync, ${count(failed)} whose last sync failed`
