import { expect, test } from 'vitest'
import { createClock } from './double.ts'
import type { PredictItContract, PredictItMarket } from './predictit.ts'
import { createKalshiMarket } from './kalshi-market.ts'
import { predictionDatabase } from './prediction-doubles.ts'

// The prediction area against the strict double of PredictIt.

const { select, predictit, kalshi } = await predictionDatabase()

const contract = (id: number, more: Partial<PredictItContract> = {}): PredictItContract => ({
  id,
  name: `Candidate ${id}`,
  last: 0.42,
  close: 0.4,
  buyYes: 0.43,
  sellYes: 0.41,
  ...more,
})

const race = (): PredictItMarket => ({
  id: 8_155,
  name: 'Who will win the 2028 US presidential election?',
  status: 'Open',
  contracts: [
    contract(1, { dateEnd: '2028-11-07T23:59:59' }),
    contract(2, { last: null, close: null, buyYes: 0.02, sellYes: null }),
    contract(3, { last: null, close: 0.17 }),
  ],
})
const alone = (): PredictItMarket => ({
  id: 9_000,
  name: 'Will the Senate confirm a new Fed chair by June 30?',
  status: 'Open',
  contracts: [contract(9, { name: 'Will the Senate confirm a new Fed chair by June 30?', last: 0 })],
})

const stored = () =>
  select<Record<string, unknown>>(
    `select m.venue_market_id as id, m.status, m.question, m.label, m.best_bid::float as bid, m.best_ask::float as ask,
       o.price::float as price, m.end_at as ends, e.title as event
     from prediction_markets m join prediction_events e on e.id = m.event_id
     join prediction_outcomes o on o.market_id = m.id and o.position = 0 order by m.venue_market_id::int`,
  )

test('a market is an event, and each contract of it a market with yes and no', async () => {
  const { sync, double } = await predictit([race(), alone()])
  await sync('predictit')
  const event = race().name
  expect(await stored()).toEqual([
    {
      id: '1',
      status: 'open',
      question: `${event} Candidate 1`,
      label: 'Candidate 1',
      bid: 0.41,
      ask: 0.43,
      price: 0.42,
      ends: new Date('2028-11-07T23:59:59Z'),
      event,
    },
    // Nobody bids, and nothing was traded: between nothing and the offer.
    {
      id: '2',
      status: 'open',
      question: `${event} Candidate 2`,
      label: 'Candidate 2',
      bid: null,
      ask: 0.02,
      price: 0.01,
      ends: null,
      event,
    },
    {
      id: '3',
      status: 'open',
      question: `${event} Candidate 3`,
      label: 'Candidate 3',
      bid: 0.41,
      ask: 0.43,
      price: 0.17,
      ends: null,
      event,
    },
    {
      id: '9',
      status: 'open',
      question: alone().name,
      label: null,
      bid: 0.41,
      ask: 0.43,
      price: 0,
      ends: null,
      event: alone().name,
    },
  ])
  expect(double.asked).toHaveLength(1)
  expect(await select('select reason from quarantine')).toEqual([])
  // No figure is invented for what is not public.
  const [sums] = await select<object>(
    `select sum(volume_total_usd)::float as volume, sum(open_interest_usd)::float as interest,
       (select count(*)::int from prediction_trades) as trades, (select count(*)::int from prediction_books) as books
     from prediction_markets`,
  )
  expect(sums).toEqual({ volume: 0, interest: 0, trades: 0, books: 0 })
})

test('what is gone from the answer has closed, unless the answer is empty', async () => {
  const markets = [race(), alone()]
  const { sync, double, clock } = await predictit(markets)
  await sync('predictit')
  double.state.isEmpty = true
  await sync('predictit')
  expect((await stored()).map(({ status }) => status)).toEqual(['open', 'open', 'open', 'open'])
  double.state.isEmpty = false
  markets[1]!.status = 'Closed'
  markets[0]!.contracts.pop()
  // Made anew once a minute.
  await sync('predictit')
  expect((await stored()).map(({ status }) => status)).toEqual(['open', 'open', 'open', 'open'])
  clock.advance(60_000)
  await sync('predictit')
  expect((await stored()).map(({ id, status, bid }) => [id, status, bid])).toEqual([
    ['1', 'open', 0.41],
    ['2', 'open', null],
    ['3', 'closed', null],
    ['9', 'closed', null],
  ])
  const events = await select<{ status: string }>(
    'select status from prediction_events order by venue_event_id',
  )
  expect(events.map(({ status }) => status)).toEqual(['open', 'closed'])
})

test('prices that were read become the history, and changes are known from it', async () => {
  const markets = [alone()]
  const { sync, clock } = await predictit(markets)
  await sync('predictit')
  clock.advance(3_600_000)
  markets[0]!.contracts[0]!.last = 0.25
  await sync('predictit')
  const hours = await select<{ price: number }>(
    'select price::float from prediction_prices where minutes = 60 order by at',
  )
  expect(hours.map(({ price }) => price)).toEqual([0, 0.25])
  expect(await select('select price_change_1h::float as change from prediction_markets')).toEqual([
    { change: 0.25 },
  ])
})

test('rows with prices that are none are quarantined or empty, and the others stay', async () => {
  const odd = race()
  Object.assign(odd.contracts[0]!, { last: 42 })
  Object.assign(odd.contracts[1]!, { id: 'x' })
  const { sync } = await predictit([odd])
  await sync('predictit')
  expect((await stored()).map(({ id, price }) => [id, price])).toEqual([
    ['1', 0.4],
    ['3', 0.17],
  ])
  expect(await select('select source from quarantine')).toEqual([{ source: 'predictit' }])
})

test('a venue that is off has no lists, and its run asks for nothing', async () => {
  const { activities } = await kalshi([
    createKalshiMarket({ number: 1, trades: 1, newestAt: createClock().now() / 1_000 - 60 }),
  ])
  expect(await activities.listMarketLists({ venue: 'predictit' })).toBeNull()
  expect(await activities.listMarketLists({ venue: 'kalshi' })).not.toBeNull()
})
