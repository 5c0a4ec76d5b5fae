import { MARKET_TASKS } from './market-tasks.ts'
import { PORTFOLIO_TASKS } from './portfolio-tasks.ts'
import type { Task } from './task.ts'
import { WALLET_TASKS } from './wallet-tasks.ts'

/** What agents are asked most. A task asks a few endpoints and keeps the fields that answer the question. */
export const TASKS: readonly Task[] = [...PORTFOLIO_TASKS, ...WALLET_TASKS, ...MARKET_TASKS]
