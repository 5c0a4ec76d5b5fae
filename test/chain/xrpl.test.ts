import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import {
  decodeXrplTransaction,
  issuedUnits,
  xrplTransaction,
} from '../../activities/chain/sources/xrpl-transaction.ts'
import { createXrpl } from '../../activities/chain/sources/xrpl.ts'
import { NETWORKS } from '../../db/values/networks.ts'
import {
  isAddressOf,
  parseWalletAddress,
  isXrplAddress,
  xrplAddress,
} from '../../db/values/wallet-address.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { ok, type Upstream } from '../../sandbox/upstream.ts'
import { rlusd, xrplWallets } from '../../sandbox/xrpl/actors.ts'
import { createXrplChain } from '../../sandbox/xrpl/ledger.ts'
import { createRippled } from '../../sandbox/xrpl/rippled.ts'
import { realdata } from '../setup/realdata.ts'
import { freeHttp } from './free-http.ts'
import { fullHistory } from './full-history.ts'
import { historyRequest } from './history-request.ts'
import { ANCHOR, market } from './other-chains.ts'

const chain = createXrplChain({ market })
const { address: WALLET } = xrplWallets[0]!
const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

async function against(upstream: Upstream) {
  const asked: { method: string; params: [{ limit?: number; marker?: unknown }] }[] = []
  const log: Upstream = (request) => (asked.push(JSON.parse(request.bodyText)), upstream(request))
  const mounts = [{ base: '/xrpl', upstream: log }]
  const server = createSandboxServer({ mounts, faults: createFaults(), nowMs: () => ANCHOR * 1_000 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/xrpl`
  const http = freeHttp({ xrpl: { url } })
  stops.push(
    () => http.close(),
    () => (server.close(), server.closeAllConnections()),
  )
  return { source: createXrpl({ http, url }), asked }
}

describe('addresses', () => {
  // Documents of the XRP Ledger: the special addresses, and those of its examples.
  test.each([
    ['rrrrrrrrrrrrrrrrrrrrrhoLvTp', '00'.repeat(20)],
    ['rrrrrrrrrrrrrrrrrrrrBZbvji', `${'00'.repeat(19)}01`],
    ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'b5f762798a53d543a014caf8b297cff8f2f937e8'],
  ])('%s has the account id %s', (address, hex) => {
    expect(xrplAddress(Buffer.from(hex, 'hex'))).toBe(address)
    expect(parseWalletAddress(address)).toEqual({ kind: 'xrpl', address })
  })

  test('each address of 20 bytes is one of the XRP Ledger alone, and one with a wrong letter is none', () => {
    const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 })
    fc.assert(
      fc.property(bytes, fc.nat(19), fc.constantFrom('2', 'A', 'z'), (id, place, letter) => {
        const address = xrplAddress(id)
        expect(NETWORKS.filter((one) => isAddressOf(one, address)).map((one) => one.id)).toEqual(['xrpl'])
        fc.pre(address[1 + place] !== letter)
        expect(isXrplAddress(address.slice(0, 1 + place) + letter + address.slice(2 + place))).toBe(false)
      }),
    )
  })

  test.each([
    ['a secret', 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb'],
    ['an X-address', 'XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD2gYsjNFQLKYW33DzBm'],
  ])('refuses %s', (_what, text) => expect(parseWalletAddress(text)).toBeNull())
})

test.each([
  ['1', 10n ** 15n],
  ['-0.5', -5n * 10n ** 14n],
  ['1234567890.123456', 1_234_567_890_123_456n * 10n ** 9n],
  ['1e-15', 1n],
  ['9999999999999999e-20', 99_999_999_999n],
  ['1e20', 10n ** 35n],
])('%s units of an issued token are %i', (text, units) => expect(issuedUnits(text)).toBe(units))

test('a new kind of entry does not matter, an account whose balance cannot be read does', () => {
  const row = (nodes: object[]) => ({
    validated: true,
    tx: { hash: 'A'.repeat(64), ledger_index: 5, date: 1, Account: WALLET, Fee: '12' },
    meta: { TransactionIndex: 0, TransactionResult: 'tesSUCCESS', AffectedNodes: nodes },
  })
  const unread = { mpt_issuance_id: '00', value: '5' }
  const entry = (LedgerEntryType: string, Balance: unknown) => ({
    ModifiedNode: {
      LedgerEntryType,
      FinalFields: { Account: WALLET, Balance },
      PreviousFields: { Balance: '1000' },
    },
  })
  const known = entry('AccountRoot', '488')
  const { transfers } = decodeXrplTransaction(xrplTransaction.parse(row([entry('Vault', unread), known])))
  expect(transfers).toMatchObject([{ kind: 'native', from: WALLET, raw: 500n }])
  expect(xrplTransaction.safeParse(row([entry('AccountRoot', unread)])).success).toBe(false)
})

describe('changes of balances', () => {
  const GATEWAY = xrplAddress(new Uint8Array(20).fill(7))
  const limit = (issuer: string) => ({ currency: 'EUR', issuer, value: '0' })
  const line = (value: string) => ({
    Balance: { ...limit(GATEWAY), value },
    LowLimit: limit(WALLET),
    HighLimit: limit(GATEWAY),
  })
  const balance = (value: string) => ({ Balance: { ...limit(GATEWAY), value } })
  const unit = 10n ** 15n

  const moved = (...nodes: object[]) =>
    decodeXrplTransaction(
      xrplTransaction.parse({
        validated: true,
        tx: { hash: 'A'.repeat(64), ledger_index: 5, date: 1, Account: GATEWAY, Fee: '12' },
        meta: { TransactionIndex: 0, TransactionResult: 'tesSUCCESS', AffectedNodes: nodes },
      }),
    ).transfers.map(({ kind, token, from, to, raw }) => [kind, token, from, to, raw])

  const node = (kind: string, LedgerEntryType: string, fields: object) => ({
    [kind]: { LedgerEntryType, ...fields },
  })
  /** Both sides of a trust line, of which the wallet got so many units. */
  const sides = (units: bigint) => [
    ['issued', `EUR.${GATEWAY}`, '', WALLET, units * unit],
    ['issued', `EUR.${WALLET}`, GATEWAY, '', units * unit],
  ]

  test('a trust line that is created gives all of its balance, one that changes the difference', () => {
    expect(moved(node('CreatedNode', 'RippleState', { NewFields: line('3') }))).toEqual(sides(3n))
    const changed = { FinalFields: line('5'), PreviousFields: balance('3') }
    expect(moved(node('ModifiedNode', 'RippleState', changed))).toEqual(sides(2n))
    expect(moved(node('DeletedNode', 'RippleState', { ...changed, FinalFields: line('4') }))).toEqual(
      sides(1n),
    )
  })

  test('a trust line of which only a limit changed, or that lacks a side, moves nothing', () => {
    const { LowLimit: _low, ...high } = line('5')
    const { HighLimit: _high, ...low } = line('5')
    const before = balance('3')
    expect(
      moved(
        node('ModifiedNode', 'RippleState', { FinalFields: line('5'), PreviousFields: {} }),
        node('ModifiedNode', 'RippleState', { FinalFields: line('5') }),
        node('ModifiedNode', 'RippleState', { FinalFields: line('5'), PreviousFields: line('5') }),
        node('ModifiedNode', 'RippleState', { FinalFields: high, PreviousFields: before }),
        node('ModifiedNode', 'RippleState', { FinalFields: low, PreviousFields: before }),
        node('ModifiedNode', 'RippleState', {
          FinalFields: { ...line('5'), Balance: '7' },
          PreviousFields: before,
        }),
      ),
    ).toEqual([])
  })

  test('an account that is created gets all of its balance, one whose balance is not named changes nothing', () => {
    expect(
      moved(node('CreatedNode', 'AccountRoot', { NewFields: { Account: WALLET, Balance: '70' } })),
    ).toEqual([['native', null, '', WALLET, 70n]])
    expect(
      moved(
        node('ModifiedNode', 'AccountRoot', {
          FinalFields: { Account: WALLET, Balance: '70' },
          PreviousFields: {},
        }),
        node('ModifiedNode', 'AccountRoot', {
          FinalFields: { Account: WALLET },
          PreviousFields: { Balance: '60' },
        }),
        node('ModifiedNode', 'AccountRoot', {
          FinalFields: { Balance: '70' },
          PreviousFields: { Balance: '60' },
        }),
        node('CreatedNode', 'AccountRoot', { NewFields: { Account: WALLET } }),
        // Its balance fell by the fee alone.
        node('ModifiedNode', 'AccountRoot', {
          FinalFields: { Account: GATEWAY, Balance: '88' },
          PreviousFields: { Balance: '100' },
        }),
      ),
    ).toEqual([])
  })
})

test('pages are read to the end by their marker', async () => {
  const { source, asked } = await against((request) =>
    createRippled(() => chain)({
      ...request,
      bodyText: request.bodyText.replace('"limit":200', '"limit":7'),
    }),
  )
  const { transactions } = await fullHistory(source, WALLET)
  const own = chain.of(WALLET, chain.validated(ANCHOR))
  expect(transactions.map(({ hash }) => hash)).toEqual(own.map(({ hash }) => hash))
  const pages = asked.filter(({ method }) => method === 'account_tx')
  expect(pages.filter(({ params: [one] }) => one.marker !== undefined)).toHaveLength(
    Math.ceil(own.length / 7) - 1,
  )
})

describe('parts of the history', () => {
  const head = chain.validated(ANCHOR)
  const own = chain.of(WALLET, head)
  const requestOf = (rest: { cursor: number; headBlock: number }) =>
    historyRequest({ address: WALLET, ...rest })

  test('a part begins after the cursor, ends with the head and is read through when no page follows', async () => {
    const { source } = await against(createRippled(() => chain))
    const [cursor, headBlock] = [own[2]!.ledger, own[6]!.ledger]
    const part = await source.readHistory(requestOf({ cursor, headBlock }))
    const inside = own.filter(({ ledger }) => ledger > cursor && ledger <= headBlock)
    expect(part.range.transactions.map(({ hash }) => hash)).toEqual(inside.map(({ hash }) => hash))
    expect(part).toMatchObject({ through: headBlock, next: null, fromBlock: inside[0]!.ledger })
  })

  test('while a page follows, nothing is read through', async () => {
    const { source } = await against((request) =>
      createRippled(() => chain)({ ...request, bodyText: request.bodyText.replace(':200', ':3') }),
    )
    const cursor = own[2]!.ledger
    const part = await source.readHistory(requestOf({ cursor, headBlock: head }))
    expect(part.range.transactions).toHaveLength(3)
    expect(part.next).not.toBeNull()
    expect(part.through).toBe(cursor)
  })

  test('the ledgers that everybody lost are not missed, one more is', async () => {
    const lost = 32_570
    const whole = await against(createRippled(() => chain, { lost }))
    const part = await whole.source.readHistory(requestOf({ cursor: -1, headBlock: head }))
    expect(part.range.transactions.length).toBeGreaterThan(0)
    const short = await against(createRippled(() => chain, { lost: lost + 1 }))
    const reading = short.source.readHistory(requestOf({ cursor: -1, headBlock: head }))
    await expect(reading).rejects.toThrow(`no ledgers before ${lost + 1}`)
  })

  test('a transaction of others that moves nothing of the wallet is left out, one that it paid for stays', async () => {
    const [issuer, other] = [7, 8].map((byte) => xrplAddress(new Uint8Array(20).fill(byte)))
    const row = (hash: string, Account: string) => ({
      validated: true,
      tx: { hash: hash.repeat(64), ledger_index: 90_000_000, date: 1, Account, Fee: '12' },
      meta: { TransactionIndex: 0, TransactionResult: 'tecPATH_DRY', AffectedNodes: [] },
    })
    const transactions = [row('A', issuer!), row('B', WALLET), row('C', other!)]
    const { source } = await against(() => ok({ result: { ledger_index_min: 32_570, transactions } }))
    const { range } = await source.readHistory(requestOf({ cursor: -1, headBlock: 90_000_000 }))
    expect(range.transactions.map(({ hash }) => hash[0])).toEqual(['B'])
  })
})

describe('trust lines', () => {
  const line = (digit: number, balance: string) => ({
    account: xrplAddress(new Uint8Array(20).fill(digit)),
    balance,
    currency: 'EUR',
  })
  const answers = (pages: Map<string, object>) =>
    against((request) => {
      const { method, params } = JSON.parse(request.bodyText)
      if (method !== 'account_lines') return createRippled(() => chain)(request)
      const page = pages.get(String(params[0].marker))
      return ok({ result: page ?? { error: 'invalidParams', error_message: 'Invalid marker.' } })
    })

  test('all pages of them are held, without what is nothing or what others hold of the account', async () => {
    const { source } = await answers(
      new Map<string, object>([
        ['undefined', { lines: [line(1, '5'), line(2, '-4')], marker: 'second' }],
        ['second', { lines: [line(3, '0')], marker: 'third' }],
        ['third', { lines: [line(4, '0.5')] }],
      ]),
    )
    const { tokens } = (await source.readHoldings({ address: WALLET, contracts: [] }))!
    expect(tokens).toEqual([
      { address: `EUR.${line(1, '').account}`, raw: 5n * 10n ** 15n },
      { address: `EUR.${line(4, '').account}`, raw: 5n * 10n ** 14n },
    ])
  })

  test('an account that does not exist is not asked for them', async () => {
    const { source, asked } = await against(createRippled(() => chain))
    const address = xrplAddress(new Uint8Array(20).fill(9))
    await source.readHoldings({ address, contracts: [] })
    expect(asked.map(({ method }) => method)).toEqual(['ledger', 'account_info'])
  })
})

test('balances are those of the ledger that is asked for', async () => {
  const { source } = await against(createRippled(() => chain))
  for (const days of [0, 100, 400]) {
    const headBlock = chain.validated(ANCHOR - days * 86_400)
    const held = chain.held(WALLET, headBlock)!
    const tokens = [`${rlusd.currency}.${rlusd.issuer}`]
    const found = await source.readBalances({ address: WALLET, accounts: [], tokens, headBlock })
    expect([found.native, ...found.tokens]).toEqual([held.drops, held.rlusd * 10n ** 9n])
    expect(found.block).toMatchObject({ number: headBlock, atMs: chain.closedAt(headBlock) * 1_000 })
  }
})

test('a server without the whole history is refused, and one that lags is asked again', async () => {
  const short = await against(createRippled(() => chain, { lost: chain.validated(ANCHOR) - 1_000 }))
  await expect(fullHistory(short.source, WALLET)).rejects.toThrow('name one with the full history')
  const { source } = await against(createRippled(() => chain))
  const headBlock = chain.validated(ANCHOR) + 5
  const reading = source.readBalances({ address: WALLET, accounts: [], tokens: [], headBlock })
  await expect(reading).rejects.toThrow(SourceUnavailable)
})

test('an account that does not exist holds nothing', async () => {
  const { source } = await against(createRippled(() => chain))
  const unused = xrplAddress(new Uint8Array(20).fill(9))
  expect(await source.readHoldings({ address: unused, contracts: [] })).toMatchObject({
    native: 0n,
    tokens: [],
  })
  expect((await fullHistory(source, unused)).transactions).toEqual([])
})

describe.skipIf(!realdata)('recorded transactions of the XRP Ledger', () => {
  test('each payment moves what was delivered, and the sender pays the fee too', () => {
    const folder = join(realdata!, 'blockatlas/mock/ext-api-data')
    const name = readdirSync(folder).find((one) => one.startsWith('ripple-api_accounts_'))!
    const recorded = JSON.parse(readFileSync(join(folder, name), 'utf8')).transactions as any[]
    expect(recorded).toHaveLength(23)
    for (const { hash, ledger_index, date, tx, meta } of recorded) {
      const seconds = Date.parse(date) / 1_000 - 946_684_800
      const row = { validated: true, tx: { ...tx, hash, ledger_index, date: seconds }, meta }
      const { transaction, transfers } = decodeXrplTransaction(xrplTransaction.parse(row))
      expect(transaction).toMatchObject({ fee: BigInt(tx.Fee), from: tx.Account, atMs: Date.parse(date) })
      for (const address of [tx.Account, tx.Destination]) expect(isXrplAddress(address)).toBe(true)
      const native = transfers.filter(({ kind }) => kind === 'native')
      const received = native.filter(({ to }) => to === tx.Destination)
      expect(received.map(({ raw }) => raw)).toEqual([BigInt(meta.delivered_amount)])
      const moved = transfers.filter(({ kind }) => kind === 'issued')
      // A payment of XRP for XRP moves as much from its sender; one through an offer is paid with a token.
      if (moved.length === 0)
        expect(native.find(({ from }) => from === tx.Account)?.raw).toBe(BigInt(meta.delivered_amount))
    }
  })
})
