import type pg from 'pg'
import { readUsage } from '../../db/account/read-account.ts'
import type { Meter } from '../../db/metering/meter.ts'
import { count, counted } from '../parts/format.ts'
import { html } from '../parts/html.ts'
import { firstDay, usageChart, usageTables } from '../parts/usage-chart.ts'
import type { AccountVisit } from './visit.ts'

/** Shows plan and credits of the account. A view does not count against its rate limit. */
export function usagePage(deps: { pool: pg.Pool; meter: Pick<Meter, 'admit'>; now: () => Date }) {
  const { pool, meter, now } = deps
  return async ({ account, flash, show }: AccountVisit): Promise<void> => {
    const { accountId, degen } = account
    const today = now()
    const states = await meter.admit(new Map([[accountId, 0]]))
    const { plan, requestsPerSecond, balance } = states.get(accountId)!
    const usage = await readUsage(pool, { accountId, since: firstDay(today) })
    const days = Math.ceil(balance.periodEndsInS / 86_400)
    show({
      title: 'Usage',
      body: html`${await flash()}
        <dl class="panel">
          <dt>Plan</dt>
          <dd>${plan}${degen && ', with Degen'}</dd>
          <dt>Rate</dt>
          <dd>${counted(requestsPerSecond, 'request')} per second</dd>
          <dt>Credits left</dt>
          <dd>${count(balance.available)} of ${count(balance.granted)}</dd>
          <dt>Renews in</dt>
          <dd>${counted(days, 'day')}</dd>
        </dl>
        <h2>Credits by day</h2>
        ${usageChart(usage, today)} ${usageTables(usage)}`,
    })
  }
}
