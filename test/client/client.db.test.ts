import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { createSluiceClient, type Data, eachItem, SluiceError } from '../../clients/typescript/index.ts'
import { sharingAccount } from '../portfolios/share-probe.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { activateNetworks, address, outboxOf } from '../setup/wallet-factories.ts'

const database = await testDatabase()
const api = await startApi({ database, routes })
const url = `http://127.0.0.1:${api.port}/v1`
const { key } = await api.newAccount({ plan: 'pro' })
const client = createSluiceClient({ url: `${url}/`, key })
const ADDRESS = address(7)

beforeAll(async () => {
  const at = new Date()
  for (const id of ['bitcoin', 'ethereum', 'solana'])
    await insertCoin(api.owner, { id, symbol: id.slice(0, 3), name: id, priceUsd: '100', at })
  await activateNetworks(api.owner, ['ethereum', 'base-wallet'])
})

const refusalOf = (call: Promise<unknown>): Promise<SluiceError> =>
  call.then(
    () => expect.fail('the call was not refused'),
    (error: SluiceError) => error,
  )

describe('reads', () => {
  test('takes a path parameter', async () => {
    const { data, response } = await client.GET('/coins/{coinId}', {
      params: { path: { coinId: 'bitcoin' } },
    })
    expectTypeOf(data.name).toEqualTypeOf<string>()
    expect(data).toMatchObject({ id: 'bitcoin', price: 100 })
    expect(response.headers.get('x-credits-cost')).toBe('1')
    expect(data).toEqual(await (await api.get('/coins/bitcoin', key)).json())
  })

  test('takes lists, numbers and choices in the query', async () => {
    const { data } = await client.GET('/coins', {
      params: { query: { coinIds: ['bitcoin', 'solana'], limit: 5, sortDir: 'asc', 'price-greaterThan': 1 } },
    })
    expectTypeOf(data).toEqualTypeOf<Data<'get', '/coins'>>()
    expect(data.result.map(({ id }) => id).sort()).toEqual(['bitcoin', 'solana'])
  })

  test('goes through a list page by page, and asks for no page that the loop does not need', async () => {
    const asked: string[] = []
    const counting = createSluiceClient({
      url,
      key,
      fetch: (to, init) => {
        asked.push(new URL(to as string).search)
        return fetch(to, init)
      },
    })
    const ids: string[] = []
    for await (const coin of eachItem(counting, '/coins', { params: { query: { limit: 2 } } }))
      ids.push(coin.id)
    expect(ids.toSorted()).toEqual(['bitcoin', 'ethereum', 'solana'])
    expect(asked).toEqual(['?limit=2', '?limit=2&page=2'])
    for await (const coin of eachItem(counting, '/coins', { params: { query: { limit: 1 } } }))
      if (coin.id !== '') break
    expect(asked).toHaveLength(3)
  })

  test('goes through lists that do not say whether a page follows, and through events', async () => {
    const owner = await sharingAccount(api, { portfolios: 1 })
    const hers = createSluiceClient({ url, key: owner.key })
    for (const above of [1, 2, 3])
      await hers.POST('/alerts', {
        body: { type: 'coin.price', coinId: 'bitcoin', above: above * 1_000_000 },
      })
    const alerts: (number | undefined)[] = []
    for await (const alert of eachItem(hers, '/alerts', { params: { query: { limit: 2 } } }))
      if ('above' in alert) alerts.push(alert.above)
    expect(alerts).toEqual(expect.arrayContaining([1_000_000, 2_000_000, 3_000_000]))
    for await (const { seq } of eachItem(hers, '/events')) expectTypeOf(seq).toEqualTypeOf<string>()
    // @ts-expect-error a list without pages
    const none = () => eachItem(hers, '/fiats')
    expect(none).toBeTypeOf('function')
  })

  test('works without parameters and without a key', async () => {
    expect((await client.GET('/currencies')).data.result['USD']).toBe(1)
    expect((await createSluiceClient({ url }).GET('/status')).data.status).toBe('ok')
  })

  test('an error of the API has its status, message and request id', async () => {
    const error = await refusalOf(client.GET('/coins/{coinId}', { params: { path: { coinId: 'nothing' } } }))
    expect(error).toBeInstanceOf(SluiceError)
    expect(error).toMatchObject({
      status: 404,
      kind: 'not-found',
      message: expect.stringMatching(/not found/i),
      retryAfterS: null,
    })
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/)
    const wrong = await refusalOf(createSluiceClient({ url, key: 'sl_wrong' }).GET('/coins'))
    expect([wrong.status, wrong.kind, wrong.message]).toEqual([401, 'unauthorized', 'Invalid API key'])
    const bad = await refusalOf(client.GET('/coins', { params: { query: { limit: 0 } } }))
    expect([bad.status, bad.message]).toEqual([
      400,
      'Invalid parameter: limit. It must be a whole number from 1 to 1000',
    ])
  })

  test('dots in a parameter do not lead to another path', async () => {
    await expect(client.GET('/coins/{coinId}', { params: { path: { coinId: '..' } } })).rejects.toThrow(
      TypeError,
    )
    const asked = client.GET('/coins/{coinId}', { params: { path: { coinId: '../currencies?a=1' } } })
    expect((await refusalOf(asked)).status).toBe(404)
  })

  test('without an answer the error of fetch is thrown', async () => {
    const gone = createSluiceClient({ url: 'http://127.0.0.1:1/v1', key })
    await expect(gone.GET('/coins')).rejects.not.toBeInstanceOf(SluiceError)
  })
})

describe('retries', () => {
  test('repeats a rate-limited read after the time that the API names', async () => {
    const slow = await api.newAccount({ plan: 'pro', requestsPerSecond: 1 })
    const patient = createSluiceClient({ url, key: slow.key })
    const startMs = performance.now()
    const answers = await Promise.all([patient.GET('/fiats'), patient.GET('/fiats')])
    expect(answers.map(({ response }) => response.status)).toEqual([200, 200])
    expect(performance.now() - startMs).toBeGreaterThan(900)
  })

  test('does not wait longer than allowed, and does not repeat a write that could take effect twice', async () => {
    const slow = await api.newAccount({ plan: 'pro', requestsPerSecond: 1 })
    const patient = createSluiceClient({ url, key: slow.key })
    const hasty = createSluiceClient({ url, key: slow.key, maxWaitS: 0 })
    const sync = { params: { query: { address: ADDRESS, connectionId: ['ethereum' as const] } } }
    const rushed = createSluiceClient({ url, key: slow.key })
    await patient.GET('/fiats')
    const startMs = performance.now()
    expect(await refusalOf(hasty.GET('/fiats'))).toMatchObject({ status: 429, kind: 'rate', retryAfterS: 1 })
    expect(await refusalOf(rushed.PATCH('/wallet/transactions', sync))).toMatchObject({ status: 429 })
    expect(performance.now() - startMs).toBeLessThan(900)
    await patient.GET('/fiats')
    const cancelled = patient.GET('/fiats', { signal: AbortSignal.timeout(100) })
    await expect(cancelled).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test('does not make a call that the rate refuses', async () => {
    const slow = await api.newAccount({ plan: 'pro', requestsPerSecond: 1 })
    const patient = createSluiceClient({ url, key: slow.key, maxWaitS: 1 })
    await patient.GET('/fiats')
    expect((await patient.POST('/events/ticket')).response.status).toBe(200)
  })

  test('asks again after a connection that broke', async () => {
    let toCut = 2
    const relay = createServer((socket) => {
      if (toCut-- > 0) return void socket.destroy()
      socket.pipe(connect(api.port, '127.0.0.1')).pipe(socket)
    }).listen(0, '127.0.0.1')
    await once(relay, 'listening')
    const there = `http://127.0.0.1:${(relay.address() as AddressInfo).port}/v1`
    const { response } = await createSluiceClient({ url: there, key }).GET('/fiats')
    expect([response.status, toCut]).toEqual([200, -1])
    // A write may have taken effect.
    toCut = 1
    const write = createSluiceClient({ url: there, key }).POST('/events/ticket')
    await expect(write).rejects.not.toBeInstanceOf(SluiceError)
    relay.close()
  })

  test('does not wait for credits of the next month', async () => {
    const poor = await api.newAccount({ credits: 0 })
    const error = await refusalOf(createSluiceClient({ url, key: poor.key }).GET('/fiats'))
    expect(error).toMatchObject({
      status: 429,
      kind: 'credits',
      message: 'Insufficient credits for this request',
      retryAfterS: null,
    })
  })
})

describe('writes with an Idempotency-Key have one effect', () => {
  test('a repeated PATCH', async () => {
    const sync = {
      params: {
        query: { address: ADDRESS, connectionId: ['ethereum' as const, 'base-wallet' as const] },
        header: { 'Idempotency-Key': 'sync' },
      },
    }
    const first = await client.PATCH('/wallet/transactions', sync)
    const again = await client.PATCH('/wallet/transactions', sync)
    expect(first.data).toEqual({ status: 'syncing' })
    expect([again.data, again.response.headers.get('idempotency-replayed')]).toEqual([first.data, 'true'])
    expect(await outboxOf(api.owner)).toHaveLength(2)
  })

  test('a repeated POST with a body', async () => {
    const header = { 'Idempotency-Key': 'wallet' }
    const body = { address: address(8), connectionId: 'ethereum' as const, name: 'Hers' }
    const first = await client.POST('/portfolio/wallet', { params: { header }, body })
    const again = await client.POST('/portfolio/wallet', { params: { header }, body })
    expect(again.data).toEqual(first.data)
    expect((await client.GET('/portfolio/list')).data.result).toHaveLength(1)
    const other = client.POST('/portfolio/wallet', { params: { header }, body: { ...body, name: 'His' } })
    expect((await refusalOf(other)).message).toBe('Idempotency-Key was used with other parameters')
  })

  test('a repeated DELETE', async () => {
    const owner = await sharingAccount(api, { portfolios: 2 })
    const hers = createSluiceClient({ url, key: owner.key })
    const params = { path: { portfolioId: owner.portfolioIds[0]! }, header: { 'Idempotency-Key': 'delete' } }
    const first = await hers.DELETE('/portfolio/{portfolioId}', { params })
    expect((await hers.DELETE('/portfolio/{portfolioId}', { params })).data).toEqual(first.data)
    const { path } = params
    expect((await refusalOf(hers.DELETE('/portfolio/{portfolioId}', { params: { path } }))).status).toBe(404)
  })
})

test('calls that the OpenAPI document does not allow do not compile', () => {
  const refused = [
    // @ts-expect-error a path that does not exist
    () => client.GET('/coin'),
    // @ts-expect-error a method that the path does not have
    () => client.DELETE('/coins'),
    // @ts-expect-error the path parameter is required
    () => client.GET('/coins/{coinId}'),
    // @ts-expect-error a query parameter is required
    () => client.GET('/coins/price/avg', { params: { query: { coinId: 'bitcoin' } } }),
    // @ts-expect-error a parameter that does not exist
    () => client.GET('/coins', { params: { query: { pages: 1 } } }),
    // @ts-expect-error the value must be a number
    () => client.GET('/coins', { params: { query: { limit: '5' } } }),
    // @ts-expect-error the value must be a list
    () => client.GET('/coins', { params: { query: { coinIds: 'bitcoin' } } }),
    // @ts-expect-error a value that is not listed
    () => client.GET('/coins', { params: { query: { sortDir: 'up' } } }),
    // @ts-expect-error a body is required
    () => client.POST('/portfolio/wallet'),
    // @ts-expect-error a field of the body is missing
    () => client.POST('/portfolio/wallet', { body: { address: ADDRESS } }),
    // @ts-expect-error a read has no body
    () => client.GET('/coins', { body: {} }),
    // @ts-expect-error a field that answers do not have
    async () => (await client.GET('/coins')).data.coins,
  ]
  expect(refused).toHaveLength(12)
})
