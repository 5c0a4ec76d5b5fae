import type { FakeClock, Reply } from '../double.ts'
import { createMeter } from '../meter.ts'
import { partsOf, type RuledDouble, startRuled } from '../prices/ruled.ts'

export interface GoPlusDouble extends RuledDouble {
  state: {
    /** Addresses whose data is incomplete so far. */
    partial: Set<string>
  }
}

/** Row 45: GoPlus without a key. Its refusals come with status 200. */
export async function startGoPlus({ clock }: { clock: FakeClock }): Promise<GoPlusDouble> {
  const state = { partial: new Set<string>() }
  // 2 public texts; what 4 clients set, no page of the vendor says it.
  const minute = createMeter(clock, [{ name: 'minute', most: 30, span: 60_000 }])
  const tooMany: Reply = { body: '{"code":4029,"message":"Too Many Requests","result":null}' }
  const server = await startRuled(
    [
      { row: 45, refuse: ({ address }) => (minute.take(address) ? tooMany : null) },
      {
        row: 45,
        refuse: ({ query }) => (query.get('contract_addresses')?.includes(',') ? tooMany : null),
      },
    ],
    (asked) => {
      const [, , what, chain] = partsOf(asked)
      if (what !== 'token_security' || !/^\d+$/.test(chain ?? ''))
        return { status: 404, body: { code: 4012, message: 'not found', result: null } }
      const address = asked.query.get('contract_addresses')!
      const isPartial = state.partial.has(address)
      const facts = {
        token_symbol: 'TOKEN',
        is_open_source: '1',
        is_mintable: '',
        ...(!isPartial && { is_honeypot: '0', buy_tax: '0', sell_tax: '0' }),
      }
      return { body: { code: isPartial ? 2 : 1, message: 'OK', result: { [address.toLowerCase()]: facts } } }
    },
  )
  return { ...server, state }
}
