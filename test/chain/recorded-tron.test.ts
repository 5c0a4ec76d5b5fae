import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createTrongridApi, heldTrx } from '../../activities/chain/sources/trongrid-api.ts'
import { decodeTronTransaction, tronTransaction } from '../../activities/chain/sources/tron-transaction.ts'
import { tronAddress, tronHex } from '../../db/values/wallet-address.ts'
import { realdata } from '../setup/realdata.ts'
import { startReplay } from '../setup/replay.ts'
import { freeHttp } from './free-http.ts'

/** Answers of TronGrid that Trust Wallet recorded. */
const FOLDER = join(realdata ?? '', 'blockatlas')
const read = (path: string) => JSON.parse(readFileSync(join(FOLDER, path), 'utf8'))
const ADDRESS = 'TFFriedwRtWdFuzerDDtkoQTZ29smDZ1MB'
const OWN = 'mock/ext-api-data/tron-api_v1_accounts_TFFriedwRtWdFuzerDDtkoQTZ29smDZ1MB'
const OWN_LIST = `${OWN}_transactions__limit_25_order_by_block_timestamp_desc_token_id_.json`
const TOKENS = 'platform/tron/mocks/tokens'

const closes: (() => void)[] = []
afterAll(() => closes.forEach((close) => close()))

const QUERY =
  'only_confirmed=true&limit=50&order_by=block_timestamp%2Casc&min_timestamp=0&max_timestamp=1600000000000'

async function replay(answers: Record<string, unknown>) {
  const fixtures = Object.entries(answers).map(([path, body]) => ({
    source: 'trongrid',
    method: 'GET' as const,
    path,
    status: 200,
    contentType: 'application/json',
    text: JSON.stringify(body),
  }))
  const { url, close } = await startReplay(fixtures)
  const http = freeHttp({ trongrid: { url } })
  closes.push(close, () => void http.close())
  return { http, url, key: null }
}

const page = (address: string, list: 'transactions' | 'transactions/trc20') => ({
  address,
  list,
  fromMs: 0,
  toMs: 1_600_000_000_000,
  fingerprint: null,
})

describe.skipIf(!realdata)('recorded answers of TronGrid', () => {
  test('an account holds its TRX and tokens, and its address is the recorded one in both forms', async () => {
    const recorded = read(`${OWN}.json`)
    const api = createTrongridApi(await replay({ [`/v1/accounts/${ADDRESS}?only_confirmed=true`]: recorded }))
    const account = await api.readAccount(ADDRESS)
    expect(heldTrx(account)).toBe(278_720_000n)
    expect(account!.trc20).toEqual([{ TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7: 53_135_738n }])
    expect(tronAddress(recorded.data[0].address)).toBe(ADDRESS)
    expect(`41${tronHex(ADDRESS)}`).toBe(recorded.data[0].address)
  })

  test('each row of a list is read: the fee is what was burnt for bandwidth and energy', async () => {
    for (const [address, recorded] of [
      [ADDRESS, read(OWN_LIST)],
      ['TM1zzNDZD2DPASbKcgdVoTYhfmYgtfwx9R', read(`${TOKENS}/accounts_txs_response.json`)],
    ]) {
      const api = createTrongridApi(
        await replay({ [`/v1/accounts/${address}/transactions?${QUERY}`]: recorded }),
      )
      const { rows } = await api.page(page(address, 'transactions'))
      expect(rows.map(({ hash }) => hash)).toEqual(recorded.data.map((one: any) => one.txID))
      rows.forEach((row, i) => {
        const { net_fee: bandwidth, energy_fee: energy, raw_data: raw, blockNumber } = recorded.data[i]
        if (row.tx === null) throw new Error('a transaction has no body')
        if (blockNumber === undefined) {
          expect(row.simple).toBeNull()
          return
        }
        expect(row.simple).toMatchObject({ fee: BigInt(bandwidth + energy), blockNumber })
        const { type, parameter } = raw.contract[0]
        const { transaction, transfers } = decodeTronTransaction(row.tx, row.simple!, { wrapped: null })
        expect(`41${tronHex(transaction.from)}`).toBe(parameter.value.owner_address)
        // TRC-10 tokens, votes and frozen TRX move none.
        const paid = type === 'TransferContract' ? [BigInt(parameter.value.amount)] : []
        expect(transfers.map(({ raw: value }) => value)).toEqual(paid)
      })
    }
  })

  test('the list of TRC-20 tokens names transactions', async () => {
    const recorded = read(`${TOKENS}/txs_trc20_response.json`)
    const address = 'TM1zzNDZD2DPASbKcgdVoTYhfmYgtfwx9D'
    const api = createTrongridApi(
      await replay({ [`/v1/accounts/${address}/transactions/trc20?${QUERY}`]: recorded }),
    )
    const { rows, next } = await api.page(page(address, 'transactions/trc20'))
    expect(rows.map(({ hash }) => hash)).toEqual(recorded.data.map((one: any) => one.transaction_id))
    expect(next).toBe(recorded.meta.fingerprint)
  })

  test('a recorded call of a token is decoded with the log that its data announces', () => {
    const row = read(`${TOKENS}/accounts_txs_response.json`).data.find(({ raw_data: raw }: any) =>
      raw.contract[0].parameter.value.data?.startsWith('a9059cbb'),
    )
    const {
      data,
      contract_address: contract,
      owner_address: owner,
    } = row.raw_data.contract[0].parameter.value
    const [to, amount] = [data.slice(8, 72), data.slice(72)]
    const log = {
      address: contract.slice(2),
      topics: [
        'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
        owner.slice(2).padStart(64, '0'),
        to.slice(-40).padStart(64, '0'),
      ],
      data: amount,
    }
    const info = { blockNumber: 1, blockTimeStamp: 1, fee: 299_770n, log: [log], internals: [], reward: 0n }
    const { transfers, transaction } = decodeTronTransaction(tronTransaction.parse(row), info, {
      wrapped: null,
    })
    expect(transaction).toMatchObject({ selector: '0xa9059cbb', fee: 299_770n, success: true })
    expect(transfers).toMatchObject([
      {
        kind: 'erc20',
        token: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
        from: tronAddress(owner),
        to: tronAddress(to),
        raw: BigInt(`0x${amount}`),
      },
    ])
  })
})
