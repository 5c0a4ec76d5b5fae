import {
  notePortfolioValues,
  type PortfolioRule,
  readPortfolioRules,
} from '../../db/events/portfolio-rules.ts'
import { portfolioValues } from '../../db/portfolios/portfolio-values.ts'
import {
  absolute,
  compare,
  decimal,
  type Decimal,
  formatDecimal,
  multiply,
  subtract,
} from '../../db/values/decimal.ts'
import { HOUR_MS } from '../../db/values/periods.ts'
import type { ActivityDeps } from '../deps.ts'
import { pause } from '../pause.ts'

const PAGE = 500
const PAUSE_MS = 15_000
/** Part of the time that goes into looking at rules, however many there are. */
const SHARE = 1 / 10

/** Looks at the alerts on portfolios again and again, until the time is over or the worker ends. */
export async function decidePortfolioAlerts(
  deps: Pick<ActivityDeps, 'db' | 'now' | 'ending' | 'wait'> & { lastsMs?: number },
): Promise<void> {
  const { ending, lastsMs = HOUR_MS } = deps
  const endMs = performance.now() + lastsMs
  while (!ending?.aborted && performance.now() < endMs) {
    const beganMs = performance.now()
    await decideOnce(deps)
    const pauseMs = Math.max(PAUSE_MS, (performance.now() - beganMs) * (1 / SHARE - 1))
    await pause(deps, Math.min(pauseMs, lastsMs))
  }
}

/** Looks once at each alert on a portfolio whose account may be told. */
export async function decideOnce({ db, now }: Pick<ActivityDeps, 'db' | 'now'>): Promise<void> {
  let last: PortfolioRule | null = null
  for (;;) {
    const at = now()
    const rules: PortfolioRule[] = await readPortfolioRules(db, { after: last, limit: PAGE, now: at })
    if (rules.length > 0) await decidePage({ db, rules, at })
    if (rules.length < PAGE) return
    last = rules.at(-1)!
  }
}

async function decidePage(input: {
  db: ActivityDeps['db']
  rules: readonly PortfolioRule[]
  at: Date
}): Promise<void> {
  const { db, rules, at } = input
  const portfolioIds = [...new Set(rules.map(({ portfolioId }) => portfolioId))]
  const values = await portfolioValues(db, { portfolioIds, nowMs: at.getTime() })
  const moved = rules.flatMap((rule) => {
    const value = values.get(rule.portfolioId)
    return value && hasMoved(rule, value)
      ? [{ id: rule.id, from: rule.valueUsd, to: formatDecimal(value) }]
      : []
  })
  if (moved.length > 0) await notePortfolioValues(db, { now: at, moved })
}

/** Whether a value is so many percent away from the one that was last told, or the first one. */
function hasMoved({ valueUsd, changePercent }: PortfolioRule, value: Decimal): boolean {
  if (valueUsd === null) return true
  const last = decimal(valueUsd)
  const change = subtract(value, last)
  const least = multiply(absolute(last), decimal(changePercent))
  return compare(value, last) !== 0 && compare(multiply(absolute(change), decimal('100')), least) >= 0
}
