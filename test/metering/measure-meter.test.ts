import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { measureMeter } from '../../api/metering/measure-meter.ts'
import type { Meter } from '../../db/metering/meter.ts'

const charge = { requestId: 'r', accountId: 'ann', credits: 5, endpoint: 'GET /coins', priceInput: null }

/** A meter that pays for everything but what costs more than 9 credits. */
function measured(
  written: { mismatch: boolean; replayedBody: string | null } = { mismatch: false, replayedBody: null },
) {
  const registry = new Registry()
  const paid = ({ credits }: { credits: number }) => ({ paid: credits <= 9 })
  const meter = measureMeter(
    {
      authenticate: async () => null,
      admit: async () => new Map(),
      charge: async (charges: readonly { credits: number }[]) => charges.map(paid),
      chargeInPart: async (one: { credits: number }) => paid(one),
      chargeWrite: async (one: { credits: number }) => ({ ...paid(one), ...written }),
    } as unknown as Meter,
    registry,
  )
  const values = async (name: string) => {
    const found: readonly { labels: object; value: number; metricName?: string }[] = (
      await registry.getSingleMetric(name)!.get()
    ).values
    return Object.fromEntries(
      found
        .filter(({ metricName }) => !metricName?.endsWith('_bucket'))
        .map(({ metricName, labels, value }) => [
          [...Object.values(labels), ...(metricName ? [metricName.split('_').at(-1)!] : [])].join(' '),
          value,
        ]),
    )
  }
  return { meter, values }
}

test('credits count by endpoint when they are paid, less what was refunded, and refusals apart', async () => {
  const { meter, values } = measured()
  await meter.charge([charge, { ...charge, credits: 10 }, { ...charge, endpoint: 'GET /nfts', credits: 2 }])
  await meter.chargeInPart({ ...charge, refund: 2 })
  expect(await values('sluice_credits_charged_total')).toEqual({ 'GET /coins': 8, 'GET /nfts': 2 })
  expect(await values('sluice_charges_refused_total')).toEqual({ '': 1 })
})

test('a write counts once: a repeated one and one with another body were not charged', async () => {
  for (const [written, credits] of [
    [{ mismatch: false, replayedBody: null }, { 'GET /coins': 5 }],
    [{ mismatch: true, replayedBody: null }, {}],
    [{ mismatch: false, replayedBody: '{}' }, {}],
  ] as const) {
    const { meter, values } = measured(written)
    await meter.chargeWrite({ ...charge } as never)
    expect(await values('sluice_credits_charged_total')).toEqual(credits)
    expect(await values('sluice_charges_refused_total')).toEqual({ '': 0 })
  }
})

test('a batch is as large as its requests, and each statement is timed', async () => {
  const { meter, values } = measured()
  await meter.authenticate(Buffer.alloc(0))
  await meter.admit(
    new Map([
      ['ann', 3],
      ['bob', 4],
    ]),
  )
  await meter.charge([charge, charge])
  expect(await values('sluice_meter_batch_size')).toEqual({
    'admit sum': 7,
    'admit count': 1,
    'charge sum': 2,
    'charge count': 1,
  })
  expect(
    Object.keys(await values('sluice_meter_statement_seconds')).filter((name) => name.endsWith('count')),
  ).toEqual(['authenticate count', 'admit count', 'charge count'])
})
