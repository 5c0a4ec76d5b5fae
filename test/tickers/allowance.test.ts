import type { Context } from '@temporalio/activity'
import { expect, test } from 'vitest'
import { activityInterceptor } from '../../activities/activity-interceptor.ts'
import { keepAllowances, sourceAllowances } from '../../activities/source-allowances.ts'
import { allSourceSettings } from '../../activities/source-settings.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'

const now = () => new Date('2026-11-03T00:05:00Z')

/** Asks CoinGecko on a free key once within an activity, after descriptions have spent the start of the day. */
async function askWithin(activityType: string): Promise<unknown> {
  const usage = createUsageCounts(now)
  usage.count({ account: 'coingecko', source: 'coingecko', work: 'refresh', requests: 12, units: 12 })
  const settings = allSourceSettings({ SOURCES: 'live', COINGECKO_API_KEY: 'a key' })
  const open = { admit: async () => {}, succeeded: async () => {}, failed: async () => {} }
  const gate = keepAllowances(open, { allowances: sourceAllowances(settings), usage, now })
  const context = { info: { activityType }, heartbeat: () => {} } as unknown as Context
  const { execute } = activityInterceptor(context).inbound!
  return await execute!({ args: [null], headers: {} }, () => gate.admit('coingecko'))
}

test('after a start the markets of exchanges do not wait behind descriptions until the next run', async () => {
  await expect(askWithin('refreshTickers')).resolves.toBeUndefined()
  await expect(askWithin('refreshExchanges')).resolves.toBeUndefined()
  await expect(askWithin('describeCoins')).rejects.toThrow('leave none for refresh now')
})
