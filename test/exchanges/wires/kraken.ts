import { byOffset, number, PRICE, type Params, type Wire } from './wire.ts'

const rowsBetween = { from: 'start', to: 'end', unit: 1_000, most: 50 } as const
const skip = (params: Params) => number(params, 'ofs')
const keyed = (items: unknown[]) => Object.fromEntries(items as [string, unknown][])

export const kraken: Wire = {
  market: ['XXBTZUSD', 'BTC/USD'],
  lists: [
    {
      path: /^\/0\/private\/TradesHistory$/,
      kinds: ['fill', 'margin'],
      select: byOffset(rowsBetween, skip),
      row: ({ id, at, amount, kind }) => [
        `T${id}`,
        {
          ordertxid: 'O',
          pair: 'XXBTZUSD',
          time: at / 1_000,
          type: 'buy',
          ordertype: 'limit',
          price: PRICE,
          cost: '1',
          fee: '0',
          vol: amount,
          margin: kind === 'margin' ? '4000.1' : '0',
        },
      ],
      body: (items) => ({ error: [], result: { trades: keyed(items), count: items.length } }),
    },
    {
      path: /^\/0\/private\/Ledgers$/,
      kinds: ['deposit', 'withdrawal'],
      select: byOffset(rowsBetween, skip),
      row: ({ id, at, amount, kind }) => [
        `L${id}`,
        {
          refid: 'R',
          time: at / 1_000,
          type: kind,
          subtype: '',
          aclass: 'currency',
          asset: 'XXBT',
          amount: kind === 'deposit' ? amount : `-${amount}`,
          fee: '0',
          balance: '1',
        },
      ],
      body: (items) => ({ error: [], result: { ledger: keyed(items), count: items.length } }),
      isFinal: true,
    },
  ],
}
