import { createWebhookSender } from '../../activities/events/send-webhook.ts'
import { openDb } from '../../db/connect.ts'
import { type EventStep, runEventStep } from '../events/event-steps.ts'
import { type CommitPoint, dieAtCommit } from './die-at-commit.ts'

// Does a piece of the work on events, and kills itself at a commit.

interface Plan {
  databaseUrl: string
  /** Host and port that may receive events. */
  receiver: string
  sealingKey: string
  /** How far its clock is ahead. */
  aheadMs: number
  step: EventStep
  point: CommitPoint
}

const { databaseUrl, receiver, sealingKey, aheadMs, step, point } = JSON.parse(process.argv[2]!) as Plan
dieAtCommit(point)
const { pool, close } = openDb({ url: databaseUrl, maxConnections: 4, applicationName: 'event-process' })
const sender = createWebhookSender({
  allowed: new Set([receiver]),
  resolve: async () => [],
  deadlineMs: 5_000,
})
const now = () => new Date(Date.now() + aheadMs)
const deps = { pool, sender, privateKeys: [sealingKey], now, random: () => 0.5, log: console }
await runEventStep(deps, step)
await Promise.all([sender.close(), close()])
