import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// What broke on the first day with real services, each with the test that holds it: the numbers of the review, the rows
// of what breaks first, and the rows of the list of strict doubles. A test that is renamed must be renamed here.

type Held = readonly [finding: string, file: string, title: string]

const FOUND: Held[] = [
  [
    'without a key of CoinGecko nothing has a price',
    'test/upstreams/prices/zero-keys.db.test.ts',
    '0.1: without any key 500 coins have prices',
  ],
  [
    'a sync of a wallet costs 32,500 compute units where a free node gives 500 a second, and fails 8 of 8',
    'test/chain/free-plans.db.test.ts',
    'the sync of a wallet with 1,500 transactions completes',
  ],
  [
    'one busy market of Polymarket stops the venue for good',
    'test/upstreams/polymarket.db.test.ts',
    '32: the offset cap of v1 is an end',
  ],
  [
    'archived candles of Kalshi are refused',
    'test/upstreams/kalshi.db.test.ts',
    '40: an archived market is found among the combinations, with its fills and its candles',
  ],
  [
    'trades of Kalshi without taker_side are refused',
    'test/upstreams/kalshi.db.test.ts',
    'of the shape of %s are all kept, at the price of their taker',
  ],
  [
    'the first month costs 11,400 calls of the 10,000 of CoinGecko',
    'test/upstreams/prices/day-of-calls.live.test.ts',
    'with a free key a day takes less of CoinGecko than a thirty-first of its month',
  ],
  [
    'wallets on Base and BNB stay syncing for ever on a free key of an explorer',
    'test/upstreams/backfill.db.test.ts',
    '23, 28: the next one takes over, and the node where none is left',
  ],
  [
    'what no explorer gives keeps a wallet syncing',
    'test/chain/history-gaps.db.test.ts',
    'of a long chain is a gap with a reason, and the sync ends',
  ],
  [
    'texts of refusals that a pattern misses, and the trap beyond the head',
    'test/upstreams/rpc-refusal.test.ts',
    'block range extends beyond current head block',
  ],
  [
    'the instant key of OpenSea: 600 reads an hour, seven days',
    'test/upstreams/opensea.db.test.ts',
    '42: a key is renewed a day before it ends, and no read is refused',
  ],
  [
    'windows of prices above 15 days are refused by the CLOB',
    'test/upstreams/polymarket.db.test.ts',
    '35: the prices of three months are read in windows that the service accepts',
  ],
  [
    'CoinPaprika answers 402 to a spent allowance',
    'test/upstreams/prices/refusals.test.ts',
    '6, 7: CoinPaprika',
  ],
  [
    'five requests a second to the public Esplora do not last; counters before pages',
    'test/upstreams/extended-key.db.test.ts',
    'a key with 200 addresses is synced within the pace',
  ],
  [
    'Bitcoin in the plan: 1,728 requests a day if followed, 31,680 if polled',
    'test/sources/plan-requests.test.ts',
    'a followed Bitcoin costs the same for any number of wallets',
  ],
  [
    'explorers in the plan: histories once, and all wallets again where networks are polled',
    'test/sources/plan-requests.test.ts',
    'explorers read the histories of followed wallets once',
  ],
  [
    'explorers in the plan: what a wallet asks of each',
    'test/upstreams/declared-wallets.test.ts',
    'a wallet by %s',
  ],
  [
    'Solana in the plan: a hundred accounts a call, and two calls for a list',
    'test/upstreams/declared-wallets.test.ts',
    'wallets on Solana: balances of a hundred accounts a call',
  ],
  [
    'Bitcoin in the plan: what an address asks',
    'test/upstreams/extended-key.db.test.ts',
    'a quiet address costs its counters and the blocks, as the plan says',
  ],
  [
    'Solana at 40 calls of a method in ten seconds',
    'test/upstreams/backfill.db.test.ts',
    'by the public node of Solana, 40 calls of a method in ten seconds',
  ],
  [
    'every source is counted by the plan',
    'test/sources/plan-sources.db.test.ts',
    'each source has a line in the plan, or a reason why not',
  ],
]

/** Rows of the list of strict doubles; most say their number in a title. */
const ROWS: Record<number, readonly [file: string, title: string]> = {
  1: ['test/upstreams/prices/refusals.test.ts', '1 to 4: CoinGecko'],
  2: ['test/upstreams/prices/refusals.test.ts', '1 to 4: CoinGecko'],
  3: ['test/upstreams/prices/refusals.test.ts', '1 to 4: CoinGecko'],
  5: [
    'test/prices/rules.test.ts',
    'the last point of a chart is the current price, not the edge of a bucket',
  ],
  8: ['test/upstreams/prices/zero-keys.db.test.ts', '0.1: without any key 500 coins have prices'],
  14: ['test/insights/coinmarketcap.test.ts', 'an error code that is the text "0" is none'],
  16: ['test/upstreams/nodes.test.ts', '16, QuickNode: six blocks of logs are refused'],
  20: ['test/upstreams/nodes.test.ts', '20, Base: 101 blocks'],
  21: ['test/upstreams/nodes.test.ts', '21, Ankr: everything without a key'],
}
const NUMBERED = [
  'backfill.db',
  'explorer-adapters',
  'explorers',
  'kalshi.db',
  'nodes',
  'opensea.db',
  'polymarket.db',
  'prediction-rates',
  'prices/refusals',
  'small/goplus.db',
  'small/small-services',
].map((name) => `test/upstreams/${name}.test.ts`)
const LAST_ROW = 47

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

test.each(FOUND)('%s', (_finding, file, title) => {
  expect(textOf(file)).toContain(title)
})

test('each row of the list of strict doubles has a test', () => {
  const titled = new Set(
    NUMBERED.flatMap((file) =>
      [...textOf(file).matchAll(/['`](\d{1,2}(?:, \d{1,2})*): /g)].flatMap(([, numbers]) =>
        numbers!.split(', ').map(Number),
      ),
    ),
  )
  const rows = Array.from({ length: LAST_ROW }, (_, i) => i + 1)
  expect(rows.filter((row) => !titled.has(row) && !(row in ROWS))).toEqual([])
  for (const [file, title] of Object.values(ROWS)) expect(textOf(file)).toContain(title)
})
